import { currentTime } from '#db/clock.ts';
import { noteHastened } from '#db/cancel-signals.ts';
import {
  findCancellingOperations,
  findOpenOperations,
  findOpenOperationsById,
  takeOpenOperations,
  type OpenOperation,
} from '#db/operations/open-operations.ts';
import { findSetAside, forgetFaults } from '#db/upkeep-faults.ts';
import { cancelSignal } from '#temporal/messages.ts';
import { operationWorkflows } from '#temporal/operations.ts';
import { operationStartOptions, operationWorkflow, type OperationStart } from '#temporal/client/starts.ts';
import { endOperation } from '#db/operations/operation-ends.ts';
import { createOperationQueue, startOf, type OperationQueueDeps } from '../operations/operation-queue.ts';
import { findRun, listBadlyClosed, listRunning } from '#temporal/client/runs.ts';
import { eachRow, inPieces, type UpkeepRowDeps } from './upkeep-rows.ts';

export interface OperationRepairDeps extends UpkeepRowDeps, OperationQueueDeps {
  publicUrl: string;
}

/** Open operations that the sweep takes at once. */
const takenAtOnce = 100;

/** For so long a turn goes on with operations that have waited for a minute. */
const withinMs = 5_000;

/** Cancels that one turn of the sweep signals. */
const cancelsEachTurn = 200;

/** What the sweep mends of operations. */
export function createOperationRepairs(deps: OperationRepairDeps) {
  const { db, client, taskQueues, publicUrl } = deps;
  const { findWaiting, tell } = createOperationQueue(deps);

  /**
   * Ends every open operation whose run was terminated, failed or timed out, and starts those again that have no run
   * at all, since Temporal's store was lost: the work goes on from where it was. Tells those that wait and have a slot
   * free, should nobody have told them.
   */
  async function repairOperations(): Promise<OperationRepairs> {
    const repairs = { ended: 0, restarted: 0, told: 0 };
    await repairEach(repairs, await suspects());
    await inPieces(withinMs, async () => {
      const rows = await takeOpenOperations(db, takenAtOnce);
      const running = await listRunning(client, rows);
      const lost = rows.filter(({ id }) => !running.has(id));
      await repairEach(repairs, lost);
      return { done: rows.length, hasMore: rows.length === takenAtOnce };
    });
    const told = await eachRow(deps, 'tellWaitingOperations', await findWaiting(null), tell);
    repairs.told = told.length;
    return repairs;
  }

  async function repairEach(repairs: OperationRepairs, rows: readonly OpenOperation[]): Promise<void> {
    await eachRow(deps, 'repairOperations', rows, async (row) => {
      const run = await findRun(client, row);
      if (run === 'closed') {
        await endOperation({ db, publicUrl }, row.id, { status: 'failed', code: 'operation_terminated' });
        repairs.ended += 1;
      }
      if (run === 'absent') {
        const start = startOf(row);
        await client.workflow.start(operationWorkflow(start), optionsOf(start));
        repairs.restarted += 1;
      }
    });
  }

  /** Operations whose run ended badly of late, and those that could not be repaired before. */
  async function suspects(): Promise<OpenOperation[]> {
    const closed: string[] = [];
    for (const workflow of Object.values(operationWorkflows)) {
      closed.push(...(await listBadlyClosed(client, workflow, currentTime())));
    }
    const rows = [...(await findOpenOperations(db, closed)), ...(await findFailed())];
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  }

  /** Those that were set aside, and may be looked at again; one that is no longer open needs nothing. */
  async function findFailed(): Promise<OpenOperation[]> {
    const ids = await findSetAside(db, 'repairOperations', takenAtOnce);
    const rows = await findOpenOperationsById(db, ids);
    const open = new Set(rows.map(({ id }) => id));
    const over = ids.filter((id) => !open.has(id));
    if (over.length > 0) await forgetFaults(db, 'repairOperations', over);
    return rows;
  }

  /** Signals the cancels that were written but perhaps never signalled, at growing pauses. */
  async function hastenOperationCancels(): Promise<number> {
    const cancelling = await findCancellingOperations(db, cancelsEachTurn);
    const hastened = await eachRow(deps, 'hastenOperationCancels', cancelling, async (row) => {
      const start = startOf(row);
      const options = { ...optionsOf(start), signal: cancelSignal, signalArgs: [] as [] };
      await client.workflow.signalWithStart(operationWorkflow(start), options);
      await noteHastened(db, 'operations', row.id);
    });
    return hastened.length;
  }

  function optionsOf(start: OperationStart) {
    return operationStartOptions(start, taskQueues.operations);
  }

  return { repairOperations, hastenOperationCancels };
}

export interface OperationRepairs {
  ended: number;
  restarted: number;
  /** That they may run. */
  told: number;
}
