import type { z } from 'zod';
import type { Account } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { countOpenOperations } from '#db/operations/operation-queue.ts';
import { ownsTransactionIds } from '#db/xid-origin.ts';
import { allOperations, operationKinds, type OperationType } from '#domain/operations/operation-kinds.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { operationStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { ApiRequest, CallerRequest, Route } from '../http/route.ts';
import type { Prepared, WriteRoute } from '../writes/definition.ts';
import { byRun } from '../writes/execution.ts';
import { defineWrite } from '../writes/write.ts';
import { operationResources } from './operation-schemas.ts';
import { collectionRoutes } from './operations.ts';
import { resultRoute } from './results.ts';

/** How operations of every kind are submitted. */

/** The part of a kind that only its submission knows. */
interface Submission<Params extends z.ZodType, Body extends z.ZodType, Request> extends Omit<
  WriteRoute<Params, Body>,
  'path' | 'access' | 'responses'
> {
  type: OperationType;
  /** (Default: its collection) */
  path?: string;
  /** (Default: the scope that writes in its collection) */
  access?: WriteRoute<Params, Body>['access'];
  /** Describes the 202. */
  accepted: string;
  admit?: (request: Request & CallerRequest) => void;
  /** Returns the words that operators read in Temporal's user interface. */
  summarize: (request: Request) => string;
  /**
   * Prepares the request of a new key.
   *
   * @param accept lets the account submit one more operation, and makes one of what `toRequest` returns.
   */
  prepare: (
    request: Request,
    accept: (toRequest: () => object | Promise<object>) => Promise<Prepared>,
  ) => Promise<Prepared>;
}

/** Returns the routes of a kind: its submission; and the reads, the cancel and the result of its own collection. */
export function kindRoutes<Body extends z.ZodType, Params extends z.ZodType = z.ZodType<unknown>>(
  deps: ApiDeps,
  submission: Submission<Params, Body, ApiRequest<z.output<Params>, unknown, z.output<Body>>>,
): Route[] {
  const { type, accepted, summarize, prepare, problems = [], ...route } = submission;
  const { collection, scopes, isOfSnapshot } = operationKinds[type];
  const isItsOwn = collection !== allOperations.collection;
  const snapshots: ProblemCode[] = isOfSnapshot ? ['snapshots_unavailable'] : [];
  const readAt = isItsOwn ? {} : { readAt: `/v1/${collection}/{id}` };
  const create = defineWrite<Params, Body>(deps, {
    path: `/v1/${collection}`,
    access: scopes.write,
    ...route,
    responses: { 202: { description: accepted, schema: operationResources[type], ...readAt } },
    problems: [...problems, 'too_many_open_operations', ...snapshots],
    execution: byRun(deps, {
      toStart({ claim, request }) {
        const { account, traceId } = request;
        const ids = claimedIds(type, account.id, claim.key, claim);
        return operationStart({ ...ids, type }, { summary: summarize(request), traceId });
      },
    }),
    prepare: (request) =>
      prepare(request, async (toRequest) => {
        await requireOperationQuota(deps, request.account);
        if (isOfSnapshot) await requireSnapshots(deps.db);
        return { resourceId: newId('operation'), request: await toRequest() };
      }),
  });
  if (!isItsOwn) return [create, resultRoute(deps, null)];
  return [create, ...collectionRoutes(deps, type), resultRoute(deps, type)];
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
async function requireOperationQuota(
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
async function requireSnapshots(db: Database): Promise<void> {
  if (await ownsTransactionIds(db)) return;
  throw new ProblemError('snapshots_unavailable', { headers: { 'retry-after': '60' } });
}
