import { currentTime } from '#db/clock.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { changeOf, findWebhookEndpoint } from '#db/webhooks/webhook-endpoints.ts';
import type { Turn } from '#db/webhooks/webhook-turns.ts';
import { firstIdAt } from '#domain/ids.ts';
import {
  presentWebhookEndpoint,
  type DisabledReason,
  type WebhookEndpoint,
} from '#domain/webhook-endpoints.ts';

/**
 * Disables an endpoint that fails, and says so: its other endpoints are told, and what it could not be sent is
 * cancelled by its next turn. One that its merchant has switched since stays as it is.
 */
export async function disableEndpoint(
  db: Database,
  { accountId, endpointId, url }: Pick<Turn, 'accountId' | 'endpointId' | 'url'>,
  disabledReason: DisabledReason,
): Promise<void> {
  for (;;) {
    const read = await findWebhookEndpoint(db, accountId, endpointId);
    if (!read || read.status === 'disabled' || read.url !== url) return;
    const changed = disabled(read, disabledReason, currentTime());
    const object = presentWebhookEndpoint(changed);
    const event = {
      id: newId('event'),
      type: 'webhook_endpoint.disabled',
      resourceId: endpointId,
      object,
    } as const;
    if (await commitEffect(db, changeOf(read, changed), { event })) return;
  }
}

function disabled(read: WebhookEndpoint, disabledReason: DisabledReason, at: Date): WebhookEndpoint {
  return {
    ...read,
    status: 'disabled',
    disabledReason,
    // Above every delivery that was made until then.
    cancelledBefore: firstIdAt('webhookDelivery', at.getTime() + 1),
    updatedAt: at,
    version: read.version + 1,
  };
}
