import { auditEntryRoutes } from './access/audit-entries.ts';
import { clientChangeRoutes } from './access/client-changes.ts';
import { clientRoutes } from './access/clients.ts';
import { memberChangeRoutes } from './access/member-changes.ts';
import { memberRoutes } from './access/members.ts';
import { sessionRoutes } from './access/sessions.ts';
import { chargeBatchRoutes } from './operations/charge-batches.ts';
import { chargeFigureRoutes } from './payments/charge-figures.ts';
import { chargeUpdateRoutes } from './payments/charge-updates.ts';
import { chargeRoutes } from './payments/charges.ts';
import { customerRoutes } from './payments/customers.ts';
import type { ApiDeps } from './http/deps.ts';
import { documentRoutes } from './documents/documents.ts';
import { exportRoutes } from './operations/exports.ts';
import { healthRoutes } from './health.ts';
import { eventResources } from './webhooks/event-schemas.ts';
import { eventRoutes } from './webhooks/events.ts';
import { deliveryFigureRoutes } from './webhooks/delivery-figures.ts';
import { webhookDeliveryRoutes } from './webhooks/webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhooks/webhook-endpoints.ts';
import { webhookRotationRoutes } from './webhooks/webhook-rotations.ts';
import { webhookReplayRoutes } from './webhooks/webhook-replays.ts';
import { idempotencyKeyRoutes } from './payments/idempotency-keys.ts';
import { issuerRoutes } from './oauth/routes.ts';
import { operationRoutes } from './operations/operations.ts';
import { operatorRoutes } from './operator/routes.ts';
import { paymentMethodRoutes } from './payments/payment-methods.ts';
import { processorNotificationRoutes } from './payments/processor-notifications.ts';
import { processorReturnRoutes } from './payments/processor-returns.ts';
import type { RawRoute } from './http/raw-route.ts';
import { requestRoutes } from './requests.ts';
import { refundRoutes } from './payments/refunds.ts';
import type { Route } from './http/route.ts';
import { timelineRoutes } from './payments/timeline.ts';

/** Returns every route under `/v1`. A new resource is one file and one line here. */
export function createRoutes(deps: ApiDeps): Route[] {
  return [
    ...chargeRoutes(deps),
    ...chargeUpdateRoutes(deps),
    ...timelineRoutes(deps),
    ...chargeFigureRoutes(deps),
    ...refundRoutes(deps),
    ...customerRoutes(deps),
    ...paymentMethodRoutes(deps),
    ...webhookEndpointRoutes(deps),
    ...webhookRotationRoutes(deps),
    ...webhookReplayRoutes(deps),
    ...webhookDeliveryRoutes(deps),
    ...deliveryFigureRoutes(deps),
    ...eventRoutes(deps),
    ...exportRoutes(deps),
    ...chargeBatchRoutes(deps),
    ...operationRoutes(deps),
    ...idempotencyKeyRoutes(deps),
    ...requestRoutes(deps),
    ...clientRoutes(deps),
    ...clientChangeRoutes(deps),
    ...memberRoutes(deps),
    ...memberChangeRoutes(deps),
    ...sessionRoutes(deps),
    ...auditEntryRoutes(deps),
  ];
}

/** Returns every route outside `/v1`. */
export function createRawRoutes(deps: ApiDeps): RawRoute[] {
  const served = [
    ...healthRoutes(deps),
    ...issuerRoutes(deps),
    ...processorNotificationRoutes(deps),
    ...processorReturnRoutes(deps),
    ...operatorRoutes(deps),
  ];
  const documents = documentRoutes(deps, () => ({
    routes: createRoutes(deps),
    rawRoutes: [...served, ...documents],
    events: eventResources,
  }));
  return [...served, ...documents];
}
