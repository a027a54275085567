import { Context, log } from '@temporalio/activity';
import type { Database } from '#db/knex.ts';
import { forgetFaults, setAside, type RowStep } from '#db/upkeep-faults.ts';

/**
 * How a step of the upkeep goes through its rows: each by itself, and for a bounded time.
 */

export interface UpkeepRowDeps {
  db: Database;
  /** Counts a row of which a step failed. (Default: nobody counts) */
  onRowFailed?: (step: RowStep) => void;
}

/** Rows worked on at once. */
const lanes = 8;

/** Milliseconds that one row may take; a call that hangs must not hold up the rows behind. */
const rowLimitMs = 10_000;

/** After that no further row is begun; the next turn sees those that are left. */
const rowsLimitMs = 20_000;

/**
 * Works on every row. A row that throws, or takes longer than 10 s, is logged, counted and set aside
 * (`db/upkeep-faults.ts`); the others go on.
 *
 * @returns what came of the rows that did not fail.
 */
export async function eachRow<Row extends { id: string }, Result>(
  deps: UpkeepRowDeps,
  step: RowStep,
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): Promise<Result[]> {
  const { cancellationSignal } = Context.current();
  const until = performance.now() + rowsLimitMs;
  const done: { id: string; result: Result }[] = [];
  const failed: string[] = [];
  const queue = rows.values();
  const lane = async () => {
    for (const row of queue) {
      if (performance.now() > until || cancellationSignal.aborted) return;
      try {
        done.push({ id: row.id, result: await inTime(work(row)) });
      } catch (error) {
        failed.push(row.id);
        log.error('upkeep failed for a row', { step, row: row.id, error: String(error) });
        deps.onRowFailed?.(step);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failed.length > 0) await setAside(deps.db, step, failed);
  if (done.length > 0) await forgetFaults(deps.db, step, done.map(idOf));
  return done.map(({ result }) => result);
}

const idOf = ({ id }: { id: string }) => id;

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
 * stops. The next turn goes on with what is left.
 *
 * @param withinMs after which no further piece is begun.
 * @param piece `hasMore`: whether to go on.
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
