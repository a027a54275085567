import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { currentTimeMs } from '#db/clock.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import type { Scope } from '#domain/scopes.ts';
import { algorithm, tokenLifetime } from './token-format.ts';
import type { SigningKeys } from './keys.ts';

/** The id and the times of an access token that is still to be signed. */
export interface TokenFacts {
  jti: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** Returns the facts of a new token, issued now. */
export function newTokenFacts(): TokenFacts {
  const seconds = Math.floor(currentTimeMs() / 1000);
  const at = (time: number) => new Date(time * 1000);
  return { jti: randomUUID(), issuedAt: at(seconds), expiresAt: at(seconds + tokenLifetime) };
}

/** Returns the signed token (RFC 9068 §2.2). Its `sub` is the client, which acts for itself. */
export async function signAccessToken(
  { auth, signingKeys }: { auth: { issuer: string; audience: string }; signingKeys: SigningKeys },
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
