import { setTimeout as sleep } from 'node:timers/promises';
import { findAccount } from '#db/access/accounts.ts';
import { countRows, deleteRows } from '#db/operations/charge-batches.ts';
import { hasWaitingCallers } from '#db/writes/begin-waits.ts';
import { endOperation, type OperationEnd } from '#db/operations/operation-ends.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { findSubmission } from '#db/operations/operations.ts';
import { isDone } from '#domain/operations.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { RowCalls } from './charge-batch-calls.ts';
import { settleDraft, writeResult } from './charge-batch-results.ts';
import {
  beginNext,
  handOver,
  problemContext,
  settleOutcomes,
  takeUp,
  type Batch,
} from './charge-batch-rows.ts';
import { Heartbeats, Stopped } from './heartbeats.ts';

/** Rows that one statement begins or settles: it holds the account's counter for as long as it takes. */
const chunkRows = 32;

/** Rows that have begun and have no outcome yet, at most: so many does a crash leave to be asked for. */
const openRows = 3 * chunkRows;

/** How long a step waits for answers to a chunk of rows, in milliseconds; the next steps wait for slower ones. */
const stepMs = 300;

/** The pause after a step that came to nothing. */
const idleMs = 50;

/**
 * The longest rest after a step, some three steps long, so that a batch always comes to its end; and how long a rest lasts
 * until it is looked again whether somebody waits. In milliseconds.
 */
const rests = { longestMs: 60, lookEveryMs: 5 };

/** How long a row's outcome may stay unknown before it is left to a workflow of its own. */
const maxWaitMs = 8_000;

/** How long calls under way may still be answered once the batch is to stop. */
const graceMs = 800;

/**
 * Charges the rows of a batch, chunk by chunk. Called again, it asks for the rows that had begun and resumes with those
 * that had not: the rows are the checkpoint.
 */
export async function chargeRows(
  deps: ActivityDeps,
  { operationId, accountId }: OperationInput,
): Promise<OperationProgress> {
  const { db } = deps;
  const status = await startOperation(db, operationId);
  if (status !== 'running' && status !== 'cancelling') return { status };
  const { apiVersion, path, traceId } = await findSubmission(db, operationId);
  const account = await findAccount(db, accountId);
  if (!account) throw new Error(`There is no account ${accountId}`);
  const batch = { deps, operationId, accountId, account, path, traceId };
  const end = await work(batch);
  if (end === 'held') return { status: 'queued' };
  const { completed, total } = await countRows(db, operationId);
  const context = problemContext(batch);
  const result = await writeResult(deps, operationId, { apiVersion, end: 'operation_cancelled', context });
  // A cancel that came when every row had ended was too late.
  const written: OperationEnd =
    end === 'worked' && completed === total
      ? { status: 'succeeded', total, result }
      : { status: 'cancelled', completed, total, result };
  const ended = await endOperation(deps, operationId, written);
  await deleteRows(db, operationId);
  await settleDraft(deps, operationId, result.key);
  return ended;
}

/**
 * Works until every row has ended, or the batch is to stop.
 *
 * - `cut`: the caller cancelled it while rows were under way.
 * - `held`: its account is disabled. Rows under way are left to workflows of their own, and the others wait.
 */
async function work(batch: Batch): Promise<'worked' | 'cut' | 'held'> {
  const { deps, operationId } = batch;
  const calls = new RowCalls({ concurrency: deps.batchConcurrency, maxWaitMs });
  calls.add(await takeUp(batch));
  try {
    await Heartbeats.during(deps.db, operationId, (heartbeats) => takeSteps(batch, calls, heartbeats));
    return 'worked';
  } catch (error) {
    const left = await calls.stop(error instanceof Stopped ? graceMs : 0);
    if (!(error instanceof Stopped)) throw error;
    const isCancelled = error.status === 'cancelling';
    // Also of a batch that was ended elsewhere: its result is to know what the processor has answered.
    await settleOutcomes(batch, calls.takeDecided());
    await handOver(batch, left, isCancelled);
    if (isDone(error)) throw error;
    if (!isCancelled) return 'held';
    return left.length === 0 ? 'worked' : 'cut';
  }
}

async function takeSteps(batch: Batch, calls: RowCalls, heartbeats: Heartbeats): Promise<void> {
  const { completed, total } = await countRows(batch.deps.db, batch.operationId);
  let ended = completed;
  let areAllBegun = false;
  while (!areAllBegun || calls.openCount > 0 || calls.decidedCount > 0) {
    heartbeats.signal.throwIfAborted();
    heartbeats.setProgress(ended, total);
    const room: number = areAllBegun ? 0 : Math.min(chunkRows, calls.room(openRows));
    // Postgres begins rows and settles others, while the processor is called for the rows between.
    const work = [
      room > 0 ? beginNext(batch, room) : Promise.resolve({ begun: [], ended: 0 }),
      settleOutcomes(batch, calls.takeDecided(chunkRows)),
      handOver(batch, calls.takeGivenUp()),
    ] as const;
    // Also after one has failed, none goes on behind the back of the next step.
    await Promise.allSettled(work);
    const [next, settled, left] = await Promise.all(work);
    areAllBegun ||= next === null;
    calls.add(next?.begun ?? []);
    // While the processor answers, the next chunk is begun before the calls for this one have ended.
    const isAhead = calls.isAnswering && calls.openCount <= chunkRows;
    const enough = areAllBegun ? 1 : isAhead ? 0 : chunkRows;
    await calls.run(stepMs, enough);
    const moved = (next?.ended ?? 0) + settled + left;
    ended += moved;
    // The processor is waited for, or the operation is not running any more.
    if (moved === 0 && enough > 0 && calls.decidedCount === 0)
      await sleep(idleMs, undefined, { signal: heartbeats.signal });
    else await restWhileNeeded(batch, heartbeats.signal);
  }
  heartbeats.setProgress(ended, total);
}

/** Leaves the machine to callers who wait for an answer: after each step, a batch rests for as long as one of them waits. */
async function restWhileNeeded({ deps }: Batch, signal: AbortSignal): Promise<void> {
  const until = performance.now() + rests.longestMs;
  while (performance.now() < until && (await hasWaitingCallers(deps.db)))
    await sleep(rests.lookEveryMs, undefined, { signal });
}
