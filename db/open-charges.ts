import { prepared, type Database } from './knex.ts';

/**
 * What the sweep asks: which open charges may have lost their workflow, or a signal to it.
 */

/** An open charge that the sweep looks at. */
export interface OpenCharge {
  chargeId: string;
  accountId: string;
  claimId: string;
  workflowId: string;
  amount: number;
  currency: string;
}

const openColumns = `id as "chargeId", account_id as "accountId", claim_id as "claimId",
  workflow_id as "workflowId", amount, currency`;

/** Takes the `limit` open charges that were looked at longest ago, and notes that they are looked at now. */
export function takeOpenCharges(db: Database, notSinceMs: number, limit: number): Promise<OpenCharge[]> {
  return prepared<OpenCharge>(
    db,
    'take-open-charges',
    `update charges set checked_at = clock_timestamp() where id in (
       select id from charges
       where status in ('pending', 'requires_capture')
         and (checked_at is null or checked_at < clock_timestamp() - $1 * interval '1 millisecond')
         and updated_at < clock_timestamp() - interval '2 seconds'
       order by checked_at nulls first limit $2 for update skip locked)
     returning ${openColumns}`,
    [notSinceMs, limit],
  );
}

/** Those of the given workflows' charges that are still open. */
export function findOpenCharges(db: Database, workflowIds: string[]): Promise<OpenCharge[]> {
  return prepared<OpenCharge>(
    db,
    'find-open-charges',
    `select ${openColumns} from charges
     where workflow_id = any($1) and status in ('pending', 'requires_capture')`,
    [workflowIds],
  );
}

/** Open charges whose cancel was written a while ago: its signal may have been lost. */
export function findCancelling(db: Database, limit: number): Promise<OpenCharge[]> {
  return prepared<OpenCharge>(
    db,
    'find-cancelling',
    `select ${openColumns} from charges
     where status in ('pending', 'requires_capture') and cancel_requested_at < clock_timestamp() - interval '5 seconds'
     order by cancel_requested_at limit $1`,
    [limit],
  );
}
