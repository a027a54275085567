import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { revokedForMs } from '#issuer/revocations.ts';
import { clockTolerance } from '#issuer/tokens.ts';
import { revokeToken } from '#db/access/revocations.ts';
import { AdminError, UsageError, type Command } from './command.ts';
import { formatFacts } from './report.ts';
import * as values from './values.ts';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token revoke',
    operands: ['[FILE]'],
    summary: 'Refuse one access token within 5 s, read from a file or from the standard input',
    options: {
      jti: { value: 'JTI', help: 'the jti of the token, instead of the token' },
      for: {
        value: 'DURATION',
        help: 'how long to refuse a jti; longer than the token is valid (20m)',
      },
    },
    async run(input, { db, readStandardInput }) {
      const [file = ''] = input.operands;
      const named = values.text(input, 'jti');
      if (named !== undefined && file !== '') throw new UsageError('A file and --jti exclude each other.');
      const known = named === undefined ? decode(await readToken(file, readStandardInput)) : null;
      const jti = named ?? known?.jti;
      if (jti === undefined) throw new AdminError('This is no access token. Give its jti with --jti.');
      const forMs = values.duration(input, 'for') ?? revokedForMs;
      const until = known ? (known.exp + 2 * clockTolerance) * 1_000 : Date.now() + forMs;
      await revokeToken(db, jti, new Date(until));
      const json = { jti, refused_until: new Date(until).toISOString() };
      return { text: formatFacts({ Token: jti, 'Refused until': json.refused_until }), json };
    },
  },
];

/**
 * Returns the text of a file, or of the standard input. A token among the arguments would be in the list of processes, and in
 * the history of the shell.
 */
async function readToken(file: string, readStandardInput: () => Promise<string>): Promise<string> {
  if (file === '' || file === '-') return (await readStandardInput()).trim();
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    // The name may be the token itself, so it is not repeated.
    throw new AdminError(
      'There is no such file. Name a file that holds the token, or send it to the standard input.',
    );
  }
}

/** Reads the claims without verifying them: it does no harm to refuse a token that is not ours. */
function decode(token: string): { jti: string; exp: number } | null {
  try {
    const { jti, exp } = decodeJwt(token);
    return jti !== undefined && exp !== undefined ? { jti, exp } : null;
  } catch {
    return null;
  }
}
