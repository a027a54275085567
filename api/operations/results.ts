import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { findSubmission } from '#db/operations/operations.ts';
import {
  isDone,
  operationCollections,
  resultExpiryOf,
  retryAfterSeconds,
  type Operation,
  type OperationType,
} from '#domain/operations.ts';
import { exportTypes, type ExportRequest } from '#domain/exports.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { operationParams } from './operation-schemas.ts';
import { ownOperation } from './operations.ts';
import { defineRoute, type Answer, type FileAnswer, type Route } from '../http/route.ts';
import type { Scope } from '#domain/scopes.ts';

/**
 * The files that operations leave: by a signed link that expires, and still to the owner's token only (contract,
 * Limits, Result URLs).
 */

const signature = z.strictObject({
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional()
    .describe('As the link has it.'),
  signature: z.string().max(100).optional().describe('As the link has it.'),
});

const types = Object.values(exportTypes).map((type) => type.split(';')[0] ?? type);

const file = { description: 'The file', types };

/** What reads the rows of an export, by what it may be of. */
export const exportContents: readonly (readonly Scope[])[] = [
  ['charges:read'],
  ['refunds:read'],
  ['events:read'],
];

/** What reads a result is what reads the rows that it holds. */
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

/** Among the results of all operations, one also needs the scope of the collection that it belongs to. */
function amongAll(type: OperationType, of: readonly Scope[]): readonly Scope[] {
  const own = collectionScope[type];
  return own === 'operations:read' ? of : [own, ...of];
}

const allContents = (Object.keys(contents) as OperationType[]).flatMap((type) =>
  contents[type].map((of) => amongAll(type, of)),
);

/** What the result of an operation holds, as scopes. */
async function contentOf({ db }: ApiDeps, { id, type }: Operation): Promise<readonly Scope[]> {
  if (type !== 'export') return contents[type][0] ?? [];
  const { request } = await findSubmission<ExportRequest>(db, id);
  return [`${request.resource}:read`];
}

/**
 * @param type `null`: the results of all operations, whatever their type.
 */
export function resultRoute(deps: ApiDeps, type: OperationType | null, produces: string[] = types): Route {
  return defineRoute({
    method: 'GET',
    path: `/v1/${type ? operationCollections[type] : 'operations'}/{id}/result`,
    access: type ? collectionScope[type] : 'operations:read',
    furtherScopes: type ? contents[type] : allContents,
    summary: 'Download the result',
    description:
      'Without a signature it leads to a freshly signed link. `Range` of bytes is served, so that a download that was cut can be gone on with.',
    params: operationParams,
    query: signature,
    produces,
    responses: {
      200: { ...file, types: produces },
      206: { description: 'The range of the file that was asked for', types: produces },
      303: { description: 'A freshly signed link to it' },
    },
    problems: ['operation_not_done', 'link_expired', 'result_expired', 'range_not_satisfiable'],
    async handle(request) {
      const operation = await ownOperation(deps, request, type);
      const content = await contentOf(deps, operation);
      request.requireFurther(type ? content : amongAll(operation.type, content));
      const { expires, signature: given } = request.query;
      requireResult(operation);
      if (expires === undefined && given === undefined) return redirect(deps, operation);
      const link = { expires: expires ?? '', signature: given ?? '' };
      if (!deps.resultLinks.isValid(operation.id, link, currentTime()))
        throw new ProblemError('link_expired');
      return { status: 200, file: fileOf(deps, operation) };
    },
  });
}

/** @throws {ProblemError} `operation_not_done`, `result_expired`, and `not_found` where it ended without one. */
function requireResult(operation: Operation): void {
  const now = currentTime();
  if (!isDone(operation)) {
    const headers = { 'Retry-After': String(retryAfterSeconds(operation, now)) };
    throw new ProblemError('operation_not_done', { headers });
  }
  if (!operation.result) {
    throw new ProblemError('not_found', { detail: `The operation ${operation.status}, and left no result.` });
  }
  if ((resultExpiryOf(operation) ?? now) <= now) throw new ProblemError('result_expired');
}

function redirect({ resultLinks }: ApiDeps, operation: Operation): Answer {
  const { href } = resultLinks.sign(operation, currentTime());
  const { pathname, search } = new URL(href);
  return { status: 303, headers: { Location: pathname + search } };
}

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json',
};

function fileOf({ blobs }: ApiDeps, operation: Operation): FileAnswer {
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
      // Deleted in this very moment, by retention; otherwise it should be there.
      requireResult(operation);
      throw new Error(`The result of ${id} is not in the store`);
    },
  };
}
