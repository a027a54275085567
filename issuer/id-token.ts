import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { OidcPerson } from '#db/access/memberships.ts';
import { currentTime } from '#db/clock.ts';
import { normalizeEmail } from '#domain/addresses.ts';
import { createOutsideKeys } from './outside-issuer.ts';
import { clockTolerance, keysUnavailable, outsideAlgorithms } from './tokens.ts';

/** `subject_token_type` of an ID token (RFC 8693 §3). */
export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';

/** The oldest ID token that is taken, in seconds: the console sends it on at once. */
const maxAge = 300;

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: z.boolean().optional(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
});

/** The provider of the operator, and the console's client there. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
}

/**
 * Returns the person whom the provider's ID token names, or `null` if it is not from the provider, not for the console, or
 * not valid now (OpenID Connect Core §3.1.3.7). The console compares the nonce, which it made.
 *
 * @throws if the provider's keys cannot be read: the token may be valid.
 */
export type VerifyIdToken = (token: string) => Promise<OidcPerson | null>;

export function createIdTokenVerifier({ issuer, clientId }: OidcSettings): VerifyIdToken {
  const keys = createOutsideKeys(issuer);
  return async (token) => {
    const parsed = claims.safeParse(await verify(token, keys, { issuer, audience: clientId }));
    if (!parsed.success) return null;
    const { sub, email, email_verified: isVerified, aud, azp } = parsed.data;
    // A token for several parties says which of them asked for it.
    if (
      (Array.isArray(aud) && aud.length > 1 && azp === undefined) ||
      (azp !== undefined && azp !== clientId)
    )
      return null;
    return { issuer, subject: sub, email: isVerified === true ? normalizeEmail(email ?? '') : null };
  };
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: { issuer: string; audience: string },
): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: outsideAlgorithms,
      issuer,
      audience,
      clockTolerance,
      maxTokenAge: maxAge,
      currentDate: currentTime(),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError) || keysUnavailable.has(error.code)) throw error;
    return null;
  }
}
