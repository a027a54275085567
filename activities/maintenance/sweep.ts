import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { recordCancelSignal } from '#db/cancel-signals.ts';
import {
  findCancelling,
  findOpen,
  findOpenById,
  takeLeftByBatches,
  takeOpen,
  type OpenOperation,
  type OpenPayment,
} from '#db/open-resources.ts';
import { findUnwrittenBatches } from '#db/operations/failed-batches.ts';
import { endOperation } from '#db/operations/operation-ends.ts';
import { findUndelivered, recordDelivered, recordTold } from '#db/payments/processor-notifications.ts';
import { countUndecided } from '#db/payments/refunds.ts';
import { deleteStaleClaims } from '#db/writes/idempotency-keys.ts';
import type { SweepTask, TaskCounts } from '#temporal/maintenance.ts';
import { cancelSignal, processorNotifiedSignal } from '#temporal/messages.ts';
import { findRun } from '#temporal/client/runs.ts';
import { operationStart, signalRun, startRun, startUnlessOpen } from '#temporal/client/starts.ts';
import { operationWorkflows } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { writeFailedResult } from '../operations/charge-batch-results.ts';
import { findWaiting, signalStart } from '../operations/operation-queue.ts';
import { askForEnded } from '../payments/ended-payments.ts';
import { findOverdue, wake } from '../webhooks/overdue-endpoints.ts';
import { repairLost, takenAtOnce, type RunKind } from './lost-runs.ts';
import { eachRow, inBatches } from './rows.ts';
import { findPaymentStart } from './starts.ts';

/** Rows that every run looks at, as long as there are some that were not looked at within the last minute. */
const eachRun = 500;

const minuteMs = 60_000;

/** The sweep comes back to an open row within this; if there are too many for that, it works for all of its time. */
const rotationMs = 10 * minuteMs;

/** Cancels that one run of the sweep signals, of charges and of operations; and notifications. */
const chargeCancelsEachRun = 500;
const operationCancelsEachRun = 200;
const notificationsEachRun = 500;

/** Results of failed batches that one run writes. */
const resultsEachRun = 20;

/** How long the result of a failed batch waits for the outcomes of its rows, in milliseconds: some runs of the sweep. */
const outcomesWithinMs = 3 * minuteMs;

/** The processor has not decided a refund for longer than expected. */
const undecidedAfterMs = 60_000;

/** Repairs what a crash between two systems can leave behind. The order of a run is in `temporal/maintenance.ts`. */
export const sweep = {
  deleteStaleClaims: inBatches(deleteStaleClaims),
  repairOperations,
  restartLostCharges: (deps) => restartLost(deps, 'charges'),
  hastenCancels: signalPendingCancels,
  restartLostRefunds: (deps) => restartLost(deps, 'refunds'),
  /** Refunds that the processor has not decided are asked for without limit, so an operator should know. */
  countUndecidedRefunds: ({ db }) => countUndecided(db, undecidedAfterMs),
  hastenOperationCancels: signalPendingOperationCancels,
  wakeOverdueEndpoints,
  tellProcessorNews: signalPendingNotifications,
} satisfies Record<SweepTask, (deps: ActivityDeps) => Promise<TaskCounts>>;

/** Starts the workflow of every open charge or refund again whose run is gone. Returns how many. */
async function restartLost(deps: ActivityDeps, table: 'charges' | 'refunds'): Promise<number> {
  const isCharges = table === 'charges';
  const kind: RunKind<OpenPayment, 'restarted'> = {
    task: isCharges ? 'restartLostCharges' : 'restartLostRefunds',
    workflowTypes: [isCharges ? 'charge' : 'refund'],
    withinMs: isCharges ? { usually: 15_000, repairing: 45_000 } : { usually: 8_000, repairing: 20_000 },
    findByWorkflow: (db, ids) => findOpen(db, table, ids),
    findById: (db, ids) => findOpenById(db, table, ids),
    findWithoutRun: async (db) => (isCharges ? takeLeftByBatches(db, eachRun) : []),
    take(db, { taken, isRepairing }) {
      const isSoon = taken < eachRun || isRepairing;
      return takeOpen(db, table, isSoon ? minuteMs : rotationMs, takenAtOnce);
    },
    async repair(row) {
      const start = await findPaymentStart(deps, row);
      return start !== null && (await startUnlessOpen(deps, start)) ? 'restarted' : null;
    },
  };
  return (await repairLost(deps, kind)).length;
}

/**
 * Ends every open operation whose run was terminated, failed or timed out, and starts those again that have no run
 * at all, since Temporal's store was lost: their work resumes. Signals those that wait and have a slot free, should their
 * signal have been lost. Writes the results of batches that failed.
 */
async function repairOperations(deps: ActivityDeps): Promise<Record<'ended' | 'restarted' | 'told', number>> {
  const repairs = await repairLost<OpenOperation, 'ended' | 'restarted'>(deps, {
    task: 'repairOperations',
    workflowTypes: Object.values(operationWorkflows),
    withinMs: { usually: 5_000, repairing: 5_000 },
    findByWorkflow: (db, ids) => findOpen(db, 'operations', ids),
    findById: (db, ids) => findOpenById(db, 'operations', ids),
    take: (db) => takeOpen(db, 'operations', minuteMs, takenAtOnce),
    async repair(row) {
      const run = await findRun(deps.client, row);
      if (run === 'open') return null;
      if (run === 'closed') {
        await endOperation(deps, row.id, { status: 'failed', code: 'operation_terminated' });
        return 'ended';
      }
      await startRun(deps, operationStart(row));
      return 'restarted';
    },
  });
  const waiting = await findWaiting(deps, null);
  const signalled = await eachRow(deps, 'tellWaitingOperations', waiting, (row) => signalStart(deps, row));
  await writeFailedResults(deps);
  const count = (kind: 'ended' | 'restarted') => repairs.filter((repair) => repair === kind).length;
  return { ended: count('ended'), restarted: count('restarted'), told: signalled.length };
}

/** Writes the results of batches that failed. It is no task of its own: runs of earlier releases have no such step. */
async function writeFailedResults(deps: ActivityDeps): Promise<void> {
  const batches = await findUnwrittenBatches(deps.db, outcomesWithinMs, resultsEachRun);
  await eachRow(deps, 'writeBatchResults', batches, (batch) => writeFailedResult(deps, batch));
}

/** Signals the cancels that were written but perhaps never signalled, at growing pauses. */
async function signalPendingCancels(deps: ActivityDeps): Promise<number> {
  const cancelling = await findCancelling(deps.db, 'charges', chargeCancelsEachRun);
  const signalled = await eachRow(deps, 'hastenCancels', cancelling, async (row) => {
    const start = await findPaymentStart(deps, row);
    if (start) await signalRun(deps, start, cancelSignal);
    await recordCancelSignal(deps.db, 'charges', row.id);
  });
  return signalled.length;
}

/** Signals pending cancels of operations, as {@link signalPendingCancels} does of charges. */
async function signalPendingOperationCancels(deps: ActivityDeps): Promise<number> {
  const cancelling = await findCancelling(deps.db, 'operations', operationCancelsEachRun);
  const signalled = await eachRow(deps, 'hastenOperationCancels', cancelling, async (row) => {
    await signalRun(deps, operationStart(row), cancelSignal);
    await recordCancelSignal(deps.db, 'operations', row.id);
  });
  return signalled.length;
}

/** Wakes the endpoints that have something overdue and no delivery session. Returns how many. */
async function wakeOverdueEndpoints(deps: ActivityDeps): Promise<number> {
  const overdue = await findOverdue(deps);
  const woken = await eachRow(deps, 'wakeOverdueEndpoints', overdue, (row) => wake(deps, row));
  return woken.length;
}

/**
 * Signals the workflows of the processor's notifications after which the processor was not asked yet. Returns how many. A
 * workflow that is gone is started again by this sweep, and signalled by the next one. For a row at its end the sweep asks
 * by itself.
 */
async function signalPendingNotifications(deps: ActivityDeps): Promise<number> {
  const { db, client } = deps;
  const undelivered = await findUndelivered(db, notificationsEachRun);
  const signalled = await eachRow(deps, 'tellProcessorNews', undelivered, async ({ id, key, workflowId }) => {
    if (workflowId === null) {
      await askForEnded(deps, key);
      return recordDelivered(db, id);
    }
    await signalIfRunning(client, workflowId);
    // Also if nobody runs, so that others have their turn.
    await recordTold(db, id);
  });
  return signalled.length;
}

async function signalIfRunning(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(processorNotifiedSignal);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
