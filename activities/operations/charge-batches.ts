import { setTimeout as sleep } from 'node:timers/promises';
import { findAccount } from '#db/access/accounts.ts';
import { countRows, deleteRows } from '#db/operations/charge-batches.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { findSubmission } from '#db/operations/operations.ts';
import { isDone } from '#domain/operations.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { RowCalls } from './charge-batch-calls.ts';
import { Pace } from './charge-batch-pace.ts';
import { settleDraft, writeResult, type BatchResultDeps } from './charge-batch-results.ts';
import { createBatchRows, type BatchRows, type RowDeps } from './charge-batch-rows.ts';
import { endOperation, type OperationEnd } from '#db/operations/operation-ends.ts';
import type { OperationProgress } from '#temporal/operations.ts';
import type { QueuedActivityDeps } from './operation-queue.ts';
import { Pulse, Stopped } from './pulse.ts';

export interface ChargeBatchActivityDeps extends RowDeps, BatchResultDeps, QueuedActivityDeps {
  /** Calls to the processor that a batch has under way at once. */
  batchConcurrency: number;
}

/**
 * Rows that have begun and have no outcome yet: what a crash leaves to be asked for, and what a statement is about, which
 * holds the account's counter for as long as it takes.
 */
const chunkRows = 32;

/** A turn waits so long for the answers to its rows; those that are slower are waited for in the next ones. */
const turnMs = 300;

/** The pause after a turn that came to nothing. */
const idleMs = 50;

/** How long a row's outcome may stay unknown before it is left to a workflow of its own. */
const patienceMs = 8_000;

/** Once the caller wants it stopped, what was sent has so long to be answered. */
const graceMs = 800;

type Begun = NonNullable<Awaited<ReturnType<BatchRows['beginNext']>>>;

const nothing: Begun = { begun: [], ended: 0 };

/** The work of a batch, as far as one attempt gets. */
export function createChargeBatchActivities(deps: ChargeBatchActivityDeps) {
  const { db } = deps;

  /**
   * Charges the rows of a batch, chunk by chunk. Called again, it asks for the rows that had begun and goes on with those
   * that had not: the rows are the checkpoint.
   */
  async function chargeRows({ operationId, accountId }: OperationInput): Promise<OperationProgress> {
    const status = await startOperation(db, operationId, deps.operationsPerAccount);
    if (status !== 'running' && status !== 'cancelling') return { status };
    const { apiVersion, path, traceId } = await findSubmission(db, operationId);
    const account = await findAccount(db, accountId);
    if (!account) throw new Error(`There is no account ${accountId}`);
    const rows = createBatchRows(deps, { operationId, accountId, account, path, traceId });
    const end = await work(operationId, rows);
    if (end === 'held') return { status: 'queued' };
    const { completed, total } = await countRows(db, operationId);
    const notBegun = rows.problem('operation_cancelled');
    const result = await writeResult(deps, operationId, { apiVersion, notBegun });
    // A cancel that came when every row had ended was too late.
    const told: OperationEnd =
      end === 'worked' && completed === total
        ? { status: 'succeeded', total, result }
        : { status: 'cancelled', completed, total, result };
    const ended = await endOperation(deps, operationId, told);
    await deleteRows(db, operationId);
    await settleDraft(deps, operationId, result.key);
    return ended;
  }

  /**
   * Until every row has ended, or it is to stop. `cut`: the caller wants it stopped, and rows were on their way. `held`:
   * its account is disabled; what was on its way is left to workflows of its own, and the rest waits.
   */
  async function work(operationId: string, rows: BatchRows): Promise<'worked' | 'cut' | 'held'> {
    const calls = new RowCalls({ concurrency: deps.batchConcurrency, patienceMs });
    calls.add(await rows.takeUp());
    try {
      await Pulse.during(db, operationId, (pulse) => takeTurns(operationId, rows, calls, pulse));
      return 'worked';
    } catch (error) {
      const left = await calls.stop(error instanceof Stopped ? graceMs : 0);
      if (!(error instanceof Stopped) || isDone(error)) throw error;
      const isCancelled = error.status === 'cancelling';
      await rows.settle(calls.takeDecided());
      await rows.handOver(left, isCancelled);
      if (!isCancelled) return 'held';
      return left.length === 0 ? 'worked' : 'cut';
    }
  }

  async function takeTurns(
    operationId: string,
    rows: BatchRows,
    calls: RowCalls,
    pulse: Pulse,
  ): Promise<void> {
    const { completed, total } = await countRows(db, operationId);
    let ended = completed;
    const pace = new Pace();
    let areAllBegun = false;
    while (!areAllBegun || calls.open > 0) {
      const from = performance.now();
      pulse.signal.throwIfAborted();
      pulse.progress(ended, total);
      const room: number = areAllBegun ? 0 : calls.room(chunkRows);
      const next: Begun | null = room > 0 ? await rows.beginNext(room) : nothing;
      areAllBegun ||= next === null;
      calls.add(next?.begun ?? []);
      const waitedMs = await idleTimeOf(() => calls.run(turnMs));
      const settled = await rows.settle(calls.takeDecided());
      const left = await rows.handOver(calls.takeGivenUp());
      const moved = (next?.ended ?? 0) + settled + left;
      ended += moved;
      // The processor is waited for, or the operation is not running any more.
      if (moved === 0) await sleep(idleMs, undefined, { signal: pulse.signal });
      else await pace.rest(performance.now() - from - waitedMs, pulse.signal);
    }
    pulse.progress(ended, total);
  }

  return { chargeRows };
}

export type ChargeBatchActivities = ReturnType<typeof createChargeBatchActivities>;

/** How long the process waited for others while it did this: no rest is due for that. */
async function idleTimeOf(act: () => Promise<void>): Promise<number> {
  const from = performance.now();
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return Math.max(0, performance.now() - from - (user + system) / 1_000);
}
