import { errors, jwtVerify, type CryptoKey, type JWTHeaderParameters, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { createTtlCache } from './ttl-cache.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { isId } from '#domain/ids.ts';

/**
 * Access tokens (RFC 9068). Nothing in a token decides how it is verified. The algorithms are fixed, and keys come
 * from the issuer's own set by `kid`. The headers `jwk`, `jku`, `x5c` and `x5u` are never read.
 */

/** The algorithms of an outside issuer: never `none`, nor one whose key is a shared secret. */
export const outsideAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** The claims of a valid token. */
export interface Grant {
  /** `null`: of no account, such as an operator's. */
  accountId: string | null;
  clientId: string;
  /** The member who is signed in; `null`: the client acts for itself. */
  memberId: string | null;
  /** The member's session. */
  sessionId: string | null;
  scopes: ReadonlySet<string>;
  /** `jti` */
  tokenId: string;
  /** Unix seconds. */
  issuedAt: number;
  /** Unix seconds. */
  expiresAt: number;
}

/** The token is not from our issuer, not for us, or not valid now. The message is for the caller. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

export interface TokenVerifier {
  /**
   * Returns the claims of a valid token.
   *
   * @throws {InvalidToken}
   * @throws another error if the keys cannot be read: the token may be valid.
   */
  verify(token: string): Promise<Grant>;
  /** Returns whether the token was valid here before. It says nothing about now, and costs nothing. */
  knows(token: string): boolean;
}

export interface KeySource {
  /** Returns the key with this id; `null` if there is none. */
  findKey(kid: string): Promise<CryptoKey | null>;
}

/** Tokens that were revoked before they expired. */
export interface Denylist {
  /**
   * Returns whether the token was revoked.
   *
   * @throws if that is not known.
   */
  isRevoked(grant: Grant): Promise<boolean>;
}

/** How far the clocks of issuer and API may differ, in seconds. */
export const clockTolerance = 5;

/**
 * How long a verified signature is trusted, in milliseconds: verifying costs more than the rest of a read. After a
 * key was retired, this time and the age of the keys (`issuer/keys.ts`) add up: its tokens are refused within 5 s.
 */
const verifiedTtlMs = 2_500;

const maxVerified = 10_000;

const claims = z.object({
  account_id: z.string().nullish(),
  client_id: z.string(),
  sub: z.string(),
  sid: z.string().nullish(),
  act: z.object({ sub: z.string() }).nullish(),
  scope: z.string().default(''),
  jti: z.string().min(1),
  exp: z.int(),
  iat: z.int(),
});

/**
 * Creates the verifier of access tokens.
 *
 * @param keys our own by their id, or those of an outside issuer.
 */
export function createTokenVerifier(
  { issuer, audience }: { issuer: string; audience: string },
  keys: KeySource | JWTVerifyGetKey,
  denylist: Denylist,
): TokenVerifier {
  const isOutside = typeof keys === 'function';
  const getKey = isOutside ? keys : keyByKid(keys);
  const options = {
    algorithms: isOutside ? outsideAlgorithms : ['ES256'],
    typ: 'at+jwt',
    issuer,
    audience,
    clockTolerance,
    requiredClaims: ['iss', 'aud', 'exp', 'iat', 'sub', 'client_id', 'jti'],
  };
  const verified = createTtlCache<Grant>({
    ttlMs: verifiedTtlMs,
    maxEntries: maxVerified,
    load: async (token) => {
      try {
        return toGrant((await jwtVerify(token, getKey, { ...options, currentDate: currentTime() })).payload);
      } catch (error) {
        throw toInvalidToken(error);
      }
    },
  });
  return {
    async verify(token) {
      const grant = await verified.get(token);
      requireCurrent(grant);
      // Asked for each request: a trusted token may have been revoked since.
      if (await denylist.isRevoked(grant)) throw new InvalidToken('The access token was revoked.');
      return grant;
    },
    knows: (token) => verified.has(token),
  };
}

function keyByKid(keys: KeySource): JWTVerifyGetKey {
  return async ({ kid }: JWTHeaderParameters) => {
    const key = typeof kid === 'string' ? await keys.findKey(kid) : null;
    if (!key) throw new InvalidToken('The access token is signed with a key that is not ours.');
    return key;
  };
}

function toGrant(payload: unknown): Grant {
  const parsed = claims.safeParse(payload);
  if (!parsed.success) throw new InvalidToken('The access token lacks a claim that is needed.');
  const { account_id: accountId = null, client_id: clientId, scope, jti, exp, iat } = parsed.data;
  if (iat > nowSeconds() + clockTolerance)
    throw new InvalidToken('The access token was issued in the future.');
  const scopes = new Set(scope.split(' ').filter(Boolean));
  const person = parsed.data.act?.sub ?? parsed.data.sub;
  return {
    accountId,
    clientId,
    memberId: isId('member', person) ? person : null,
    sessionId: parsed.data.sid ?? null,
    scopes,
    tokenId: jti,
    issuedAt: iat,
    expiresAt: exp,
  };
}

function requireCurrent(grant: Grant): void {
  if (grant.expiresAt <= nowSeconds() - clockTolerance) throw expired();
}

/** The errors of jose if a key set cannot be fetched or read. The first one is an answer other than 200. */
export const keysUnavailable = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

function toInvalidToken(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError) || keysUnavailable.has(error.code)) return error;
  if (error instanceof errors.JWTExpired) return expired();
  return new InvalidToken('The access token is not valid here.');
}

function expired(): InvalidToken {
  return new InvalidToken('The access token has expired.');
}

function nowSeconds(): number {
  return Math.floor(currentTimeMs() / 1000);
}
