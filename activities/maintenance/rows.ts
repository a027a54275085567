import { Context, log } from '@temporalio/activity';
import type { Database } from '#db/knex.ts';
import { forgetFaults, setAside, type RowTask } from '#db/maintenance-faults.ts';
import type { ActivityDeps } from '../deps.ts';

/** How a task of maintenance works through its rows: each by itself, and for a bounded time. */

export type RowDeps = Pick<ActivityDeps, 'db' | 'onRowFailed'>;

/** Rows worked on at once. */
const concurrency = 8;

/** Milliseconds that one row may take; a call that hangs must not hold up the rows behind. */
const rowLimitMs = 10_000;

/** After that no further row is begun; the next run sees those that are left. */
const rowsLimitMs = 20_000;

/** Deletions a statement: small, so that its locks are short. */
export const deletedAtOnce = 1_000;

/** For so long a run deletes rows of a kind; the next run resumes. */
export const deleteWithinMs = 30_000;

/**
 * Works on every row. A row that throws, or takes longer than 10 s, is logged, counted and set aside
 * (`db/maintenance-faults.ts`); the others do not wait for it.
 *
 * @returns the results of the rows that did not fail.
 */
export async function eachRow<Row extends { id: string }, Result>(
  deps: RowDeps,
  task: RowTask,
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): Promise<Result[]> {
  const { cancellationSignal } = Context.current();
  const until = performance.now() + rowsLimitMs;
  const done: string[] = [];
  const results: Result[] = [];
  const failed: string[] = [];
  const queue = rows.values();
  const workThroughQueue = async () => {
    for (const row of queue) {
      if (performance.now() > until || cancellationSignal.aborted) return;
      try {
        results.push(await inTime(work(row)));
        done.push(row.id);
      } catch (error) {
        failed.push(row.id);
        log.error('maintenance failed for a row', { step: task, row: row.id, error: String(error) });
        deps.onRowFailed?.(task);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workThroughQueue));
  if (failed.length > 0) await setAside(deps.db, task, failed);
  if (done.length > 0) await forgetFaults(deps.db, task, done);
  return results;
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${rowLimitMs} ms`)), rowLimitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Repeats a bounded piece of work until it says that there is no more, until its time is over, or until the worker
 * stops. The next run resumes with what is left.
 *
 * @param withinMs after which no further piece is begun.
 * @param piece `hasMore`: whether to repeat it.
 * @returns the sum of what the pieces did.
 */
export async function inPieces(
  withinMs: number,
  piece: () => Promise<{ done: number; hasMore: boolean }>,
): Promise<number> {
  const { cancellationSignal } = Context.current();
  const until = performance.now() + withinMs;
  let sum = 0;
  for (;;) {
    const { done, hasMore } = await piece();
    sum += done;
    if (!hasMore || performance.now() > until || cancellationSignal.aborted) return sum;
  }
}

/** Makes a task of a statement that deletes some rows: repeats it until nothing is left, or the time is over. */
export function inBatches(deleteSome: (db: Database, limit: number) => Promise<number>) {
  return ({ db }: RowDeps): Promise<number> =>
    inPieces(deleteWithinMs, async () => {
      const done = await deleteSome(db, deletedAtOnce);
      return { done, hasMore: done === deletedAtOnce };
    });
}
