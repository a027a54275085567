import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import {
  findOpen,
  findOpenById,
  takeLeftByBatches,
  takeOpen,
  type OpenOperation,
  type OpenPayment,
} from '#db/open-resources.ts';
import { findUnwrittenBatches } from '#db/operations/failed-batches.ts';
import { endOperation } from '#db/operations/operation-ends.ts';
import { recordDelivered } from '#db/payments/processor-notifications.ts';
import { countUndecided } from '#db/payments/refunds.ts';
import { findPendingWakes, recordWake } from '#db/pending-wakes.ts';
import { deleteStaleClaims } from '#db/writes/idempotency-keys.ts';
import { isId } from '#domain/ids.ts';
import { operationKinds } from '#domain/operations/operation-kinds.ts';
import type { SweepTask, TaskCounts } from '#temporal/maintenance.ts';
import { wakeSignal } from '#temporal/messages.ts';
import { findRun } from '#temporal/client/runs.ts';
import { operationStart, startRun, startUnlessOpen } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';
import { writeFailedResult } from '../operations/charge-batch-results.ts';
import { findWaiting, wakeWaiting } from '../operations/operation-queue.ts';
import { askForEnded } from '../payments/ended-payments.ts';
import { adoptRefundsOf } from './adopted-refunds.ts';
import { findOverdue, wake } from '../webhooks/overdue-endpoints.ts';
import { repairLost, takenAtOnce } from './lost-runs.ts';
import { eachRow, inBatches } from './rows.ts';
import { findPaymentStart } from './starts.ts';

/** Rows that every run looks at, as long as there are some that were not looked at within the last minute. */
const eachRun = 500;

const minuteMs = 60_000;

/** The sweep comes back to an open row within this; if there are too many for that, it works for all of its time. */
const rotationMs = 10 * minuteMs;

/** Wakes of each reason for which one run of the sweep has time. */
const wakesEachRun = 500;

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
  writeBatchResults,
  restartLostPayments,
  /** Refunds that the processor has not decided are asked for without limit, so an operator should know. */
  countUndecidedRefunds: ({ db }) => countUndecided(db, undecidedAfterMs),
  wakePending,
  wakeOverdueEndpoints,
} satisfies Record<SweepTask, (deps: ActivityDeps) => Promise<TaskCounts>>;

/** Starts the workflow of every open charge or refund again whose run is gone. */
async function restartLostPayments(deps: ActivityDeps): Promise<Record<'charges' | 'refunds', number>> {
  const restarts = await repairLost<OpenPayment, 'charges' | 'refunds'>(deps, {
    task: 'restartLostPayments',
    workflowTypes: ['charge', 'refund'],
    withinMs: { usually: 20_000, repairing: 45_000 },
    findByWorkflow: (db, ids) => ofBothTables((table) => findOpen(db, table, ids)),
    findById: (db, ids) => ofBothTables((table) => findOpenById(db, table, ids)),
    findWithoutRun: (db) => takeLeftByBatches(db, eachRun),
    take(db, { taken, isRepairing }) {
      const notSinceMs = taken < eachRun || isRepairing ? minuteMs : rotationMs;
      return ofBothTables((table) => takeOpen(db, table, notSinceMs, takenAtOnce));
    },
    async repair(row) {
      const start = await findPaymentStart(deps, row);
      if (start === null || !(await startUnlessOpen(deps, start))) return null;
      return isId('refund', row.id) ? 'refunds' : 'charges';
    },
  });
  const refunds = restarts.filter((table) => table === 'refunds').length;
  return { charges: restarts.length - refunds, refunds };
}

async function ofBothTables(
  find: (table: 'charges' | 'refunds') => Promise<OpenPayment[]>,
): Promise<OpenPayment[]> {
  return [...(await find('charges')), ...(await find('refunds'))];
}

/**
 * Ends every open operation whose run was terminated, failed or timed out, and starts those again that have no run
 * at all, since Temporal's store was lost: their work resumes. Wakes those that wait and have a slot free, should their
 * wake have been lost.
 */
async function repairOperations(
  deps: ActivityDeps,
): Promise<Record<'ended' | 'restarted' | 'woken', number>> {
  const repairs = await repairLost<OpenOperation, 'ended' | 'restarted'>(deps, {
    task: 'repairOperations',
    workflowTypes: Object.values(operationKinds).map(({ workflow }) => workflow),
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
  const woken = await eachRow(deps, 'wakeWaitingOperations', waiting, (row) => wakeWaiting(deps, row));
  const count = (kind: 'ended' | 'restarted') => repairs.filter((repair) => repair === kind).length;
  return { ended: count('ended'), restarted: count('restarted'), woken: woken.length };
}

/** Writes the results of batches that failed. */
async function writeBatchResults(deps: ActivityDeps): Promise<number> {
  const batches = await findUnwrittenBatches(deps.db, outcomesWithinMs, resultsEachRun);
  const written = await eachRow(deps, 'writeBatchResults', batches, (batch) =>
    writeFailedResult(deps, batch),
  );
  return written.length;
}

/** Wakes the endpoints that have something overdue and no delivery session. Returns how many. */
async function wakeOverdueEndpoints(deps: ActivityDeps): Promise<number> {
  const overdue = await findOverdue(deps);
  const woken = await eachRow(deps, 'wakeOverdueEndpoints', overdue, (row) => wake(deps, row));
  return woken.length;
}

/**
 * Wakes the runs of cancels and of the processor's notifications again, at growing pauses. A run that is gone is started
 * by the task before. Asks the processor itself where the charge or the refund has ended and has no run.
 */
async function wakePending(deps: ActivityDeps): Promise<Record<'cancels' | 'notifications', number>> {
  const due = await findPendingWakes(deps.db, wakesEachRun);
  const woken = await eachRow(deps, 'wakePending', due, async (wake) => {
    if (wake.workflowId === null) {
      await askForEnded(deps, wake.key);
      await adoptRefundsOf(deps, wake.key);
      await recordDelivered(deps.db, wake.id);
    } else {
      await wakeIfRunning(deps.client, wake.workflowId);
      // Also if nothing runs, so that others have their turn.
      await recordWake(deps.db, wake);
    }
    return wake.source;
  });
  const notifications = woken.filter((source) => source === 'processor_notifications').length;
  return { cancels: woken.length - notifications, notifications };
}

async function wakeIfRunning(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(wakeSignal);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
