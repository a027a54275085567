import { errors, jwtVerify, type CryptoKey, type JWTHeaderParameters, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { createTtlCache } from './ttl-cache.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';

/**
 * Access tokens (RFC 9068). Nothing in a token chooses how it is checked: the algorithms are pinned, and keys
 * come from the issuer's own set by `kid`; `jwk`, `jku`, `x5c` and `x5u` headers are never looked at.
 */

/** Of an outside issuer: those with a public key. Never `none`, nor one whose key is a shared secret. */
const outsideAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** What a valid token says. */
export interface Grant {
  accountId: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  /** `jti` */
  tokenId: string;
  /** Unix seconds. */
  issuedAt: number;
  /** Unix seconds. */
  expiresAt: number;
}

/** The token is not one of ours, not for us, or not valid now. The message is for the caller. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

export interface TokenVerifier {
  /**
   * @throws {InvalidToken}
   * @throws anything else when the keys cannot be had: the token may be valid.
   */
  verify(token: string): Promise<Grant>;
  /** Whether the token was found valid here before. It says nothing about now, and costs nothing. */
  knows(token: string): boolean;
}

export interface KeySource {
  /** The key with this id; `null` when there is none. */
  findKey(kid: string): Promise<CryptoKey | null>;
}

/** Tokens that were revoked before they expired. */
export interface Denylist {
  /** @throws when it is not known: the token may be revoked. */
  isRevoked(grant: Grant): Promise<boolean>;
}

/** Seconds that the clocks of issuer and API may differ. */
export const clockTolerance = 5;

/**
 * How long a signature that was verified is taken on sight: it costs more than all the rest of a read. After a key
 * was retired this long and the age of the keys (`issuer/keys.ts`) add up: within 5 s its tokens are refused.
 */
const verifiedTtlMs = 2_500;

const maxVerified = 10_000;

const claims = z.object({
  account_id: z.string(),
  client_id: z.string(),
  scope: z.string().default(''),
  jti: z.string().min(1),
  exp: z.int(),
  iat: z.int(),
});

/** @param keys our own by their id, or those of an outside issuer. */
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
      // Asked each time: what is taken on sight may have been revoked since.
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
  const { account_id: accountId, client_id: clientId, scope, jti, exp, iat } = parsed.data;
  if (iat > nowSeconds() + clockTolerance)
    throw new InvalidToken('The access token was issued in the future.');
  const scopes = new Set(scope.split(' ').filter(Boolean));
  return { accountId, clientId, scopes, tokenId: jti, issuedAt: iat, expiresAt: exp };
}

function requireCurrent(grant: Grant): void {
  if (grant.expiresAt <= nowSeconds() - clockTolerance) throw expired();
}

/** What jose throws when a key set cannot be fetched or read; the first is an answer other than 200. */
const keysUnavailable = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

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
