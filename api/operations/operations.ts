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
  type OperationType,
} from '#domain/operations.ts';
import { ProblemError } from '#domain/problems.ts';
import { cancelSignal } from '#temporal/messages.ts';
import { operationStart } from '#temporal/client/starts.ts';
import { isConditional, requireCurrent, type Versioned } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { defineCancel } from '../writes/cancels.ts';
import { createdRange, createPageSchema, searchedPages } from '../http/list-schemas.ts';
import * as schemas from './operation-schemas.ts';
import { defineRoute, type Answer, type ApiRequest, type IdRequest, type Route } from '../http/route.ts';

/**
 * How operations of all types are read and cancelled (`docs/long-running-operations.md`). Each type is
 * submitted in a file of its own.
 */

/** @param type of the operations; `null` for all types. */
function describeAnswers(type: OperationType | null) {
  const schema = type === null ? schemas.operationResource : schemas.operationResources[type];
  return {
    // An operation that is not done says when to poll again.
    one: { description: 'The operation', schema, headers: ['Retry-After'] },
    page: { description: 'A page of operations', schema: createPageSchema(schema) },
  };
}

/** Routes of all operations, whatever their type. */
export function operationRoutes(deps: ApiDeps): Route[] {
  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/operations/{id}',
    access: 'operations:write',
    summary: 'Cancel an operation, as `:cancel` does; it stays readable',
    description: 'The same as `POST /v1/operations/{id}:cancel`, without a body.',
    params: schemas.operationParams,
    responses: { 200: describeAnswers(null).one },
    problems: ['not_found', 'precondition_failed'],
    handle: (request) => cancelOperation(deps, request, null),
  });
  return [...collectionRoutes(deps, 'operations', null), remove];
}

/**
 * Routes that list, read and cancel the operations of a collection.
 *
 * @param type of the operations; `null` for all types.
 */
export function collectionRoutes(
  deps: ApiDeps,
  collection: 'operations' | 'exports' | 'charge-batches',
  type: OperationType | null,
): Route[] {
  const name = toWords(type ?? 'operation');
  const answers = describeAnswers(type);
  const named = `${/^[aeo]/.test(name) ? 'an' : 'a'} ${name}`;
  const query: z.ZodType<z.output<typeof schemas.operationQuery>> =
    type === null ? schemas.operationQuery : schemas.collectionQuery;

  const list = defineRoute({
    method: 'GET',
    path: `/v1/${collection}`,
    access: `${collection}:read`,
    summary: `List ${name}s, newest first`,
    description: `Returns a page. All filters must hold. Finished operations are kept for 30 days. ${searchedPages}`,
    query,
    responses: { 200: answers.page },
    handle: (request) => listPage(deps, request, type),
  });

  const read = defineRoute({
    method: 'GET',
    path: `/v1/${collection}/{id}`,
    access: `${collection}:read`,
    summary: `Read ${named}`,
    description:
      'Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.',
    params: schemas.operationParams,
    responses: { 200: answers.one },
    problems: ['not_found'],
    handle: (request) => readOperation(deps, request, type),
  });

  const cancel = defineCancel(deps, {
    path: `/v1/${collection}/{id}${type === null ? ':cancel' : '/cancel'}`,
    access: `${collection}:write`,
    summary: `Cancel ${named}; one that is done stays as it is`,
    description:
      'A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the operation to learn how it ends.',
    params: schemas.operationParams,
    responses: { 200: answers.one },
    cancel: (request) => cancelOperation(deps, request, type),
  });

  return [list, read, cancel];
}

/** Returns the name of a type for people: `charge batch`. */
function toWords(type: OperationType | 'operation'): string {
  return type.replaceAll('_', ' ');
}

/** @throws {ProblemError} `not_found` */
export async function requireOperation(
  { db }: Pick<ApiDeps, 'db'>,
  request: IdRequest,
  type: OperationType | null,
): Promise<Operation> {
  const found = await findOperation(db, request.account.id, request.params.id, type);
  if (!found) throw new ProblemError('not_found');
  return found;
}

function listPage(
  { pages, resultLinks }: ApiDeps,
  request: ApiRequest<unknown, z.output<typeof schemas.operationQuery>>,
  collectionType: OperationType | null,
): Promise<Answer> {
  const { type = collectionType ?? undefined, status } = request.query;
  const filter = { type, status, ...createdRange('operation', request.query) };
  const now = currentTime();
  return pages.search(
    request,
    (page, db) => listOperations(db, request.account.id, filter, page),
    (operation) => presentOperation(operation, resultLinks.sign(operation, now).href),
  );
}

/** The longest that a poll waits for Temporal, in milliseconds. */
const describeWithinMs = 500;

/**
 * Reads an operation. If it is not done, Temporal is asked about its run too: an operator may have terminated it, and the
 * caller learns that without waiting for the sweep.
 */
async function readOperation(deps: ApiDeps, request: IdRequest, type: OperationType | null): Promise<Answer> {
  const operation = await requireOperation(deps, request, type);
  if (isDone(operation)) return show(deps, operation);
  const run = await deps.temporal.describeRun(operation, performance.now() + describeWithinMs);
  if (run !== 'lost') return show(deps, operation);
  await endLost(deps, operation);
  return show(deps, await requireOperation(deps, request, type));
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

function show(deps: ApiDeps, operation: Operation): Answer {
  const now = currentTime();
  const { href } = deps.resultLinks.sign(operation, now);
  const done = isDone(operation);
  return {
    status: 200,
    headers: done ? {} : { 'Retry-After': String(retryAfterSeconds(operation, now)) },
    body: presentOperation(operation, href),
    record: toVersioned(deps, operation),
    change: done ? 'on_request' : 'by_itself',
  };
}

/** Shows an operation in the answer to its cancel, whose path is not that of the operation. */
function showCancelled(deps: ApiDeps, operation: Operation): Answer {
  const { headers, ...answer } = show(deps, operation);
  return { ...answer, headers: { ...headers, 'Content-Location': operationPath(operation) } };
}

/** Returns what the validators are made from. A result's link is signed anew, which changes the body. */
function toVersioned({ resultLinks }: ApiDeps, operation: Operation): Versioned {
  const { id, version, updatedAt } = operation;
  if (operation.status !== 'succeeded') return operation;
  const { since } = resultLinks.sign(operation, currentTime());
  return {
    id,
    version: `${version}.${since.getTime() / 1000}`,
    updatedAt: updatedAt > since ? updatedAt : since,
  };
}

/** The longest that a cancel waits for its signal, in milliseconds. The row has the request already. */
const signalWithinMs = 2_000;

/** Records the cancel on the row, then signals the workflow, so that it looks at once. */
async function cancelOperation(
  deps: ApiDeps,
  request: IdRequest,
  type: OperationType | null,
): Promise<Answer> {
  const { account, params, traceId } = request;
  if (isConditional(request))
    requireCurrent(request, toVersioned(deps, await requireOperation(deps, request, type)));
  const requested = await requestOperationCancel(deps.db, account.id, params.id, type);
  if (!requested) return showCancelled(deps, await requireOperation(deps, request, type));
  const start = operationStart(requested, { summary: toWords(requested.type), traceId });
  const result = await deps.temporal.signal(start, cancelSignal, performance.now() + signalWithinMs);
  if (result !== 'done') {
    deps.log.warn(
      { operation: requested.id, result },
      'cancel not signalled; the worker reads it from the row',
    );
  }
  return showCancelled(deps, requested);
}
