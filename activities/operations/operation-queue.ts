import { findStartable } from '#db/operations/operation-queue.ts';
import type { OpenOperation } from '#db/open-resources.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { operationStart, wakeRun } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';

/** Wakes operations that wait for a slot. Each looks for itself whether one is free, so an extra wake does no harm. */

/** Operations that are woken at once. The others are woken when these end, or by the next sweep. */
const limit = 200;

/**
 * Finds the operations that have a slot free.
 *
 * @param accountId of this account only; `null`: of any.
 */
export function findWaiting({ db }: ActivityDeps, accountId: string | null): Promise<OpenOperation[]> {
  return findStartable(db, accountId, limit);
}

export function wakeWaiting(deps: ActivityDeps, row: OpenOperation): Promise<void> {
  return wakeRun(deps, operationStart(row));
}

/** Wakes the operations of an account that can run, now that one of them has ended. */
export async function startNext(
  deps: ActivityDeps,
  { accountId }: Pick<OperationInput, 'accountId'>,
): Promise<void> {
  for (const row of await findWaiting(deps, accountId)) await wakeWaiting(deps, row);
}
