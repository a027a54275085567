import { firstStepsMs, longestCallMs, preparedStepsMs } from '#domain/processor-calls.ts';
import type { OpenPayment } from '../open-resources.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Leases of charges whose first steps, or whose capture, an API process takes without a workflow. A charge that is still open when its lease
 * ends gets a workflow, whoever had the lease.
 */

/** In milliseconds. */
export const chargeLeaseMs = firstStepsMs;

/** The same where the payment is prepared first. */
export const preparedLeaseMs = preparedStepsMs;

/** Of a capture: one call. */
export const captureLeaseMs = longestCallMs.capture + 200;

/**
 * Returns whether an API process works on the claim now, or is about to begin it. Whoever else wants its answer should
 * wait. A claim that was made half a second ago and has not begun belongs to a process that died.
 */
export async function isWorkedOn(db: Database, claimId: string): Promise<boolean> {
  const [row] = await prepared<{ isWorkedOn: boolean }>(
    db,
    'is-worked-on',
    `select k.answered_at is null and case when k.begun_at is null
       then k.created_at > clock_timestamp() - interval '500 milliseconds'
       else coalesce(c.leased_until > clock_timestamp(), false) end as is_worked_on
     from idempotency_keys k left join charges c on c.id = k.resource_id where k.claim_id = $1`,
    [claimId],
  );
  return row?.isWorkedOn ?? false;
}

/** Takes open charges whose lease has ended, oldest first, with a new lease: if this process dies too, another takes them. */
export function takeLapsedCharges(db: Database, limit: number): Promise<OpenPayment[]> {
  return prepared<OpenPayment & Record<string, unknown>>(
    db,
    'take-lapsed-charges',
    `update charges set leased_until = clock_timestamp() + $2 * interval '1 millisecond'
     where id in (
       select id from charges
       where leased_until < clock_timestamp() and status in ('pending', 'requires_action', 'requires_capture')
       order by leased_until limit $1 for update skip locked)
     returning id, account_id, claim_id, workflow_id, amount, currency, processor_id`,
    [limit, chargeLeaseMs],
  );
}

/** Ends the lease of a charge that has a workflow from now on. */
export async function endLease(db: Database, chargeId: string): Promise<void> {
  await prepared(db, 'end-lease', `update charges set leased_until = null where id = $1`, [chargeId]);
}
