import type { Charge } from '#domain/charges.ts';
import { prepared, type Database } from '../knex.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';

/** What the processor says of charges and refunds that are at their end: something that was confirmed has failed since. */

/**
 * Saves a charge that had succeeded and whose capture failed later, with its effect. Returns `false` if another writer has
 * moved it since it was read: read it again.
 */
export function saveFailedCapture(
  db: Database,
  read: Charge,
  moved: Charge,
  effect: Effect,
): Promise<boolean> {
  const sql = `
    update charges set status = $3, failure = $4, amount_captured = $5, amount_returned = $6, captured_at = $7,
      updated_at = $8, version = version + 1
    where id = $1 and version = $2 and status = 'succeeded'
    returning id, account_id`;
  const { id, version } = read;
  const { status, amountCaptured, amountReturned, capturedAt, updatedAt } = moved;
  const failure = moved.failure && JSON.stringify(moved.failure);
  const values = [id, version, status, failure, amountCaptured, amountReturned, capturedAt, updatedAt];
  return commitEffect(db, { name: 'save-failed-capture', sql, values, charge: 'id' }, effect);
}

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
