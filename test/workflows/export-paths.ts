import { seedCharges } from '../../bench/rig/seed-charges.ts';
import { newId } from '#db/new-id.ts';
import { workflowId } from '#temporal/client/ids.ts';
import type { Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { findParts, submitExport } from '../support/resources/exports.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { operationPaths, type OpenedOperation } from './operation-paths.ts';
import type { Drive } from './taken-path.ts';

async function open(env: Environment, count: number): Promise<OpenedOperation> {
  const merchant = await createMerchant();
  await seedCharges(env.db, merchant.accountId, count);
  const key = newId('claim');
  const { body } = await submitExport(merchant, {}, { key });
  return { workflowId: workflowId('export', merchant.accountId, key), id: body.id, merchant };
}

const { succeeded, failed } = operationPaths({
  type: 'export',
  kind: 'export',
  open: (env) => open(env, 3),
  async openRunning(env) {
    const opened = await open(env, 60_000);
    await eventually('a part is stored', async () => (await findParts(env, opened.id)).length > 0);
    return opened;
  },
});

/** What of the `export` workflow is recorded. */
export const exportPaths: Record<string, Drive> = { succeeded, failed };
