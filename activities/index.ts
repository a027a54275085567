import { createChargeBatchActivities, type ChargeBatchActivityDeps } from './charge-batches.ts';
import { createChargeActivities, type ChargeActivityDeps } from './charges.ts';
import { createExportActivities, type ExportActivityDeps } from './exports.ts';
import { createMaintenanceActivities, type MaintenanceActivityDeps } from './maintenance.ts';
import type { OperationActivityDeps } from '#db/operation-ends.ts';
import type { OperationQueueDeps } from './operation-queue.ts';
import { createOperationActivities } from './operations.ts';
import { createProcessorNews, type ProcessorNewsDeps } from './processor-news.ts';
import { createResultRetention, type ResultRetentionDeps } from './result-retention.ts';
import { createWebhookEndpointActivities, type WebhookEndpointActivityDeps } from './webhook-endpoints.ts';
import {
  createWebhookMaintenanceActivities,
  type WebhookMaintenanceActivityDeps,
} from './webhook-maintenance.ts';
import { createReconciliationActivities, type ReconciliationDeps } from './reconciliation.ts';
import { createWebhookReplayActivities, type WebhookReplayActivityDeps } from './webhook-replays.ts';
import { createRefundActivities, type RefundActivityDeps } from './refunds.ts';

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
