import type { ExportRequestResource } from './operations/exports.ts';
import { operationKinds, type OperationType } from './operations/operation-kinds.ts';
import type { ProblemResource, Reply } from './problems.ts';

/**
 * An operation: work that cannot finish inside one request, its states, and its form over the wire
 * (`docs/long-running-operations.md`).
 */

export type OperationStatus =
  /** Accepted; no worker has picked it up yet. */
  | 'queued'
  /** A worker works on it. */
  | 'running'
  /** The caller has requested a cancel; the worker has not stopped yet. */
  | 'cancelling'
  /** The work was completed. Terminal. */
  | 'succeeded'
  /** The work ended without completing. Terminal. */
  | 'failed'
  /** The worker stopped at the caller's request. Work done by then stays done. Terminal. */
  | 'cancelled';

/** The file that the work made, in the blob store. */
export interface OperationResult {
  /** Where in the blob store. */
  key: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
}

export interface Operation {
  id: string;
  accountId: string;
  /** The claim whose run owns this operation; also in the run's memo. */
  claimId: string;
  workflowId: string;
  type: OperationType;
  status: OperationStatus;
  /** Steps done, never less than before. */
  completed: number;
  /** `null` until it is known. */
  total: number | null;
  /** Of a cancelled or failed operation too, where its type has one. */
  result: OperationResult | null;
  error: ProblemResource | null;
  /** The valid request, in the form of its type. */
  request: object;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  cancelRequestedAt: Date | null;
  doneAt: Date | null;
  /** Grows with every change of the row; the ETag is made from it. */
  version: number;
}

const terminal: readonly OperationStatus[] = ['succeeded', 'failed', 'cancelled'];

export function isDone({ status }: Pick<Operation, 'status'>): boolean {
  return terminal.includes(status);
}

const dayMs = 86_400_000;

/** How long a finished operation can be read (`docs/long-running-operations.md`, "Fetch the result"). */
export const operationRetentionMs = 30 * dayMs;

/** How long its result can be fetched. */
export const resultRetentionMs = 7 * dayMs;

export function operationExpiry({ doneAt }: Pick<Operation, 'doneAt'>): Date | null {
  return doneAt && new Date(doneAt.getTime() + operationRetentionMs);
}

export function resultExpiry({ doneAt }: Pick<Operation, 'doneAt'>): Date | null {
  return doneAt && new Date(doneAt.getTime() + resultRetentionMs);
}

export interface ResultResource {
  /** Where the result is fetched; needs the owner's token all the same. */
  href: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  /** Until when the result is kept. */
  expires_at: string;
}

export interface OperationResource {
  name: string;
  object: 'operation';
  id: string;
  type: OperationType;
  status: OperationStatus;
  done: boolean;
  progress: { completed: number; total: number } | null;
  /** Of an export: what was asked for. */
  request?: ExportRequestResource;
  /** Exactly one of `error` and `response` once it is done. */
  error?: ProblemResource;
  response?: ResultResource;
  created: string;
  updated: string;
  expires_at: string | null;
}

/** The path of an operation in its own collection. */
export function operationPath({ type, id }: Pick<Operation, 'type' | 'id'>): string {
  return `/v1/${operationKinds[type].collection}/${id}`;
}

/** The path of its result; unsigned, it leads to a signed one. */
export function resultPath(operation: Pick<Operation, 'type' | 'id'>): string {
  return `${operationPath(operation)}/result`;
}

/** @param href of the result, where there is one. */
export function presentOperation(operation: Operation, href: string): OperationResource {
  const { id, type, status, completed, total, error, request, createdAt, updatedAt } = operation;
  const shown = operationKinds[type].presentRequest?.(request) as ExportRequestResource | undefined;
  return {
    name: `operations/${id}`,
    object: 'operation',
    id,
    type,
    status,
    done: isDone(operation),
    progress: total === null ? null : { completed, total },
    ...(shown && { request: shown }),
    ...presentResult(operation, href),
    ...(error && { error }),
    created: createdAt.toISOString(),
    updated: updatedAt.toISOString(),
    expires_at: operationExpiry(operation)?.toISOString() ?? null,
  };
}

/** Returns the answer to the request that submitted an operation: where to look, and when. */
export function replyToOperation(operation: Operation): Reply {
  return { status: 202, path: operationPath(operation), resource: presentOperation(operation, '') };
}

function presentResult(operation: Operation, href: string): Pick<OperationResource, 'response'> {
  const { status, result } = operation;
  if (status !== 'succeeded' || !result) return {};
  const { contentType: content_type, size, sha256 } = result;
  const expires_at = resultExpiry(operation)?.toISOString() ?? '';
  return { response: { href, content_type, size, sha256, expires_at } };
}

const longestWaitS = 60;

/**
 * Seconds that a poller should wait: a quarter of the time that the work is expected to take from now on, so that
 * polls grow dense towards its end.
 */
export function retryAfterSeconds(operation: Operation, now: Date): number {
  const { status, completed, total, startedAt } = operation;
  if (status !== 'running' || !startedAt || total === null || completed === 0) return 1;
  const perStepMs = (now.getTime() - startedAt.getTime()) / completed;
  const leftS = (perStepMs * (total - completed)) / 1000;
  return Math.min(longestWaitS, Math.max(1, Math.ceil(leftS / 4)));
}
