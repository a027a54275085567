import { newId } from '#db/new-id.ts';
import { workflowId } from '#temporal/client/ids.ts';
import type { Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import type { OperationBody } from '../support/resources/exports.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { seedEvents } from '../support/resources/seed-events.ts';
import { createWebhookEndpoint } from '../support/resources/webhook-endpoints.ts';
import { operationPaths, type OpenedOperation } from './operation-paths.ts';
import type { Drive } from './taken-path.ts';

async function open(env: Environment, count: number): Promise<OpenedOperation> {
  const merchant = await createMerchant();
  await seedEvents(env, merchant.accountId, count);
  const { path } = await createWebhookEndpoint(merchant, { events: ['charge.succeeded'] });
  const key = newId('claim');
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const { body } = await merchant.send<OperationBody>('POST', `${path}:replay`, { since }, { key });
  const id = workflowId('webhook_replay', merchant.accountId, key);
  return { workflowId: id, id: body.id, merchant };
}

const { succeeded, failed } = operationPaths({
  type: 'webhook_replay',
  kind: 'webhook_replay',
  open: (env) => open(env, 3),
  async openRunning(env) {
    const opened = await open(env, 100_000);
    await eventually('some are on their way', async () => {
      const row = await env.db('operations').where('id', opened.id).first();
      return row.checkpoint !== null;
    });
    return opened;
  },
});

/** What of the `replayDeliveries` workflow is recorded. */
export const webhookReplayPaths: Record<string, Drive> = { succeeded, failed };
