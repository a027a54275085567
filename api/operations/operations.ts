import { endOperation } from '#db/operations/operation-ends.ts';
import { currentTime } from '#db/clock.ts';
import {
  findOperation,
  listOperations,
  requestOperationCancel,
  type OperationFilter,
} from '#db/operations/operations.ts';
import {
  isDone,
  operationCollections,
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
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import * as schemas from './operation-schemas.ts';
import { defineRoute, type Answer, type IdRequest, type Route } from '../http/route.ts';
import type { Scope } from '#domain/scopes.ts';

/**
 * Operations, as all of them are read and cancelled (contract, Asynchronous operation endpoints). How each type is
 * submitted is in a file of its own.
 */

const operationAnswer = {
  description: 'The operation',
  schema: schemas.operationResource,
  // While it is not done.
  headers: ['Retry-After'],
};
const pageAnswer = {
  description: 'A page of operations',
  schema: createPageSchema(schemas.operationResource),
};

/** Every operation, whatever its type. */
export function operationRoutes(deps: ApiDeps): Route[] {
  const list = defineRoute({
    method: 'GET',
    path: '/v1/operations',
    access: 'operations:read',
    summary: 'List operations, newest first',
    query: schemas.operationQuery,
    responses: { 200: pageAnswer },
    handle: (request) => listPage(deps, request, { type: request.query.type, ...filterOf(request.query) }),
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/operations/{id}',
    access: 'operations:read',
    summary: 'Read an operation',
    params: schemas.operationParams,
    responses: { 200: operationAnswer },
    problems: ['not_found'],
    handle: (request) => readOperation(deps, request, null),
  });

  const cancel = defineCancel(deps, {
    path: '/v1/operations/{id}:cancel',
    access: 'operations:write',
    summary: 'Ask an operation to stop; one that is done stays as it is',
    params: schemas.operationParams,
    responses: { 200: operationAnswer },
    cancel: (request) => cancelOperation(deps, request, null),
  });

  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/operations/{id}',
    access: 'operations:write',
    summary: 'The same as `:cancel`; the operation stays readable',
    params: schemas.operationParams,
    responses: { 200: operationAnswer },
    problems: ['not_found', 'precondition_failed'],
    handle: (request) => cancelOperation(deps, request, null),
  });

  return [list, read, cancel, remove];
}

/** The operations of one type, in their own collection. */
export function collectionRoutes(
  deps: ApiDeps,
  type: OperationType,
  scope: 'exports' | 'charge-batches',
): Route[] {
  const path = `/v1/${operationCollections[type]}`;
  const readScope: Scope = `${scope}:read`;
  const writeScope: Scope = `${scope}:write`;

  const list = defineRoute({
    method: 'GET',
    path,
    access: readScope,
    summary: `List ${words(type)}s, newest first`,
    query: schemas.collectionQuery,
    responses: { 200: pageAnswer },
    handle: (request) => listPage(deps, request, { type, ...filterOf(request.query) }),
  });

  const read = defineRoute({
    method: 'GET',
    path: `${path}/{id}`,
    access: readScope,
    summary: `Read a ${words(type)}`.replace('a export', 'an export'),
    params: schemas.operationParams,
    responses: { 200: operationAnswer },
    problems: ['not_found'],
    handle: (request) => readOperation(deps, request, type),
  });

  const cancel = defineCancel(deps, {
    path: `${path}/{id}/cancel`,
    access: writeScope,
    summary: `Ask a ${words(type)} to stop; one that is done stays as it is`.replace('a export', 'an export'),
    params: schemas.operationParams,
    responses: { 200: operationAnswer },
    cancel: (request) => cancelOperation(deps, request, type),
  });

  return [list, read, cancel];
}

/** How the documents call it. */
function words(type: OperationType): string {
  return type.replaceAll('_', ' ');
}

/** @throws {ProblemError} `not_found` */
export async function ownOperation(
  { db }: Pick<ApiDeps, 'db'>,
  request: IdRequest,
  type: OperationType | null,
): Promise<Operation> {
  const found = await findOperation(db, request.account.id, request.params.id, type);
  if (!found) throw new ProblemError('not_found');
  return found;
}

type FilterQuery = Parameters<typeof createdRange>[1] & Pick<OperationFilter, 'status'>;

function filterOf(query: FilterQuery): OperationFilter {
  return { status: query.status, ...createdRange('operation', query) };
}

type ListRequest = Parameters<ApiDeps['pages']['read']>[0];

function listPage(
  { db, pages, resultLinks }: ApiDeps,
  request: ListRequest,
  filter: OperationFilter,
): Promise<Answer> {
  const now = currentTime();
  return pages.list(
    request,
    (page) => listOperations(db, request.account.id, filter, page),
    (operation) => presentOperation(operation, resultLinks.sign(operation, now).href),
  );
}

/** The longest that a poll waits for Temporal's word. */
const describeWithinMs = 500;

/**
 * A finished operation is its row. One that runs is asked for at Temporal too: an operator may have ended it, and its
 * caller need not wait for the sweep to learn it.
 */
async function readOperation(deps: ApiDeps, request: IdRequest, type: OperationType | null): Promise<Answer> {
  const operation = await ownOperation(deps, request, type);
  if (isDone(operation)) return show(deps, operation);
  const run = await deps.temporal.describeRun(operation, Date.now() + describeWithinMs);
  if (run !== 'lost') return show(deps, operation);
  await endLost(deps, operation);
  return show(deps, await ownOperation(deps, request, type));
}

/**
 * An end is told once it is written, as the sweep writes it: who still works on the operation can end it no other way
 * then, and who was faster stays right. Where it cannot be written, the row is still the truth.
 */
async function endLost({ config, db, log }: ApiDeps, { id: operation }: Operation): Promise<void> {
  const { publicUrl } = config;
  try {
    await endOperation({ db, publicUrl }, operation, { status: 'failed', code: 'operation_terminated' });
  } catch (error) {
    log.warn({ operation, err: error }, 'end of a lost operation not written; the sweep will');
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
    record: recordOf(deps, operation),
    change: done ? 'on_request' : 'by_itself',
  };
}

/** What shows a link changes with it. */
function recordOf({ resultLinks }: ApiDeps, operation: Operation): Versioned {
  const { id, version, updatedAt } = operation;
  if (operation.status !== 'succeeded') return operation;
  const { since } = resultLinks.sign(operation, currentTime());
  return {
    id,
    version: `${version}.${since.getTime() / 1000}`,
    updatedAt: updatedAt > since ? updatedAt : since,
  };
}

/** How long a cancel waits for its signal; the row says it already. */
const signalWithinMs = 2_000;

/** The wish is written first; the signal only hastens it. */
async function cancelOperation(
  deps: ApiDeps,
  request: IdRequest,
  type: OperationType | null,
): Promise<Answer> {
  const { account, params, traceId } = request;
  if (isConditional(request))
    requireCurrent(request, recordOf(deps, await ownOperation(deps, request, type)));
  const asked = await requestOperationCancel(deps.db, account.id, params.id, type);
  if (!asked) return show(deps, await ownOperation(deps, request, type));
  const start = operationStart(asked, { summary: words(asked.type), traceId });
  const result = await deps.temporal.signal(start, cancelSignal, Date.now() + signalWithinMs);
  if (result !== 'done') {
    deps.log.warn({ operation: asked.id, result }, 'cancel not signalled; the worker sees it on the row');
  }
  return show(deps, asked);
}
