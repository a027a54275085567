import { randomBytes } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns `length` random letters and digits of both cases, as Stripe's ids have them. */
export function randomLetters(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');
}

/** Returns a new id, such as `pi_` and 24 letters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomLetters(24)}`;
}
