import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { takeAssertion } from '#db/access/oauth-clients.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { clockTolerance } from './tokens.ts';

/** `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The algorithms of clients' keys; also for the issuer's metadata. */
export const assertionAlgorithms = ['ES256', 'RS256'] as const;

/** The longest rest of an assertion's life in seconds; its jti is remembered as long. */
const maxLifetime = 300;

/** Returns the client that an assertion claims to be from. Nothing is verified yet. */
export function assertedClientId(assertion: string): string | null {
  try {
    // The library checks types of verified claims only.
    const { sub }: { sub?: unknown } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether the client signed this assertion for us, a moment ago, and used it for the first time (RFC 7523
 * §3). The algorithm is that of the client's registered key.
 */
export async function verifyAssertion(
  { db, issuer }: { db: Database; issuer: string },
  client: Pick<OAuthClient, 'id' | 'jwks'>,
  assertion: string,
): Promise<boolean> {
  const claims = client.jwks && (await verifyClaims(issuer, client.id, client.jwks, assertion));
  if (!claims) return false;
  const { jti, exp } = claims;
  const jtiHash = createHash('sha256').update(jti).digest();
  const expiresAt = new Date((exp + 2 * clockTolerance) * 1_000);
  return takeAssertion(db, { clientId: client.id, jtiHash, expiresAt });
}

async function verifyClaims(
  issuer: string,
  clientId: string,
  jwks: NonNullable<OAuthClient['jwks']>,
  assertion: string,
): Promise<{ jti: string; exp: number } | null> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(jwks), {
      algorithms: jwks.keys.map((key) => String(key['alg'])),
      issuer: clientId,
      subject: clientId,
      clockTolerance,
      currentDate: currentTime(),
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'jti'],
    });
    const { aud, jti, exp } = payload;
    // Only one audience: another one could send the assertion here.
    const isForUs = aud === issuer || aud === `${issuer}/oauth2/token`;
    const isShort = exp !== undefined && exp <= currentTimeMs() / 1000 + maxLifetime + clockTolerance;
    return isForUs && isShort && typeof jti === 'string' ? { jti, exp } : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
