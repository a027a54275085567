import { errors, jwtVerify, type CryptoKey, type JWTHeaderParameters, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { TtlCache } from './ttl-cache.ts';

/**
 * Access tokens (RFC 9068). Nothing in a token chooses how it is checked: the algorithm is pinned, and keys
 * come from our own set by `kid` alone; `jwk`, `jku`, `x5c` and `x5u` headers are never looked at.
 */

/** What a valid token says. */
export interface Grant {
  accountId: string;
  clientId: string;
  scopes: ReadonlySet<string>;
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
}

export interface KeySource {
  /** The key with this id; `null` when there is none. */
  findKey(kid: string): Promise<CryptoKey | null>;
}

/** Seconds that the clocks of issuer and API may differ. */
const clockTolerance = 5;

/**
 * How long a token that was verified is taken on sight. The signature costs more than all the rest of a
 * read; revocation has to bite within 5 s.
 */
const verifiedTtlMs = 5_000;

const maxVerified = 10_000;

const claims = z.object({
  account_id: z.string(),
  client_id: z.string(),
  scope: z.string().default(''),
  exp: z.int(),
  iat: z.int(),
});

export function createTokenVerifier(
  { issuer, audience }: { issuer: string; audience: string },
  keys: KeySource | JWTVerifyGetKey,
): TokenVerifier {
  const getKey = typeof keys === 'function' ? keys : keyByKid(keys);
  const options = {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer,
    audience,
    clockTolerance,
    requiredClaims: ['iss', 'aud', 'exp', 'iat', 'sub', 'client_id', 'jti'],
  };
  const verified = new TtlCache<Grant>({
    ttlMs: verifiedTtlMs,
    maxEntries: maxVerified,
    load: async (token) => {
      try {
        return toGrant((await jwtVerify(token, getKey, options)).payload);
      } catch (error) {
        throw toInvalidToken(error);
      }
    },
  });
  return {
    async verify(token) {
      const grant = await verified.get(token);
      requireCurrent(grant);
      return grant;
    },
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
  const { account_id: accountId, client_id: clientId, scope, exp, iat } = parsed.data;
  if (iat > now() + clockTolerance) throw new InvalidToken('The access token was issued in the future.');
  return { accountId, clientId, scopes: new Set(scope.split(' ').filter(Boolean)), expiresAt: exp };
}

function requireCurrent(grant: Grant): void {
  if (grant.expiresAt <= now() - clockTolerance) throw expired();
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

function now(): number {
  return Math.floor(Date.now() / 1000);
}
