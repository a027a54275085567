import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds that a family of refresh tokens lasts, however often it is refreshed. (Default: 30 days) */
export const refreshLifetimeMs = 30 * 86_400_000;

const prefix = 'rt_';

/** A new refresh token: 256 random bits. It is shown once, and kept by its hash. */
export function newRefreshToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Whether it looks like one of ours. */
export function isRefreshToken(token: string): boolean {
  return token.startsWith(prefix);
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
