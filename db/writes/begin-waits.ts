import { prepared, type Database } from '../knex.ts';

/**
 * Returns the median time in milliseconds that claims have waited for their begin, or 0 if none waits. It shows how far
 * Temporal and the workers are behind, for all API processes, and without the time of the processor.
 *
 * @param sinceMs the age of the oldest claims that count.
 */
export async function findBeginWait(db: Database, sinceMs: number): Promise<number> {
  const [row] = await prepared<{ waitMs: number | null }>(
    db,
    'find-begin-wait',
    `select percentile_cont(0.5) within group (
         order by extract(epoch from clock_timestamp() - created_at)::float8 * 1000) as wait_ms
     from idempotency_keys
     where begun_at is null and start_by > clock_timestamp()
       and created_at > clock_timestamp() - $1::float8 * interval '1 millisecond'`,
    [sinceMs],
  );
  return row?.waitMs ?? 0;
}

/**
 * Returns whether callers wait for single charges, refunds or other writes at this moment, in any process: claims that have
 * not begun, or charges of their own that have no outcome yet. A charge that waits for longer than a second waits for the
 * processor.
 */
export async function hasWaitingCallers(db: Database): Promise<boolean> {
  const [row] = await prepared<{ isWaiting: boolean }>(
    db,
    'has-waiting-callers',
    `select exists (
         select from idempotency_keys where begun_at is null and start_by > clock_timestamp()
           and created_at > clock_timestamp() - interval '1 second')
       or exists (
         select from charges where checked_at > clock_timestamp() - interval '1 second' and status = 'pending'
           and charge_batch_id is null) as is_waiting`,
    [],
  );
  return row?.isWaiting ?? false;
}
