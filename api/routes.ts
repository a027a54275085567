import { auditEntryRoutes } from './access/audit-entries.ts';
import { clientRoutes } from './access/clients.ts';
import { memberRoutes } from './access/members.ts';
import { sessionRoutes } from './access/sessions.ts';
import { chargeBatchRoutes } from './operations/charge-batches.ts';
import { chargeFigureRoutes } from './payments/charge-figures.ts';
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
import { webhookReplayRoutes } from './webhooks/webhook-replays.ts';
import { idempotencyKeyRoutes } from './payments/idempotency-keys.ts';
import { issuerRoutes } from './oauth/routes.ts';
import { operationRoutes } from './operations/operations.ts';
import { operatorAccountRoutes } from './operator/accounts.ts';
import { operatorFigureRoutes } from './operator/figures.ts';
import { operatorOperationRoutes } from './operator/operations.ts';
import { overviewRoutes } from './operator/overview.ts';
import { reconciliationRoutes } from './operator/reconciliations.ts';
import { operatorAuditRoutes } from './operator/audit-entries.ts';
import { resourceRoutes } from './operator/resources.ts';
import { sweepRoutes } from './operator/sweeps.ts';
import { unknownOutcomeRoutes } from './operator/unknown-outcomes.ts';
import { operatorWebhookRoutes } from './operator/webhooks.ts';
import { paymentMethodRoutes } from './payments/payment-methods.ts';
import { processorNotificationRoutes } from './payments/processor-notifications.ts';
import { processorReturnRoutes } from './payments/processor-returns.ts';
import { requestRoutes } from './requests.ts';
import { refundRoutes } from './payments/refunds.ts';
import type { Route } from './http/route.ts';
import { timelineRoutes } from './payments/timeline.ts';

/** Returns every route of accounts, under `/v1`. A new resource is one file and one line here. */
export function createAccountRoutes(deps: ApiDeps): Route[] {
  return [
    ...chargeRoutes(deps),
    ...timelineRoutes(deps),
    ...chargeFigureRoutes(deps),
    ...refundRoutes(deps),
    ...customerRoutes(deps),
    ...paymentMethodRoutes(deps),
    ...webhookEndpointRoutes(deps),
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
    ...memberRoutes(deps),
    ...sessionRoutes(deps),
    ...auditEntryRoutes(deps),
  ];
}

/** Returns every route. */
export function createRoutes(deps: ApiDeps): Route[] {
  const served = [
    ...createAccountRoutes(deps),
    ...healthRoutes(deps),
    ...issuerRoutes(deps),
    ...processorNotificationRoutes(deps),
    ...processorReturnRoutes(deps),
    ...overviewRoutes(deps),
    ...unknownOutcomeRoutes(deps),
    ...operatorOperationRoutes(deps),
    ...operatorWebhookRoutes(deps),
    ...operatorFigureRoutes(deps),
    ...reconciliationRoutes(deps),
    ...operatorAccountRoutes(deps),
    ...resourceRoutes(deps),
    ...sweepRoutes(deps),
    ...operatorAuditRoutes(deps),
  ];
  const documents = documentRoutes(deps, () => ({
    routes: [...served, ...documents],
    events: eventResources,
  }));
  return [...served, ...documents];
}
