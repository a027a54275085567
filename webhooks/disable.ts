import { currentTime } from '#db/clock.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { buildEndpointChange, findWebhookEndpoint } from '#db/webhooks/webhook-endpoints.ts';
import type { Lease } from '#db/webhooks/endpoint-leases.ts';
import { firstIdAt } from '#domain/ids.ts';
import {
  presentWebhookEndpoint,
  type DisabledReason,
  type WebhookEndpoint,
} from '#domain/webhook-endpoints.ts';

/**
 * Disables an endpoint that fails, and writes the event that tells the account's other endpoints. The endpoint's next
 * lease cancels its open deliveries. Changes nothing if the merchant has disabled or moved the endpoint meanwhile.
 */
export async function disableEndpoint(
  db: Database,
  { accountId, endpointId, url }: Pick<Lease, 'accountId' | 'endpointId' | 'url'>,
  disabledReason: DisabledReason,
): Promise<void> {
  for (;;) {
    const read = await findWebhookEndpoint(db, accountId, endpointId);
    if (!read || read.status === 'disabled' || read.url !== url) return;
    const changed = withDisabled(read, disabledReason, currentTime());
    const object = presentWebhookEndpoint(changed);
    const event = {
      id: newId('event'),
      type: 'webhook_endpoint.disabled',
      resourceId: endpointId,
      object,
    } as const;
    if (await commitEffect(db, buildEndpointChange(read, changed, null), { event })) return;
  }
}

function withDisabled(read: WebhookEndpoint, disabledReason: DisabledReason, at: Date): WebhookEndpoint {
  return {
    ...read,
    status: 'disabled',
    disabledReason,
    parkedUntil: null,
    disablesAt: null,
    // Above the id of every delivery that was made until then.
    cancelledBefore: firstIdAt('webhookDelivery', at.getTime() + 1),
    updatedAt: at,
    version: read.version + 1,
  };
}
