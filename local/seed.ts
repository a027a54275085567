import { insertConsoleClient } from '#admin/console.ts';
import { ensureMember } from '#admin/members.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { issueSignInCode } from '#issuer/sign-in-code.ts';
import { scopes } from '#domain/scopes.ts';
import { insertAccount } from '#db/access/accounts.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { findConsoleClient, insertOAuthClient } from '#db/access/oauth-clients.ts';
import type { ConsoleSecrets, DemoClient, LocalSecrets } from './secrets.ts';

/**
 * Inserts the accounts `demo` and `other` if they are missing, each with a client that has every scope, and the console's
 * client.
 */
export async function seedDemoAccounts(databaseUrl: string, secrets: LocalSecrets): Promise<void> {
  const db = createDatabase(databaseUrl, 1);
  try {
    await insertDemoClient(db, 'demo', secrets.demo);
    await insertDemoClient(db, 'other', secrets.other);
    if (!(await findConsoleClient(db))) await insertLocalConsole(db, secrets.console);
  } finally {
    await db.destroy();
  }
}

function insertLocalConsole(db: Database, { clientId, clientSecret }: ConsoleSecrets): Promise<void> {
  return insertConsoleClient(db, { id: clientId, secret: clientSecret });
}

/** Returns a code that signs a developer of the account `demo` in to the console. */
export async function makeDemoSignInCode(databaseUrl: string, secrets: LocalSecrets): Promise<string> {
  const db = createDatabase(databaseUrl, 1);
  try {
    const member = { accountId: secrets.demo.account, role: 'developer' as const, name: 'Demo developer' };
    return (await issueSignInCode(db, (await ensureMember(db, member)).id)).code;
  } finally {
    await db.destroy();
  }
}

async function insertDemoClient(db: Database, name: string, demo: DemoClient): Promise<void> {
  await insertAccount(db, { id: demo.account, name });
  await insertOAuthClient(db, {
    id: demo.clientId,
    accountId: demo.account,
    name,
    secretHash: hashSecret(demo.clientSecret),
    scopes: [...scopes],
  });
}
