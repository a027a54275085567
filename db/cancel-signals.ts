import { prepared, type Database } from './knex.ts';

/**
 * When the sweep signals a cancel that is recorded on its row. Each signal stays in the history of its run, and Temporal
 * limits that history. A cancel may wait for days while the processor is away. So the pauses double, from 30 s to an hour.
 */

/** A condition on a row of `charges` or `operations`. */
export const isCancelSignalDue = `cancel_requested_at < clock_timestamp() - interval '5 seconds'
  and (cancel_hastened_at is null or cancel_hastened_at < clock_timestamp()
    - least(interval '1 hour', greatest(interval '30 seconds', cancel_hastened_at - cancel_requested_at)))`;

/** Records that the cancel was signalled now. */
export async function recordCancelSignal(
  db: Database,
  table: 'charges' | 'operations',
  id: string,
): Promise<void> {
  await prepared(
    db,
    `record-cancel-signal-${table}`,
    `update ${table} set cancel_hastened_at = clock_timestamp() where id = $1`,
    [id],
  );
}
