import type { Account } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { countOpenOperations } from '#db/operations/operation-queue.ts';
import { ownsTransactionIds } from '#db/xid-origin.ts';
import type { OperationType } from '#domain/operations.ts';
import { ProblemError } from '#domain/problems.ts';
import { claimedIds, type KeyedWorkflow } from '#temporal/client/ids.ts';
import { operationStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { ApiRequest } from '../http/route.ts';
import type { WriteKind } from '../writes/workflow-writes.ts';

/** The parts that submissions of all types of operation share. */

const workflows: Readonly<Record<OperationType, KeyedWorkflow>> = {
  export: 'export',
  charge_batch: 'charge-batch',
  webhook_replay: 'webhook-replay',
};

/**
 * Returns the kind of write that creates an operation.
 *
 * @param summarize returns what operators read in Temporal's user interface.
 */
export function operationCreation<Request extends ApiRequest>(
  type: OperationType,
  summarize: (request: Request) => string,
): WriteKind<Request, null> {
  return {
    findSubject: () => Promise.resolve(null),
    findFault: () => Promise.resolve(null),
    toCall({ claim, request }) {
      const { account, traceId } = request;
      const ids = claimedIds(workflows[type], account.id, claim.key, claim);
      return operationStart({ ...ids, type }, { summary: summarize(request), traceId });
    },
  };
}

/** Seconds after which the caller may try again: operations take minutes. */
const retryAfter = '10';

/**
 * Lets an account submit one more operation if it has fewer open ones than its limit. It is called before the key is
 * claimed, so that a refusal leaves nothing behind. Requests at the same moment do not count each other, so they may
 * pass the limit together.
 *
 * @throws {ProblemError} `too_many_open_operations`
 */
export async function requireOperationQuota(
  { db, config }: Pick<ApiDeps, 'db' | 'config'>,
  account: Pick<Account, 'id' | 'maxOpenOperations'>,
): Promise<void> {
  const most = account.maxOpenOperations ?? config.maxOpenOperations;
  if ((await countOpenOperations(db, account.id, most)) < most) return;
  throw new ProblemError('too_many_open_operations', {
    detail: `An account may have at most ${most} open operations. Wait until some are done, or cancel them.`,
    headers: { 'Retry-After': retryAfter },
  });
}

/** @throws {ProblemError} `snapshots_unavailable` if the transaction ids of the rows are those of another cluster. */
export async function requireSnapshots(db: Database): Promise<void> {
  if (await ownsTransactionIds(db)) return;
  throw new ProblemError('snapshots_unavailable', { headers: { 'retry-after': '60' } });
}
