import type { Database } from '#db/knex.ts';
import { findStartable } from '#db/operations/operation-queue.ts';
import type { OpenOperation } from '#db/open-resources.ts';
import { startSignal } from '#temporal/messages.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { operationStart, signalRun, type RunTarget } from '#temporal/client/starts.ts';
import type { OperationActivityDeps } from '#db/operations/operation-ends.ts';

export interface OperationQueueDeps extends RunTarget {
  db: Database;
  /** Operations of one account that run at once. */
  operationsPerAccount: number;
}

/** For the work of an operation, which has its turn. */
export interface QueuedActivityDeps extends OperationActivityDeps {
  /** Operations of one account that run at once. */
  operationsPerAccount: number;
}

/** Operations that are signalled at once: what is left has its turn when they end, or with the next sweep. */
const limit = 200;

/** Who is told that a slot is free. Each looks for itself whether it is, so that a signal too many does no harm. */
export function createOperationQueue(deps: OperationQueueDeps) {
  /** @param accountId of this account only; `null`: of any. */
  function findWaiting(accountId: string | null): Promise<OpenOperation[]> {
    return findStartable(deps.db, accountId, deps.operationsPerAccount, limit);
  }

  const tell = (row: OpenOperation) => signalRun(deps, operationStart(row), startSignal);

  /** Of an operation that has ended: tells those of its account that can run now. */
  async function startNext({ accountId }: Pick<OperationInput, 'accountId'>): Promise<void> {
    for (const row of await findWaiting(accountId)) await tell(row);
  }

  return { findWaiting, tell, startNext };
}
