import { prepared, type Database } from './knex.ts';

/**
 * Rows for which a maintenance task failed. The task skips them for a time that grows with each failure, so that they
 * delay no other row.
 */

/** Tasks that work on single rows. The column `step` holds these names. */
export type RowTask =
  | 'restartLostPayments'
  | 'repairOperations'
  | 'wakeWaitingOperations'
  | 'wakePending'
  | 'wakeOverdueEndpoints'
  | 'deleteExpiredResults'
  | 'deleteAbandonedUploads'
  | 'writeBatchResults';

/** Milliseconds that a row is skipped after its first failure. Each further failure doubles it. */
const firstDelayMs = 10_000;

const longestDelayMs = 60 * 60_000;

/** Returns a condition in SQL: the task does not skip this row. `id` is the row's id as an expression. */
export function isNotSetAside(task: RowTask, id: string): string {
  return `not exists (
    select from upkeep_faults f where f.step = '${task}' and f.row_id = ${id} and f.retry_at > statement_timestamp())`;
}

/** Sets aside rows for which the task failed. */
export async function setAside(db: Database, task: RowTask, ids: readonly string[]): Promise<void> {
  await prepared(
    db,
    'set-aside',
    `insert into upkeep_faults as f (step, row_id, retry_at)
     select $1, id, clock_timestamp() + $3 * interval '1 ms' from unnest($2::text[]) as id
     on conflict (step, row_id) do update set
       failures = f.failures + 1,
       retry_at = clock_timestamp() + least($3 * 2 ^ least(f.failures, 20), $4) * interval '1 ms'`,
    [task, ids, firstDelayMs, longestDelayMs],
  );
}

/** Deletes the failures of rows that the task has finished. */
export async function forgetFaults(db: Database, task: RowTask, ids: readonly string[]): Promise<void> {
  await prepared(
    db,
    'forget-maintenance-faults',
    `delete from upkeep_faults where step = $1 and row_id = any($2::text[])`,
    [task, ids],
  );
}

/** Returns at most `limit` rows that the task may try again, longest wait first. */
export async function findSetAside(db: Database, task: RowTask, limit: number): Promise<string[]> {
  const rows = await prepared<{ id: string }>(
    db,
    'find-set-aside',
    `select row_id as id from upkeep_faults where step = $1 and retry_at <= statement_timestamp()
     order by retry_at limit $2`,
    [task, limit],
  );
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` failures that no task has tried again for a day: their rows need nothing more. */
export async function deleteOldFaults(db: Database, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from upkeep_faults where ctid in (
       select ctid from upkeep_faults where retry_at < statement_timestamp() - interval '1 day' limit ?)`,
    [limit],
  );
  return result.rowCount;
}

/** Counts the rows that each task skips now. Tasks without any are left out. */
export function countSetAside(db: Database): Promise<{ step: RowTask; rows: number }[]> {
  return prepared(
    db,
    'count-set-aside',
    `select step, count(*)::int as rows from upkeep_faults where retry_at > statement_timestamp() group by step`,
    [],
  );
}
