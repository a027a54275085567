import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { findSubmission } from '#db/operations/operations.ts';
import {
  isDone,
  operationCollections,
  resultExpiry,
  resultPath,
  retryAfterSeconds,
  type Operation,
  type OperationType,
} from '#domain/operations.ts';
import { exportScopes, exportTypes, type ExportRequest } from '#domain/exports.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { operationParams } from './operation-schemas.ts';
import { requireOperation } from './operations.ts';
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

const types = Object.values(exportTypes).map((type) => type.split(';')[0] ?? type);

const file = { description: 'The file', types };

/** The scopes that read the rows of an export, for each resource that it may hold. */
export const exportContents: readonly (readonly Scope[])[] = Object.values(exportScopes).map((scope) => [
  scope,
]);

/** The scopes that read the rows of a result also read the result. */
const contents: Readonly<Record<OperationType, readonly (readonly Scope[])[]>> = {
  export: exportContents,
  charge_batch: [['charges:read']],
  webhook_replay: [['webhooks:read']],
};

const collectionScope: Readonly<Record<OperationType, Scope>> = {
  export: 'exports:read',
  charge_batch: 'charge-batches:read',
  webhook_replay: 'operations:read',
};

/** Returns the scopes that `/v1/operations` needs for a result: those of its rows, and that of its collection. */
function withCollectionScope(type: OperationType, of: readonly Scope[]): readonly Scope[] {
  const own = collectionScope[type];
  return own === 'operations:read' ? of : [own, ...of];
}

const allContents = (Object.keys(contents) as OperationType[]).flatMap((type) =>
  contents[type].map((of) => withCollectionScope(type, of)),
);

/** Returns the scopes that read the rows of an operation's result. */
async function findContentScopes({ db }: ApiDeps, { id, type }: Operation): Promise<readonly Scope[]> {
  if (type !== 'export') return contents[type][0] ?? [];
  const { request } = await findSubmission<ExportRequest>(db, id);
  return [exportScopes[request.resource]];
}

/**
 * Defines the download of results.
 *
 * @param type of the operations; `null` for all types.
 */
export function resultRoute(deps: ApiDeps, type: OperationType | null, produces: string[] = types): Route {
  return defineRoute({
    method: 'GET',
    path: `/v1/${type ? operationCollections[type] : 'operations'}/{id}/result`,
    access: type ? collectionScope[type] : 'operations:read',
    furtherScopes: type ? contents[type] : allContents,
    summary: 'Download the result',
    description:
      'Without a signature, the answer redirects to a newly signed link. `Range` is supported, so that an interrupted download can continue.',
    params: operationParams,
    query: signature,
    produces,
    responses: {
      200: { ...file, types: produces },
      206: { description: 'The requested range of the file', types: produces },
      303: { description: 'A newly signed link to the file' },
    },
    problems: ['operation_not_done', 'link_expired', 'result_expired', 'range_not_satisfiable'],
    async handle(request) {
      const operation = await requireOperation(deps, request, type);
      const content = await findContentScopes(deps, operation);
      request.requireFurther(type ? content : withCollectionScope(operation.type, content));
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

function redirect({ resultLinks }: ApiDeps, operation: Operation): Answer {
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
