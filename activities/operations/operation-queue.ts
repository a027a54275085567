import { findStartable } from '#db/operations/operation-queue.ts';
import type { OpenOperation } from '#db/open-resources.ts';
import { startSignal } from '#temporal/messages.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { operationStart, signalRun } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';

/** Signals to operations that wait for a slot. Each looks for itself whether one is free, so an extra signal does no harm. */

/** Operations that are signalled at once. The others are signalled when these end, or by the next sweep. */
const limit = 200;

/**
 * Finds the operations that have a slot free.
 *
 * @param accountId of this account only; `null`: of any.
 */
export function findWaiting(
  { db, operationsPerAccount }: ActivityDeps,
  accountId: string | null,
): Promise<OpenOperation[]> {
  return findStartable(db, accountId, operationsPerAccount, limit);
}

export function signalStart(deps: ActivityDeps, row: OpenOperation): Promise<void> {
  return signalRun(deps, operationStart(row), startSignal);
}

/** Signals the operations of an account that can run, now that one of them has ended. */
export async function startNext(
  deps: ActivityDeps,
  { accountId }: Pick<OperationInput, 'accountId'>,
): Promise<void> {
  for (const row of await findWaiting(deps, accountId)) await signalStart(deps, row);
}
