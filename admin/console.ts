import { randomBytes } from 'node:crypto';
import { findConsoleClient, insertOAuthClient, rotateSecret } from '#db/access/oauth-clients.ts';
import { newId } from '#db/new-id.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { issueSignInCode } from '#issuer/sign-in-code.ts';
import { AdminError, type Command } from './command.ts';
import { ensureMember, memberOptions, readMember } from './members.ts';
import { formatFacts } from './report.ts';

/** How long the old secret is valid beside the new one, in milliseconds: until the console has started again. */
const overlapMs = 86_400_000;

/** The console itself, and the links that sign people in to it. */
export const consoleCommands: readonly Command[] = [
  {
    name: 'console link',
    operands: ['[ACCOUNT]'],
    summary: 'Print a link that signs one person in to the console, once, within 15 minutes',
    options: memberOptions,
    async run(input, { db, consoleUrl }) {
      if (consoleUrl === null) throw new AdminError('Set CONSOLE_URL to the address of the console.');
      const member = await ensureMember(db, await readMember(input, db));
      const { code, expiresAt } = await issueSignInCode(db, member.id);
      const link = `${consoleUrl}/sign-in?code=${code}`;
      const until = expiresAt.toISOString();
      return {
        text: formatFacts({ Link: link, Member: `${member.id} (${member.name})`, 'Valid until': until }),
        json: { link, member: member.id, expires: until },
      };
    },
  },
  {
    name: 'console client',
    summary: 'Make the client of the console, or give it a new secret; the old one stays valid for 24h',
    async run(_input, { db }) {
      const secret = randomBytes(32).toString('base64url');
      const known = await findConsoleClient(db);
      const id = known?.id ?? newId('client');
      if (known) await rotateSecret(db, id, hashSecret(secret), overlapMs);
      else await insertConsoleClient(db, { id, secret });
      return {
        text: `CONSOLE_CLIENT_ID=${id}\nCONSOLE_CLIENT_SECRET=${secret}`,
        json: { id, secret },
      };
    },
  },
];

/** Inserts the console's client, unless there is one with its id. */
export async function insertConsoleClient(
  db: Parameters<typeof insertOAuthClient>[0],
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await insertOAuthClient(db, {
    id,
    kind: 'console',
    accountId: null,
    name: 'Console',
    scopes: [],
    secretHash: hashSecret(secret),
    refreshTokens: true,
  });
}
