import { log } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { findAccount, type Account } from '#db/access/accounts.ts';
import { noteHastened } from '#db/cancel-signals.ts';
import { deleteLeftRows } from '#db/operations/charge-batches.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { deleteStaleClaims } from '#db/writes/idempotency-keys.ts';
import { deleteExpiredClaims } from '#db/writes/key-retention.ts';
import { deleteExpiredOperations } from '#db/operations/open-operations.ts';
import {
  findCancelling,
  findOpen,
  findOpenById,
  takeLeftByBatches,
  takeOpen,
  type OpenResource,
} from '#db/open-resources.ts';
import { deleteFromDefaults, dropPartitions, ensurePartitions } from '#db/partitions.ts';
import { countUndecided } from '#db/payments/refunds.ts';
import { deleteOldFaults, findSetAside, forgetFaults } from '#db/upkeep-faults.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { formatMoney } from '#domain/money.ts';
import { operationRetentionMs } from '#domain/operations.ts';
import { cancelSignal } from '#temporal/messages.ts';
import type { TaskQueues } from '#temporal/queues.ts';
import { chargeStartOptions, refundStartOptions } from '#temporal/client/starts.ts';
import { createOperationRepairs } from './operation-repairs.ts';
import { findRun, listBadlyClosed, listRunning } from '#temporal/client/runs.ts';
import { eachRow, inPieces, type UpkeepRowDeps } from './upkeep-rows.ts';

export interface MaintenanceActivityDeps extends UpkeepRowDeps {
  client: Client;
  taskQueues: TaskQueues;
  /** How long an answered key is kept at least. (Default: 24 h) */
  keyRetentionMs: number;
  /** The base of links in problem documents. */
  publicUrl: string;
  /** Operations of one account that run at once. */
  operationsPerAccount: number;
}

/** Deletions a statement: small, so that its locks are short. */
const deleteBatch = 1_000;

/** For so long a turn deletes rows of a kind; the next one goes on. */
const deleteWithinMs = 30_000;

/** Keys read a statement; most of them may have to stay. */
const keysAtOnce = 5_000;

/** Open rows of a kind that the sweep takes at once. */
const takenAtOnce = 100;

/** Rows that every turn looks at, as long as there are some that were not looked at within the last minute. */
const eachTurn = 500;

const minuteMs = 60_000;

/** The sweep comes back to an open row within this; if there are too many for that, it works for all of its time. */
const rotationMs = 10 * minuteMs;

/** Cancels that one turn of the sweep signals. */
const cancelsEachTurn = 500;

/** An export or a replay that was let in with the last event of a week ends before the week is dropped. */
const graceMs = 24 * 60 * 60 * 1000;

/** Longer than this the processor's word on a refund is missed. */
const undecidedAfterMs = 60_000;

/** A resource whose lost runs are started again. */
interface Swept {
  table: 'charges' | 'refunds';
  step: 'restartLostCharges' | 'restartLostRefunds';
  workflowType: 'charge' | 'refund';
  /** For so long a turn goes on with rows that have waited for longer than the rotation takes. */
  withinMs: number;
  /** How the row's own workflow is started, with its own ids. */
  startOf(row: OpenResource, account: Account): StartOptions;
}

type StartOptions = ReturnType<typeof chargeStartOptions> | ReturnType<typeof refundStartOptions>;

export function createMaintenanceActivities(deps: MaintenanceActivityDeps) {
  const { db, client, taskQueues, keyRetentionMs } = deps;
  const charges: Swept = {
    table: 'charges',
    step: 'restartLostCharges',
    workflowType: 'charge',
    withinMs: 15_000,
    startOf: (row, { durations }) =>
      chargeStartOptions(startAgain(row, { chargeId: row.id, durations }), taskQueues.charges),
  };

  const refunds: Swept = {
    table: 'refunds',
    step: 'restartLostRefunds',
    workflowType: 'refund',
    withinMs: 8_000,
    startOf: (row, { refundDurations: durations }) =>
      refundStartOptions(startAgain(row, { refundId: row.id, durations }), taskQueues.charges),
  };

  /**
   * Starts every open row's workflow again whose run is gone, with its own ids: those whose run was terminated, failed
   * or timed out of late, those that could not be started before, and, in rotation, those that were made or looked at
   * longest ago.
   */
  async function restartLost(swept: Swept): Promise<number> {
    const closed = await findOpen(
      db,
      swept.table,
      await listBadlyClosed(client, swept.workflowType, currentTime()),
    );
    const left = swept.table === 'charges' ? await takeLeftByBatches(db, eachTurn) : [];
    const failed = await findFailed(swept);
    const suspects = new Map([...closed, ...left, ...failed].map((row) => [row.id, row]));
    return (await restartEach(swept, [...suspects.values()])) + (await restartInRotation(swept));
  }

  /** Those that were set aside, and may be looked at again; one that is no longer open needs nothing. */
  async function findFailed({ step, table }: Swept): Promise<OpenResource[]> {
    const ids = await findSetAside(db, step, takenAtOnce);
    const rows = await findOpenById(db, table, ids);
    const open = new Set(rows.map(({ id }) => id));
    const over = ids.filter((id) => !open.has(id));
    if (over.length > 0) await forgetFaults(db, step, over);
    return rows;
  }

  function restartInRotation(swept: Swept): Promise<number> {
    let taken = 0;
    return inPieces(swept.withinMs, async () => {
      const notSinceMs = taken < eachTurn ? minuteMs : rotationMs;
      const rows = await takeOpen(db, swept.table, notSinceMs, takenAtOnce);
      taken += rows.length;
      const running = await listRunning(client, rows);
      const lost = rows.filter(({ id }) => !running.has(id));
      const done = await restartEach(swept, lost);
      return { done, hasMore: rows.length === takenAtOnce };
    });
  }

  async function restartEach(swept: Swept, rows: readonly OpenResource[]): Promise<number> {
    const restarted = await eachRow(deps, swept.step, rows, (row) => restartIfLost(swept, row));
    return restarted.filter(Boolean).length;
  }

  async function restartIfLost(swept: Swept, row: OpenResource): Promise<boolean> {
    if ((await findRun(client, row)) === 'open') return false;
    const start = await startOf(swept, row);
    if (start) await client.workflow.start(swept.workflowType, start);
    return start !== null;
  }

  /** Signals the cancels that were written but perhaps never signalled, at growing pauses. */
  async function hastenCancels(): Promise<number> {
    const cancelling = await findCancelling(db, cancelsEachTurn);
    const hastened = await eachRow(deps, 'hastenCancels', cancelling, async (row) => {
      const start = await startOf(charges, row);
      if (start)
        await client.workflow.signalWithStart('charge', { ...start, signal: cancelSignal, signalArgs: [] });
      await noteHastened(db, 'charges', row.id);
    });
    return hastened.length;
  }

  /** Those that had to stay before have a part of the time of their own: neither kind holds up the other. */
  async function deleteExpiredKeys(): Promise<number> {
    const expire = (which: 'fresh' | 'kept') => async () => {
      const { read, deleted } = await deleteExpiredClaims(db, which, keyRetentionMs, keysAtOnce);
      return { done: deleted, hasMore: read === keysAtOnce };
    };
    return (await inPieces(10_000, expire('kept'))) + (await inPieces(60_000, expire('fresh')));
  }

  /** @throws if a partition is missing that is needed within a week. */
  async function preparePartitions(): Promise<void> {
    const missing = await ensurePartitions(db, currentTime(), 20_000);
    if (missing.length === 0) return;
    const names = missing.map(({ name }) => name).join(', ');
    const told = `Tables are in use all the time, so partitions are missing: ${names}`;
    const inAWeek = currentTimeMs() + 7 * 24 * 60 * minuteMs;
    if (missing.some(({ startsAt }) => startsAt.getTime() < inAWeek)) throw new Error(told);
    log.warn(told);
  }

  /** `null` when the row's account is gone. */
  async function startOf(swept: Swept, row: OpenResource): Promise<StartOptions | null> {
    const account = await findAccount(db, row.accountId);
    return account && swept.startOf(row, account);
  }

  return {
    ...createOperationRepairs(deps),
    deleteExpiredKeys,
    deleteExpiredOperations: () =>
      inBatches((limit) => deleteExpiredOperations(db, operationRetentionMs, limit)),
    /** Of batches that ended without emptying them. */
    deleteLeftBatchRows: () => inBatches((limit) => deleteLeftRows(db, limit)),
    deleteStaleClaims: () => inBatches((limit) => deleteStaleClaims(db, limit)),
    preparePartitions,
    dropOldPartitions: () => dropPartitions(db, droppedBefore()),
    deleteFromDefaults: () =>
      inPieces(deleteWithinMs, () => deleteFromDefaults(db, droppedBefore(), deleteBatch)),
    restartLostCharges: () => restartLost(charges),
    hastenCancels,
    restartLostRefunds: () => restartLost(refunds),
    /** Refunds that the processor owes its word on; they are asked for without limit, so somebody should know. */
    countUndecidedRefunds: () => countUndecided(db, undecidedAfterMs),
    deleteOldFaults: () => inBatches((limit) => deleteOldFaults(db, limit)),
  };
}

/** Weeks of events that ended before go. */
const droppedBefore = () => new Date(currentTimeMs() - eventRetentionMs - graceMs);

/** Deletes in batches until there is nothing left to delete, or the time is over. Returns how many it were. */
function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  return inPieces(deleteWithinMs, async () => {
    const done = await deleteSome(deleteBatch);
    return { done, hasMore: done === deleteBatch };
  });
}

/** A run that goes on from the row: whoever asked first does not wait any more. */
function startAgain<Own extends object>(row: OpenResource, own: Own) {
  const { accountId, claimId, workflowId } = row;
  return {
    workflowId,
    input: { accountId, claimId, respondAsync: false, ...own },
    summary: formatMoney(row),
    traceId: null,
  };
}
