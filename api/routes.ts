import { chargeBatchRoutes } from './charge-batches.ts';
import { chargeRoutes } from './charges.ts';
import { customerRoutes } from './customers.ts';
import type { ApiDeps } from './deps.ts';
import { documentRoutes } from './documents.ts';
import { exportRoutes } from './exports.ts';
import { healthRoutes } from './health.ts';
import { eventRoutes } from './events.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';
import { webhookRotationRoutes } from './webhook-rotations.ts';
import { webhookReplayRoutes } from './webhook-replays.ts';
import { idempotencyKeyRoutes } from './idempotency-keys.ts';
import { issuerRoutes } from './oauth/routes.ts';
import { operationRoutes } from './operations.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { processorNotificationRoutes } from './processor-notifications.ts';
import type { RawRoute } from './raw-route.ts';
import { refundRoutes } from './refunds.ts';
import type { Route } from './route.ts';
import { timelineRoutes } from './timeline.ts';

/** Every route under `/v1`. A new resource is one file and one line here. */
export function createRoutes(deps: ApiDeps): Route[] {
  return [
    ...chargeRoutes(deps),
    ...timelineRoutes(deps),
    ...refundRoutes(deps),
    ...customerRoutes(deps),
    ...paymentMethodRoutes(deps),
    ...webhookEndpointRoutes(deps),
    ...webhookRotationRoutes(deps),
    ...webhookReplayRoutes(deps),
    ...webhookDeliveryRoutes(deps),
    ...eventRoutes(deps),
    ...exportRoutes(deps),
    ...chargeBatchRoutes(deps),
    ...operationRoutes(deps),
    ...idempotencyKeyRoutes(deps),
  ];
}

/** Every route outside `/v1`. */
export function createRawRoutes(deps: ApiDeps): RawRoute[] {
  const served = [...healthRoutes(deps), ...issuerRoutes(deps), ...processorNotificationRoutes(deps)];
  const documents = documentRoutes(deps, () => ({
    routes: createRoutes(deps),
    rawRoutes: [...served, ...documents],
  }));
  return [...served, ...documents];
}
