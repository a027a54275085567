import { decodeJwt } from 'jose';
import { revokedForMs } from '#issuer/revocations.ts';
import { clockTolerance } from '#issuer/tokens.ts';
import { revokeToken } from '#db/access/revocations.ts';
import type { Command } from './command.ts';
import { formatFacts } from './report.ts';
import * as values from './values.ts';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token revoke',
    operands: ['TOKEN'],
    summary: 'Refuse one access token, given as the token or its jti, within 5 s',
    options: {
      for: {
        value: 'DURATION',
        help: 'how long to refuse a jti; longer than the token is valid (20m)',
      },
    },
    async run(input, { db }) {
      const [token = ''] = input.operands;
      const known = decode(token);
      const jti = known?.jti ?? token;
      const forMs = values.duration(input, 'for') ?? revokedForMs;
      const until = known ? (known.exp + 2 * clockTolerance) * 1_000 : Date.now() + forMs;
      await revokeToken(db, jti, new Date(until));
      const json = { jti, refused_until: new Date(until).toISOString() };
      return { text: formatFacts({ Token: jti, 'Refused until': json.refused_until }), json };
    },
  },
];

/** Reads the claims without verifying them: it does no harm to refuse a token that is not ours. */
function decode(token: string): { jti: string; exp: number } | null {
  try {
    const { jti, exp } = decodeJwt(token);
    return jti !== undefined && exp !== undefined ? { jti, exp } : null;
  } catch {
    return null;
  }
}
