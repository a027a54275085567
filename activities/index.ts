import { createChargeActivities, type ChargeActivityDeps } from './charges.ts';
import { createMaintenanceActivities, type MaintenanceActivityDeps } from './maintenance.ts';

export type ActivityDeps = ChargeActivityDeps & MaintenanceActivityDeps;

/** Everything workflows may call, over the worker's real dependencies. */
export function createActivities(deps: ActivityDeps) {
  return { ...createChargeActivities(deps), ...createMaintenanceActivities(deps) };
}

export type Activities = ReturnType<typeof createActivities>;
