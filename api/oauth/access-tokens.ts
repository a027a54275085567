import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Config } from '../../config.ts';
import { currentTimeMs } from '#db/clock.ts';
import type { OAuthClient } from '#db/oauth-clients.ts';
import type { Scope } from '../route.ts';
import type { SigningKeys } from './keys.ts';

/** ECDSA on P-256 with SHA-256 (RFC 7518 §3.4): the one algorithm of our issuer. */
export const algorithm = 'ES256';

/** Seconds (decisions, Authorization). */
export const tokenLifetime = 600;

/** What names an access token before there is one. */
export interface TokenFacts {
  jti: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** A token of its own, issued now. */
export function newTokenFacts(): TokenFacts {
  const seconds = Math.floor(currentTimeMs() / 1000);
  const at = (time: number) => new Date(time * 1000);
  return { jti: randomUUID(), issuedAt: at(seconds), expiresAt: at(seconds + tokenLifetime) };
}

/** The token (RFC 9068 §2.2); `sub` is the client, since it acts for itself. */
export async function signAccessToken(
  { auth, signingKeys }: { auth: Config['auth']; signingKeys: SigningKeys },
  client: Pick<OAuthClient, 'id' | 'accountId'>,
  scopes: readonly Scope[],
  { jti, issuedAt, expiresAt }: TokenFacts,
): Promise<string> {
  const { kid, privateKey } = await signingKeys.current();
  return new SignJWT({ client_id: client.id, account_id: client.accountId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
    .setIssuer(auth.issuer)
    .setAudience(auth.audience)
    .setSubject(client.id)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
}
