import { prepared, type Database } from './knex.ts';

/**
 * Rows of which a step of the upkeep failed: the step leaves them alone for a while, which grows with each failure, so
 * that they hold up nobody else.
 */

/** Steps that work on rows, one by one. */
export const rowSteps = [
  'restartLostCharges',
  'restartLostRefunds',
  'hastenCancels',
  'repairOperations',
  'hastenOperationCancels',
  'tellWaitingOperations',
  'wakeOverdueEndpoints',
  'deleteExpiredResults',
  'deleteAbandonedUploads',
  'tellProcessorNews',
] as const;

export type RowStep = (typeof rowSteps)[number];

/** Milliseconds that a row is left alone after its first failure; twice as long after each further one. */
const firstDelayMs = 10_000;

const longestDelayMs = 60 * 60_000;

/** A condition: the step does not leave this row alone. `id` is the row's id as the query spells it. */
export function isNotSetAside(step: RowStep, id: string): string {
  return `not exists (
    select from upkeep_faults f where f.step = '${step}' and f.row_id = ${id} and f.retry_at > statement_timestamp())`;
}

/** Sets rows aside of which the step failed. */
export async function setAside(db: Database, step: RowStep, ids: readonly string[]): Promise<void> {
  await prepared(
    db,
    'set-aside',
    `insert into upkeep_faults as f (step, row_id, retry_at)
     select $1, id, clock_timestamp() + $3 * interval '1 ms' from unnest($2::text[]) as id
     on conflict (step, row_id) do update set
       failures = f.failures + 1,
       retry_at = clock_timestamp() + least($3 * 2 ^ least(f.failures, 20), $4) * interval '1 ms'`,
    [step, ids, firstDelayMs, longestDelayMs],
  );
}

/** Forgets the failures of rows with which the step has come to an end. */
export async function forgetFaults(db: Database, step: RowStep, ids: readonly string[]): Promise<void> {
  await prepared(
    db,
    'forget-upkeep-faults',
    `delete from upkeep_faults where step = $1 and row_id = any($2::text[])`,
    [step, ids],
  );
}

/** At most `limit` rows that the step may look at again, those first that wait for it longest. */
export async function findSetAside(db: Database, step: RowStep, limit: number): Promise<string[]> {
  const rows = await prepared<{ id: string }>(
    db,
    'find-set-aside',
    `select row_id as id from upkeep_faults where step = $1 and retry_at <= statement_timestamp()
     order by retry_at limit $2`,
    [step, limit],
  );
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` failures of rows that nobody has come back to for a day: they need nothing any more. */
export async function deleteOldFaults(db: Database, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from upkeep_faults where ctid in (
       select ctid from upkeep_faults where retry_at < statement_timestamp() - interval '1 day' limit ?)`,
    [limit],
  );
  return result.rowCount;
}

/** How many rows each step leaves alone now; steps without any are left out. */
export function countSetAside(db: Database): Promise<{ step: RowStep; rows: number }[]> {
  return prepared(
    db,
    'count-set-aside',
    `select step, count(*)::int as rows from upkeep_faults where retry_at > statement_timestamp() group by step`,
    [],
  );
}
