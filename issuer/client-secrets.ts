import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns the hex SHA-256, as secrets are stored. They are 256 random bits, so a slow hash would add nothing. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Returns whether the secret matches a hash. Takes constant time, and the same time if there are no hashes. */
export function secretMatches(secret: string, hashes: readonly string[]): boolean {
  const given = Buffer.from(hashSecret(secret), 'hex');
  const matches = [hashes[0], hashes[1]].map((hash) => {
    const known = Buffer.from(hash ?? '', 'hex');
    const isComparable = known.length === given.length;
    return timingSafeEqual(given, isComparable ? known : Buffer.alloc(given.length)) && isComparable;
  });
  return matches.includes(true);
}
