import { currentTime } from '../clock.ts';
import type { Effect } from '../writes/effects.ts';
import type { Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { countBegunRows } from './failed-batches.ts';
import { findClaimedOperation, findSubmission, settleOperation } from './operations.ts';
import type { EventType } from '#domain/events.ts';
import { operationKinds } from '#domain/operations/operation-kinds.ts';
import {
  isDone,
  presentOperation,
  resultPath,
  type Operation,
  type OperationResult,
  type OperationStatus,
} from '#domain/operations.ts';
import { presentProblem, type ProblemCode, type ProblemResource } from '#domain/problems.ts';

/**
 * Ends an operation: for the step that did its work, for the sweep, or for a poll that finds its run lost.
 */

export interface OperationActivityDeps {
  db: Database;
  /** The base of links in problem documents and events. */
  publicUrl: string;
}

/** The end of an operation's work. */
export type OperationEnd =
  | { status: 'succeeded'; total: number; result: OperationResult }
  /** `result`: the work done so far, if there is any. (Default of the numbers: the recorded progress) */
  | { status: 'cancelled'; completed?: number; total?: number; result: OperationResult | null }
  | { status: 'failed'; code: Extract<ProblemCode, `operation_${string}`> };

/** The end of an operation whose snapshot is of another cluster. */
export const snapshotLost: OperationEnd = { status: 'failed', code: 'operation_snapshot_lost' };

/**
 * Ends an operation with its event, and returns its status. An operation that has ended stays as it is.
 *
 * @throws {Error} if its state does not allow this end.
 */
export async function endOperation(
  { db, publicUrl }: OperationActivityDeps,
  operationId: string,
  end: OperationEnd,
): Promise<{ status: OperationStatus | 'not_started' }> {
  for (let refused: number | null = null; ;) {
    const found = await findClaimedOperation(db, operationId);
    if (!found) return { status: 'not_started' };
    const { operation } = found;
    const { status, version } = operation;
    if (isDone(operation)) return { status };
    if (version === refused) throw new Error(`${operationId} is ${status}: it cannot end as ${end.status}`);
    const moved = await endedOperation({ db, publicUrl }, operation, end);
    if (await settleOperation(db, moved, { event: buildEvent(moved, publicUrl) })) {
      return { status: moved.status };
    }
    refused = version;
  }
}

async function endedOperation(
  deps: OperationActivityDeps,
  read: Operation,
  end: OperationEnd,
): Promise<Operation> {
  const now = currentTime();
  const moved = { ...read, status: end.status, doneAt: now, updatedAt: now };
  switch (end.status) {
    case 'succeeded': {
      // A filter by what changes may let fewer rows pass in the end than it did at first.
      const total = Math.max(read.completed, end.total);
      return { ...moved, completed: total, total, result: end.result };
    }
    case 'cancelled': {
      const error = await buildProblem(deps, read, 'operation_cancelled', end.result !== null);
      const completed = Math.max(read.completed, end.completed ?? 0);
      return { ...moved, completed, total: end.total ?? read.total, result: end.result, error };
    }
    case 'failed': {
      const hasRows = operationKinds[read.type].hasPartialResult ?? false;
      // No row begins any more once the batch has failed. Its result is written by the sweep.
      const completed = hasRows
        ? Math.max(read.completed, await countBegunRows(deps.db, read.id))
        : read.completed;
      return { ...moved, completed, error: await buildProblem(deps, read, end.code, hasRows) };
    }
  }
}

async function buildProblem(
  { db, publicUrl }: OperationActivityDeps,
  operation: Operation,
  code: ProblemCode,
  hasResult: boolean,
): Promise<ProblemResource> {
  const { path: instance, traceId } = await findSubmission(db, operation.id);
  const extras = hasResult ? { result: resultPath(operation) } : {};
  return presentProblem(code, { publicUrl, instance, traceId }, undefined, extras);
}

/** Builds the event. It has the unsigned link to the result, which does not expire. */
function buildEvent(operation: Operation, publicUrl: string): Effect['event'] {
  const object = presentOperation(operation, publicUrl + resultPath(operation));
  const type = `operation.${operation.status}` as EventType;
  return { id: newId('event'), type, resourceId: operation.id, object };
}
