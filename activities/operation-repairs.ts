import type { Client } from '@temporalio/client';
import {
  findCancellingOperations,
  findOpenOperations,
  takeOpenOperations,
  type OpenOperation,
} from '../db/open-operations.ts';
import type { Database } from '../db/knex.ts';
import { cancelSignal, operationWorkflows } from '../workflows/contract.ts';
import type { TaskQueues } from '../workflows/queues.ts';
import { operationStartOptions, operationWorkflow, type OperationStart } from '../workflows/starts.ts';
import { endOperation } from './operations.ts';
import { findRun, listBadlyClosed } from './runs.ts';

export interface OperationRepairDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
  publicUrl: string;
}

/** Open operations that one turn of the sweep looks at, beside those whose run just closed. */
const rotation = 200;

/** What the sweep mends of operations. */
export function createOperationRepairs({ db, client, taskQueues, publicUrl }: OperationRepairDeps) {
  /**
   * Ends every open operation whose run was terminated, failed or timed out, and starts those again that have no run
   * at all, since Temporal's store was lost: the work goes on from where it was.
   */
  async function repairOperations(): Promise<OperationRepairs> {
    const repairs = { ended: 0, restarted: 0 };
    for (const row of await suspects()) {
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
    }
    return repairs;
  }

  async function suspects(): Promise<OpenOperation[]> {
    const closed: string[] = [];
    for (const workflow of Object.values(operationWorkflows)) {
      closed.push(...(await listBadlyClosed(client, workflow)));
    }
    const rows = [...(await findOpenOperations(db, closed)), ...(await takeOpenOperations(db, rotation))];
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  }

  /** Signals the cancels that were written but perhaps never signalled; one that was is not hurt by another. */
  async function hastenOperationCancels(): Promise<number> {
    const cancelling = await findCancellingOperations(db, rotation);
    for (const row of cancelling) {
      const start = startOf(row);
      const options = { ...optionsOf(start), signal: cancelSignal, signalArgs: [] as [] };
      await client.workflow.signalWithStart(operationWorkflow(start), options);
    }
    return cancelling.length;
  }

  function optionsOf(start: OperationStart) {
    return operationStartOptions(start, taskQueues.operations);
  }

  return { repairOperations, hastenOperationCancels };
}

export interface OperationRepairs {
  ended: number;
  restarted: number;
}

function startOf({ id: operationId, accountId, claimId, workflowId, type }: OpenOperation): OperationStart {
  return { workflowId, input: { accountId, claimId, operationId, type }, summary: type, traceId: null };
}
