import type { Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { findAccount } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import type { OpenResource } from '#db/open-resources.ts';
import type { OpenOperation } from '#db/operations/open-operations.ts';
import { isId } from '#domain/ids.ts';
import { formatMoney } from '#domain/money.ts';
import {
  chargeStartOptions,
  operationStartOptions,
  operationWorkflow,
  refundStartOptions,
} from '#temporal/client/starts.ts';
import type { TaskQueues } from '#temporal/queues.ts';
import { startOf } from '../operations/operation-queue.ts';

/**
 * How maintenance starts the workflow of a row again, with the row's own ids. It goes on from the row, and no caller
 * waits for it.
 */

export interface StartDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
}

/** Finds how the workflow of a charge or a refund is started. Returns `null` if the account is gone. */
export async function findPaymentStart({ db, taskQueues }: StartDeps, row: OpenResource) {
  const account = await findAccount(db, row.accountId);
  if (!account) return null;
  const { id, accountId, claimId, workflowId } = row;
  const start = { workflowId, summary: formatMoney(row), traceId: null };
  const input = { accountId, claimId, respondAsync: false };
  if (isId('refund', id)) {
    const own = { ...input, refundId: id, durations: account.refundDurations };
    const options = refundStartOptions({ ...start, input: own }, taskQueues.charges);
    return { workflow: 'refund', options };
  }
  const own = { ...input, chargeId: id, durations: account.durations };
  return { workflow: 'charge', options: chargeStartOptions({ ...start, input: own }, taskQueues.charges) };
}

export function buildOperationStart({ taskQueues }: StartDeps, row: OpenOperation) {
  const start = startOf(row);
  const options = operationStartOptions(start, taskQueues.operations);
  return { workflow: operationWorkflow(start), options };
}

type Start =
  ReturnType<typeof buildOperationStart> | NonNullable<Awaited<ReturnType<typeof findPaymentStart>>>;

/** Starts the workflow, unless it runs. */
export async function startAgain({ client }: StartDeps, { workflow, options }: Start): Promise<void> {
  await client.workflow.start(workflow, options);
}

/** Signals the workflow, which is started if it is gone. */
export async function signalOrStart(
  { client }: StartDeps,
  { workflow, options }: Start,
  signal: SignalDefinition<[]>,
): Promise<void> {
  await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [] as [] });
}
