import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { currentTimeMs } from '#db/clock.ts';
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

/** Who a token is for. */
export interface TokenHolder {
  clientId: string;
  /** `null`: the token is for no account. */
  accountId: string | null;
  /** The member that is signed in. (Default: the client acts for itself) */
  memberId?: string;
  /** The member's session. */
  sessionId?: string;
  /** Whether the member acts for the account without being of it (RFC 8693 §4.1). (Default: `false`) */
  isActor?: boolean;
  /** Whether the account moves real money. (Default: the token does not say) */
  isLive?: boolean;
}

/**
 * Returns the signed token (RFC 9068 §2.2). Its `sub` is the client, or the member who is signed in. Who acts for an
 * account of others is in `act`, and the account is the subject.
 */
export async function signAccessToken(
  { auth, signingKeys }: { auth: { issuer: string; audience: string }; signingKeys: SigningKeys },
  { clientId, accountId, memberId, sessionId, isActor = false, isLive }: TokenHolder,
  scopes: readonly Scope[],
  { jti, issuedAt, expiresAt }: TokenFacts,
): Promise<string> {
  const { kid, privateKey } = await signingKeys.current();
  const subject = memberId ?? clientId;
  const claims = {
    client_id: clientId,
    ...(accountId !== null && { account_id: accountId }),
    ...(sessionId !== undefined && { sid: sessionId }),
    ...(isActor && { act: { sub: subject } }),
    ...(isLive !== undefined && { livemode: isLive }),
    scope: scopes.join(' '),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
    .setIssuer(auth.issuer)
    .setAudience(auth.audience)
    .setSubject(isActor && accountId !== null ? accountId : subject)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
}
