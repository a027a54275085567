import { hashSecret } from '#issuer/client-secrets.ts';
import { scopes } from '#domain/scopes.ts';
import { insertAccount } from '#db/access/accounts.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { insertOAuthClient } from '#db/access/oauth-clients.ts';
import type { DemoClient, LocalSecrets } from './secrets.ts';

/** Inserts the accounts `demo` and `other` if they are missing, each with a client that has every scope. */
export async function seedDemoAccounts(databaseUrl: string, secrets: LocalSecrets): Promise<void> {
  const db = createDatabase(databaseUrl, 1);
  try {
    await insertDemoClient(db, 'demo', secrets.demo);
    await insertDemoClient(db, 'other', secrets.other);
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
