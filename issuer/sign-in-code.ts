import { createHash, randomBytes } from 'node:crypto';
import { insertSignInCode } from '#db/access/sign-in-codes.ts';
import type { Database } from '#db/knex.ts';

/** How long a sign-in code is good, in milliseconds. */
const lifetimeMs = 15 * 60_000;

/** Makes a code of 256 random bits that signs the member in once. It is shown once, and stored as a hash. */
export async function issueSignInCode(
  db: Database,
  memberId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = `sic_${randomBytes(32).toString('base64url')}`;
  return {
    code,
    expiresAt: await insertSignInCode(db, { hash: hashSignInCode(code), memberId, lifetimeMs }),
  };
}

export function hashSignInCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
