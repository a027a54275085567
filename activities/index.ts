import { createChargeActivities, type ChargeActivityDeps } from './charges.ts';
import { createMaintenanceActivities, type MaintenanceActivityDeps } from './maintenance.ts';
import { createRefundActivities, type RefundActivityDeps } from './refunds.ts';

export type ActivityDeps = ChargeActivityDeps & RefundActivityDeps & MaintenanceActivityDeps;

/** Everything workflows may call, over the worker's real dependencies. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createChargeActivities(deps),
    ...createRefundActivities(deps),
    ...createMaintenanceActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
