import type { z } from 'zod';
import { endOperation } from '#db/operations/operation-ends.ts';
import { currentTime } from '#db/clock.ts';
import { findOperation, listOperations, requestOperationCancel } from '#db/operations/operations.ts';
import {
  isDone,
  operationPath,
  presentOperation,
  retryAfterSeconds,
  type Operation,
} from '#domain/operations.ts';
import {
  allOperations,
  operationKinds,
  operationWords,
  type OperationType,
} from '#domain/operations/operation-kinds.ts';
import { operationStart } from '#temporal/client/starts.ts';
import { isConditional, requireCurrent, type Versioned } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { defineCancel } from '../writes/cancels.ts';
import { searchedPages } from '../http/list-schemas.ts';
import { defineNoun, requireOne, show, toParams, toResponse, type Noun } from '../http/nouns.ts';
import * as schemas from './operation-schemas.ts';
import { defineRoute, type Answer, type IdRequest, type Route } from '../http/route.ts';
import { operationId } from '../http/schemas.ts';

/**
 * How operations of all types are read and cancelled (`docs/long-running-operations.md`). Each type is
 * submitted in a file of its own.
 */

/** @param type of the operations; `null` for all types. */
export function toOperations(
  { resultLinks }: Pick<ApiDeps, 'resultLinks'>,
  type: OperationType | null,
): Noun<Operation> {
  const { collection, scopes } = type === null ? allOperations : operationKinds[type];
  return {
    kind: 'operation',
    name: 'operation',
    collection,
    access: scopes.read,
    id: operationId,
    schema: type === null ? schemas.operationResource : schemas.operationResources[type],
    // An operation that is not done says when to poll again.
    headers: ['Retry-After'],
    find: (db, accountId, id) => findOperation(db, accountId, id, type),
    present: (operation) => presentOperation(operation, resultLinks.sign(operation, currentTime()).href),
    describe(operation) {
      const done = isDone(operation);
      const seconds = retryAfterSeconds(operation, currentTime());
      return {
        headers: done ? {} : { 'Retry-After': String(seconds) },
        record: toVersioned(resultLinks, operation),
        change: done ? 'on_request' : 'by_itself',
      };
    },
  };
}

/** Routes of all operations, whatever their type. */
export function operationRoutes(deps: ApiDeps): Route[] {
  const operations = toOperations(deps, null);
  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/operations/{id}',
    access: 'operations:write',
    summary: 'Cancel an operation, as `:cancel` does; it stays readable',
    description: 'The same as `POST /v1/operations/{id}:cancel`, without a body.',
    params: toParams(operations),
    responses: { 200: toResponse(operations) },
    problems: ['not_found', 'precondition_failed'],
    handle: (request) => cancelOperation(deps, request, null),
  });
  return [...collectionRoutes(deps, null), remove];
}

/**
 * Routes that list, read and cancel the operations of a collection.
 *
 * @param type of the operations; `null` for all types.
 */
export function collectionRoutes(deps: ApiDeps, type: OperationType | null): Route[] {
  const { collection, scopes } = type === null ? allOperations : operationKinds[type];
  const name = type === null ? 'operation' : operationWords(type);
  const named = `${/^[aeo]/.test(name) ? 'an' : 'a'} ${name}`;
  const query: z.ZodType<z.output<typeof schemas.operationQuery>> =
    type === null ? schemas.operationQuery : schemas.collectionQuery;
  const operations = toOperations(deps, type);

  const polled: Noun<Operation> = {
    ...operations,
    find: (_db, accountId, id) => findPolled(deps, operations, accountId, id),
  };
  const { list, read } = defineNoun(deps, polled, {
    list: {
      summary: `List ${collection.replaceAll('-', ' ')}, newest first`,
      description: `Returns a page. All filters must hold. Finished operations are kept for 30 days. ${searchedPages}`,
      query,
      find: (db, { account, query: { type: only = type ?? undefined, status } }, range, page) =>
        listOperations(db, account.id, { type: only, status, ...range }, page),
    },
    read: {
      summary: `Read ${named}`,
      description:
        'Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.',
    },
  });

  const cancel = defineCancel(deps, {
    path: `/v1/${collection}/{id}${type === null ? ':cancel' : '/cancel'}`,
    access: scopes.write,
    summary: `Cancel ${named}; one that is done stays as it is`,
    description:
      'A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the operation to learn how it ends.',
    params: toParams(operations),
    responses: { 200: toResponse(operations) },
    cancel: (request) => cancelOperation(deps, request, type),
  });

  return [list, read, cancel];
}

/** The longest that a poll waits for Temporal, in milliseconds. */
const describeWithinMs = 500;

/**
 * Finds an operation. If it is not done, Temporal is asked about its run too: an operator may have terminated it, and the
 * caller learns that without waiting for the sweep.
 */
async function findPolled(
  deps: ApiDeps,
  { find }: Noun<Operation>,
  accountId: string,
  id: string,
): Promise<Operation | null> {
  const operation = await find(deps.db, accountId, id);
  if (!operation || isDone(operation)) return operation;
  const run = await deps.temporal.describeRun(operation, performance.now() + describeWithinMs);
  if (run !== 'lost') return operation;
  await endLost(deps, operation);
  return find(deps.db, accountId, id);
}

/**
 * Writes the end of an operation whose run is lost, as the sweep does. A worker that still runs cannot end the operation
 * another way afterwards, and an end that was written before stays. If the write fails, the row is still the truth.
 */
async function endLost({ config, db, log }: ApiDeps, { id: operation }: Operation): Promise<void> {
  const { publicUrl } = config;
  try {
    await endOperation({ db, publicUrl }, operation, { status: 'failed', code: 'operation_terminated' });
  } catch (error) {
    log.warn({ operation, err: error }, 'end of a lost operation not written; the sweep writes it');
  }
}

/** Returns what the validators are made from. A result's link is signed anew, which changes the body. */
function toVersioned(resultLinks: ApiDeps['resultLinks'], operation: Operation): Versioned {
  const { id, version, updatedAt } = operation;
  if (operation.status !== 'succeeded') return operation;
  const { since } = resultLinks.sign(operation, currentTime());
  return {
    id,
    version: `${version}.${since.getTime() / 1000}`,
    updatedAt: updatedAt > since ? updatedAt : since,
  };
}

/** The longest that a cancel waits for its wake, in milliseconds. The row has the request already. */
const wakeWithinMs = 2_000;

/** Records the cancel on the row, then wakes the workflow, so that it looks at once. */
async function cancelOperation(
  deps: ApiDeps,
  request: IdRequest,
  type: OperationType | null,
): Promise<Answer<200>> {
  const { account, params, traceId } = request;
  const operations = toOperations(deps, type);
  if (isConditional(request))
    requireCurrent(request, toVersioned(deps.resultLinks, await requireOne(deps.db, operations, request)));
  const requested = await requestOperationCancel(deps.db, account.id, params.id, type);
  if (requested) await wakeForCancel(deps, requested, traceId);
  const operation = requested ?? (await requireOne(deps.db, operations, request));
  const { headers, ...answer } = show(operations, operation, request);
  // The path of a cancel is not that of the operation.
  return { ...answer, headers: { ...headers, 'Content-Location': operationPath(operation) } };
}

async function wakeForCancel(
  { temporal, log }: ApiDeps,
  requested: Operation,
  traceId: string,
): Promise<void> {
  const start = operationStart(requested, { traceId });
  const result = await temporal.wake(start, performance.now() + wakeWithinMs);
  if (result === 'done') return;
  log.warn(
    { operation: requested.id, result },
    'workflow not woken for the cancel; the worker reads it from the row',
  );
}
