import { newId } from '../../db/new-id.ts';
import type { chargeBatch } from '../../workflows/charge-batches.ts';
import { workflowId } from '../../domain/workflow-ids.ts';
import { operationStartOptions } from '../../workflows/starts.ts';
import { batchWorkflowId, row, rows, submitBatch } from '../support/charge-batches.ts';
import type { Environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { untilDone } from '../support/exports.ts';
import { createMerchant, type Merchant } from '../support/merchant.ts';
import { terminate, type Drive, type TakenPath } from './taken-path.ts';

/** Every way that the `chargeBatch` workflow can take, each driven through HTTP from its claim to its close. */

interface Opened extends TakenPath {
  id: string;
  merchant: Merchant;
}

async function open(charges: unknown[]): Promise<Opened> {
  const merchant = await createMerchant();
  const key = newId('claim');
  const { body } = await submitBatch(merchant, charges, { key });
  return { workflowId: batchWorkflowId(merchant, key), id: body.id, merchant };
}

/** Rows that take so long that something can be done meanwhile. */
const slowRows = () => rows(40, { payment_method: 'tok_slow', description: 'Kept out of histories' });

async function openRunning(env: Environment): Promise<Opened> {
  const opened = await open(slowRows());
  await eventually('rows have begun', async () => {
    const begun = await env.db('charges').where('account_id', opened.merchant.accountId);
    return begun.length > 0;
  });
  return opened;
}

async function succeeded(): Promise<TakenPath> {
  const opened = await open([row(), row({ payment_method: 'tok_declined' }), { amount: 'x' }]);
  await untilDone(opened.merchant, opened.id);
  return opened;
}

async function cancelled(env: Environment): Promise<TakenPath> {
  const opened = await openRunning(env);
  await opened.merchant.send('POST', `/v1/operations/${opened.id}:cancel`);
  await untilDone(opened.merchant, opened.id);
  return opened;
}

/** The wish is on the row; nobody told the workflow. */
async function cancelledUnsignalled(env: Environment): Promise<TakenPath> {
  const opened = await openRunning(env);
  await env
    .db('operations')
    .where({ id: opened.id, status: 'running' })
    .update({ status: 'cancelling', cancel_requested_at: new Date() });
  await untilDone(opened.merchant, opened.id);
  return opened;
}

/** A signal alone decides nothing: the work goes on. */
async function signalledOnly(env: Environment): Promise<TakenPath> {
  const opened = await openRunning(env);
  await env.temporal.workflow.getHandle(opened.workflowId).signal('cancel');
  await untilDone(opened.merchant, opened.id, 60_000);
  return opened;
}

async function lost(env: Environment): Promise<TakenPath> {
  const opened = await openRunning(env);
  await terminate(env, opened);
  return opened;
}

/** An update-with-start that came after its claim was deleted. */
async function notStarted(env: Environment): Promise<TakenPath> {
  const ids = { accountId: newId('account'), operationId: newId('operation'), claimId: newId('claim') };
  const input = { ...ids, type: 'charge_batch' as const };
  const id = workflowId('charge-batch', input.accountId, 'late', String);
  const start = { workflowId: id, input, summary: '1 charges', traceId: null };
  const options = operationStartOptions(start, 'payments-operations');
  await env.temporal.workflow.start<typeof chargeBatch>('chargeBatch', options);
  return { workflowId: id };
}

/** By the name of the file that its history is kept in. */
export const chargeBatchPaths: Record<string, Drive> = {
  succeeded,
  cancelled,
  'cancelled-unsignalled': cancelledUnsignalled,
  'signalled-only': signalledOnly,
  lost,
  'not-started': notStarted,
};
