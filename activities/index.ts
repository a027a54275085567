import { createChargeBatchActivities, type ChargeBatchActivityDeps } from './operations/charge-batches.ts';
import { createChargeActivities, type ChargeActivityDeps } from './payments/charges.ts';
import { createExportActivities, type ExportActivityDeps } from './operations/exports.ts';
import { createMaintenanceActivities, type MaintenanceActivityDeps } from './maintenance/maintenance.ts';
import type { OperationActivityDeps } from '#db/operations/operation-ends.ts';
import type { OperationQueueDeps } from './operations/operation-queue.ts';
import { createOperationActivities } from './operations/operations.ts';
import { createProcessorNews, type ProcessorNewsDeps } from './maintenance/processor-news.ts';
import { createResultRetention, type ResultRetentionDeps } from './maintenance/result-retention.ts';
import {
  createWebhookEndpointActivities,
  type WebhookEndpointActivityDeps,
} from './webhooks/webhook-endpoints.ts';
import {
  createWebhookMaintenanceActivities,
  type WebhookMaintenanceActivityDeps,
} from './webhooks/webhook-maintenance.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './maintenance/reconciliation.ts';
import { createWebhookReplayActivities, type WebhookReplayActivityDeps } from './webhooks/webhook-replays.ts';
import { createRefundActivities, type RefundActivityDeps } from './payments/refunds.ts';

export type ActivityDeps = ChargeActivityDeps &
  RefundActivityDeps &
  OperationActivityDeps &
  OperationQueueDeps &
  ExportActivityDeps &
  ResultRetentionDeps &
  ChargeBatchActivityDeps &
  WebhookReplayActivityDeps &
  MaintenanceActivityDeps &
  ProcessorNewsDeps &
  WebhookEndpointActivityDeps &
  WebhookMaintenanceActivityDeps &
  ReconciliationDeps;

/** Everything workflows may call, over the worker's real dependencies. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createChargeActivities(deps),
    ...createRefundActivities(deps),
    ...createOperationActivities(deps),
    ...createExportActivities(deps),
    ...createResultRetention(deps),
    ...createWebhookReplayActivities(deps),
    ...createChargeBatchActivities(deps),
    ...createMaintenanceActivities(deps),
    ...createProcessorNews(deps),
    ...createWebhookEndpointActivities(deps),
    ...createWebhookMaintenanceActivities(deps),
    ...createReconciliationActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
