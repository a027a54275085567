import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { currentTimeMs } from '#db/clock.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import type { Scope } from '#domain/scopes.ts';
import { algorithm, tokenLifetime } from './token-format.ts';
import type { SigningKeys } from './keys.ts';

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
