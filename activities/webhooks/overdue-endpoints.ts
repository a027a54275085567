import { findOverdueEndpoints } from '#db/webhooks/endpoint-leases.ts';
import { endpointStart, wakeRun, type RunTarget } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';

/** An endpoint with something due has a delivery session more often than that, however slow its receiver is. */
const noSessionForMs = 30_000;

/** Endpoints that one run of the sweep wakes; the next run sees the rest. */
const limit = 1_000;

/**
 * Finds endpoints that have something overdue and no delivery session: a process died between commit and signal, a
 * commit came in behind a cleared flag, or a run was terminated.
 */
export function findOverdue({ db }: Pick<ActivityDeps, 'db'>): Promise<{ id: string }[]> {
  return findOverdueEndpoints(db, noSessionForMs, limit);
}

/** Wakes an endpoint. Does no harm to one that is awake. */
export function wake(target: RunTarget, { id }: { id: string }): Promise<void> {
  return wakeRun(target, endpointStart(id));
}
