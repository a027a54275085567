import { prepared, type Database } from '../knex.ts';

/**
 * How long the claims that wait for their begin have waited, as their median in milliseconds; 0 when none does.
 * It is what Temporal and the workers are behind, whatever the processor takes, and whichever API process claimed.
 *
 * @param sinceMs looks at claims that are younger.
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
