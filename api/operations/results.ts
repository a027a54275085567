import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import {
  allOperations,
  operationKinds,
  operationTypes,
  type OperationType,
} from '#domain/operations/operation-kinds.ts';
import { isDone, resultExpiry, resultPath, retryAfterSeconds, type Operation } from '#domain/operations.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireOne, toParams } from '../http/nouns.ts';
import { toOperations } from './operations.ts';
import { defineRoute, type Answer, type FileAnswer, type Route } from '../http/route.ts';
import type { Scope } from '#domain/scopes.ts';

/**
 * Downloads of result files: by a signed link that expires, and with the owner's token only
 * (`docs/long-running-operations.md`, "Fetch the result").
 */

const signature = z.strictObject({
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional()
    .describe('From the link.'),
  signature: z.string().max(100).optional().describe('From the link.'),
});

/** Returns the scopes that `/v1/operations` needs for a result: those of its rows, and that of its own collection. */
function withCollectionScope(type: OperationType, contents: readonly Scope[]): readonly Scope[] {
  const { read } = operationKinds[type].scopes;
  return read === allOperations.scopes.read ? contents : [read, ...contents];
}

const allContents = operationTypes.flatMap((type) =>
  operationKinds[type].contents.map((contents) => withCollectionScope(type, contents)),
);

/** Returns the scopes that read the rows of an operation's result. */
function findContents({ type, request }: Operation): readonly Scope[] {
  const { contents, findContents: find } = operationKinds[type];
  return find?.(request) ?? contents[0] ?? [];
}

/**
 * Defines the download of results.
 *
 * @param type of the operations; `null` for all types.
 */
export function resultRoute(deps: ApiDeps, type: OperationType | null): Route {
  const { collection, scopes } = type === null ? allOperations : operationKinds[type];
  const mayHold = (type === null ? operationTypes : [type]).flatMap((one) => operationKinds[one].resultTypes);
  const types = [...new Set(mayHold.map((media) => media.split(';')[0] ?? media))];
  const operations = toOperations(deps, type);
  return defineRoute({
    method: 'GET',
    path: `/v1/${collection}/{id}/result`,
    access: scopes.read,
    furtherScopes: type === null ? allContents : operationKinds[type].contents,
    summary: 'Download the result',
    description:
      'Without a signature, the answer redirects to a newly signed link. `Range` is supported, so that an interrupted download can continue.',
    params: toParams(operations),
    query: signature,
    produces: types,
    responses: {
      200: { description: 'The file', types },
      206: { description: 'The requested range of the file', types },
      303: { description: 'A newly signed link to the file' },
    },
    problems: ['operation_not_done', 'link_expired', 'result_expired', 'range_not_satisfiable'],
    async handle(request) {
      const operation = await requireOne(deps.db, operations, request);
      const contents = findContents(operation);
      request.requireFurther(type ? contents : withCollectionScope(operation.type, contents));
      const { expires, signature: given } = request.query;
      requireResult(operation);
      if (expires === undefined && given === undefined) return redirect(deps, operation);
      const link = { expires: expires ?? '', signature: given ?? '' };
      if (!deps.resultLinks.isValid(operation.id, link, currentTime()))
        throw new ProblemError('link_expired');
      return { status: 200, file: toFileAnswer(deps, operation) };
    },
  });
}

/** @throws {ProblemError} `operation_not_done`, `result_expired`, and `not_found` if it ended without a result. */
function requireResult(operation: Operation): void {
  const now = currentTime();
  if (!isDone(operation)) {
    const headers = { 'Retry-After': String(retryAfterSeconds(operation, now)) };
    throw new ProblemError('operation_not_done', { headers });
  }
  if (!operation.result && operation.error?.result !== undefined) {
    const detail =
      'The operation has ended, and its result is being written. Ask again after Retry-After seconds.';
    throw new ProblemError('operation_not_done', { detail, headers: { 'Retry-After': '10' } });
  }
  if (!operation.result) {
    throw new ProblemError('not_found', { detail: `The operation ${operation.status} without a result.` });
  }
  if ((resultExpiry(operation) ?? now) <= now) throw new ProblemError('result_expired');
}

function redirect({ resultLinks }: ApiDeps, operation: Operation): Answer<303> {
  const { href } = resultLinks.sign(operation, currentTime());
  return { status: 303, headers: { Location: resultPath(operation) + new URL(href).search } };
}

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

function toFileAnswer({ blobs }: ApiDeps, operation: Operation): FileAnswer {
  const { result, doneAt, id } = operation;
  if (!result || !doneAt) throw new Error(`${id} has no result`);
  const { key, contentType, size, sha256 } = result;
  return {
    name: `${id}.${extensions[contentType.split(';')[0] ?? ''] ?? 'bin'}`,
    contentType,
    size,
    validators: { etag: `"${sha256}"`, lastModified: doneAt },
    async open(range) {
      const stored = await blobs.read(key, range);
      if (stored) return stored;
      // Retention may have deleted the file meanwhile.
      requireResult(operation);
      throw new Error(`The result of ${id} is not in the store`);
    },
  };
}
