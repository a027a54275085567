import { createChargeBatchActivities, type ChargeBatchActivityDeps } from './operations/charge-batches.ts';
import { createChargeActivities, type ChargeActivityDeps } from './payments/charges.ts';
import { exportRows } from './operations/exports.ts';
import type { OperationActivityDeps } from '#db/operations/operation-ends.ts';
import type { OperationQueueDeps } from './operations/operation-queue.ts';
import { createOperationActivities } from './operations/operations.ts';
import type { WorkDeps } from './operations/work.ts';
import {
  createWebhookEndpointActivities,
  type WebhookEndpointActivityDeps,
} from './webhooks/webhook-endpoints.ts';
import { reconcileBooks, type ReconciliationDeps } from './maintenance/reconciliation.ts';
import { retention, type RetentionDeps } from './maintenance/retention.ts';
import { sweep, type SweepDeps } from './maintenance/sweep.ts';
import { replayEvents } from './webhooks/webhook-replays.ts';
import { createRefundActivities, type RefundActivityDeps } from './payments/refunds.ts';

export type ActivityDeps = ChargeActivityDeps &
  RefundActivityDeps &
  OperationActivityDeps &
  OperationQueueDeps &
  WorkDeps &
  ChargeBatchActivityDeps &
  WebhookEndpointActivityDeps &
  SweepDeps &
  RetentionDeps &
  ReconciliationDeps;

/** Everything workflows may call, over the worker's real dependencies. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createChargeActivities(deps),
    ...createRefundActivities(deps),
    ...createOperationActivities(deps),
    ...createChargeBatchActivities(deps),
    ...createWebhookEndpointActivities(deps),
    ...bind(deps, { ...retention, ...sweep, reconcileBooks, exportRows, replayEvents }),
  };
}

export type Activities = ReturnType<typeof createActivities>;

type Bound<Steps> = {
  [Name in keyof Steps]: Steps[Name] extends (deps: never, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

/** Binds functions of `(deps, input)` to their dependencies: workflows give the input only. */
function bind<Steps extends Record<string, (deps: ActivityDeps, ...input: never[]) => unknown>>(
  deps: ActivityDeps,
  steps: Steps,
): Bound<Steps> {
  const entries = Object.entries(steps);
  return Object.fromEntries(entries.map(([name, step]) => [name, step.bind(null, deps)])) as Bound<Steps>;
}
