import { currentTime } from '../clock.ts';
import type { Effect } from '../writes/effects.ts';
import type { Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { findClaimedOperation, findSubmission, settleOperation } from './operations.ts';
import type { EventType } from '#domain/events.ts';
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
 * How an operation ends: by the step that did its work, by the sweep, or by a poll that learns that its run was lost.
 */

export interface OperationActivityDeps {
  db: Database;
  /** The base of links in problem documents and events. */
  publicUrl: string;
}

/** How the work of an operation ended. */
export type OperationEnd =
  | { status: 'succeeded'; total: number; result: OperationResult }
  /** `result`: of what was done by then, where there is one. (Default: the progress that was noted) */
  | { status: 'cancelled'; completed?: number; total?: number; result: OperationResult | null }
  | { status: 'failed'; code: Extract<ProblemCode, `operation_${string}`> };

/** Of one whose snapshot was taken in another cluster. */
export const snapshotLost: OperationEnd = { status: 'failed', code: 'operation_snapshot_lost' };

/**
 * Ends an operation with its event. One that has ended stays as it is: whoever comes late, a worker that was
 * thought dead or a cancel that lost the race, is told how it ended.
 *
 * @throws {Error} when it cannot end like this from the state it is in. Nobody moved it, so that to look again at once
 *   would be no use.
 */
export async function endOperation(
  { db, publicUrl }: OperationActivityDeps,
  operationId: string,
  end: OperationEnd,
): Promise<{ status: OperationStatus | 'not_started' }> {
  for (let refused: number | null = null; ;) {
    const held = await findClaimedOperation(db, operationId);
    if (!held) return { status: 'not_started' };
    const { operation } = held;
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
      const error = await buildProblem(deps, read, 'operation_cancelled', end.result);
      const completed = Math.max(read.completed, end.completed ?? 0);
      return { ...moved, completed, total: end.total ?? read.total, result: end.result, error };
    }
    case 'failed':
      return { ...moved, error: await buildProblem(deps, read, end.code, null) };
  }
}

async function buildProblem(
  { db, publicUrl }: OperationActivityDeps,
  operation: Operation,
  code: ProblemCode,
  result: OperationResult | null,
): Promise<ProblemResource> {
  const { path: instance, traceId } = await findSubmission(db, operation.id);
  const extras = result ? { result: resultPath(operation) } : {};
  return presentProblem(code, { publicUrl, instance, traceId }, undefined, extras);
}

/** An event's reader has the unsigned link: it outlives every signature. */
function buildEvent(operation: Operation, publicUrl: string): Effect['event'] {
  const object = presentOperation(operation, publicUrl + resultPath(operation));
  const type = `operation.${operation.status}` as EventType;
  return { id: newId('event'), type, resourceId: operation.id, object };
}
