import { randomBytes } from 'node:crypto';
import { insertConsoleClient } from '#admin/console.ts';
import { ensureMember } from '#admin/members.ts';
import { findConsoleClient, rotateSecret } from '#db/access/oauth-clients.ts';
import type { Member } from '#db/access/members.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import type { Role } from '#domain/roles.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { issueSignInCode } from '#issuer/sign-in-code.ts';
import { runningEnvironment } from '../../stack/environment.ts';
import { rememberSecret } from '../../stack/leaks.ts';
import { inBasic, postForm, type IssuerAnswer } from './oauth.ts';

/** The console's client, as the console holds it. */
export interface ConsoleClient {
  id: string;
  secret: string;
}

/**
 * Returns the console's client of this database, made if there is none, with a secret that this test knows. That of the
 * shared stack stays as it is: its console uses it.
 */
export async function takeConsoleClient(db: Database): Promise<ConsoleClient> {
  const shared = await runningEnvironment();
  if (shared?.db === db) {
    const { clientId, clientSecret } = shared.stack.secrets.console;
    return { id: clientId, secret: clientSecret };
  }
  const secret = randomBytes(32).toString('base64url');
  rememberSecret(secret);
  const known = await findConsoleClient(db);
  if (known) await rotateSecret(db, known.id, hashSecret(secret), 86_400_000);
  const id = known?.id ?? newId('client');
  if (!known) await insertConsoleClient(db, { id, secret });
  return { id, secret };
}

/** Makes a member of the account, or an operator where there is none. */
export function makeMember(
  db: Database,
  {
    accountId,
    role,
    name = `Ana ${randomBytes(4).toString('hex')}`,
  }: { accountId: string | null; role: Role; name?: string },
): Promise<Member> {
  return ensureMember(db, { accountId, role, name });
}

/** Returns a code that signs the member in once. */
export async function makeSignInCode(db: Database, memberId: string): Promise<string> {
  const { code } = await issueSignInCode(db, memberId);
  rememberSecret(code);
  return code;
}

/** The issuer as the console uses it. */
export function consoleIssuer(api: { url: string }, client: ConsoleClient) {
  const post = async (path: string, form: Record<string, string>): Promise<IssuerAnswer> => {
    const answer = await postForm(`${api.url}/oauth2/${path}`, form, inBasic(client));
    for (const token of [answer.body.access_token, answer.body.refresh_token])
      if (token !== undefined) rememberSecret(token);
    return answer;
  };
  return {
    post,
    trade: (code: string) => post('token', { grant_type: 'authorization_code', code }),
    refresh: (token: string) => post('token', { grant_type: 'refresh_token', refresh_token: token }),
    revoke: (token: string) => post('revoke', { token }),
  };
}
