import { newId } from '#db/new-id.ts';
import { batchWorkflowId, row, rows, submitBatch } from '../support/resources/charge-batches.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { operationPaths, type OpenedOperation } from './operation-paths.ts';
import type { Drive } from './taken-path.ts';

async function open(charges: unknown[]): Promise<OpenedOperation> {
  const merchant = await createMerchant();
  const key = newId('claim');
  const { body } = await submitBatch(merchant, charges, { key });
  return { workflowId: batchWorkflowId(merchant, key), id: body.id, merchant };
}

/** Every way that the `chargeBatch` workflow can take. */
export const chargeBatchPaths: Record<string, Drive> = operationPaths({
  type: 'charge_batch',
  kind: 'charge_batch',
  open: () => open([row(), row({ payment_method: 'tok_declined' }), { amount: 'x' }]),
  async openRunning(env) {
    const slow = { payment_method: 'tok_slow', description: 'Kept out of histories' };
    const opened = await open(rows(40, slow));
    await eventually('rows have begun', async () => {
      const begun = await env.db('charges').where('account_id', opened.merchant.accountId);
      return begun.length > 0;
    });
    return opened;
  },
});
