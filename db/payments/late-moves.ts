import { prepared, type Database } from '../knex.ts';

/** What the processor says of charges and refunds that are at their end: something that was confirmed has failed since. */

/**
 * The charges and refunds at their end that late news may be about, as `key`: a capture, a refund that went out, and a void
 * that gave money back.
 */
export const mayFailLate = `
  select id as key from charges where status = 'succeeded' or (status in ('failed', 'cancelled') and void_reason is not null)
  union all select id from refunds where status = 'settled'`;

/** Keeps the failure that the next call under the charge's key must not be answered with. */
export async function renewEndedAttempt(db: Database, chargeId: string, attempt: number): Promise<void> {
  await prepared(
    db,
    'renew-ended-attempt',
    `update charges set processor_attempt = greatest(processor_attempt, $2::integer) where id = $1`,
    [chargeId, attempt],
  );
}
