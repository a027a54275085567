import { createHash, randomBytes } from 'node:crypto';

/** How long a family of refresh tokens lasts in milliseconds, however often it is refreshed. (Default: 30 days) */
export const refreshLifetimeMs = 30 * 86_400_000;

const prefix = 'rt_';

/** Returns a new refresh token: 256 random bits. It is shown once, and stored as a hash. */
export function newRefreshToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns whether the text has the form of a refresh token. */
export function isRefreshToken(token: string): boolean {
  return token.startsWith(prefix);
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
