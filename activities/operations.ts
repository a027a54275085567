import { beginChargeBatch } from '../db/charge-batches.ts';
import type { Effect } from '../db/effects.ts';
import { storeAnswer, toStored } from '../db/idempotency-keys.ts';
import type { Database } from '../db/knex.ts';
import { newId } from '../db/new-id.ts';
import { beginOperation, findHeldOperation, findSubmission, settleOperation } from '../db/operations.ts';
import { answerOperation } from '../domain/answers.ts';
import type { EventType } from '../domain/events.ts';
import {
  isDone,
  presentOperation,
  resultPath,
  type Operation,
  type OperationResult,
  type OperationStatus,
} from '../domain/operations.ts';
import { presentProblem, type ProblemCode, type ProblemResource } from '../domain/problems.ts';
import type { OperationInput } from '../workflows/contract.ts';

export interface OperationActivityDeps {
  db: Database;
  /** The base of links in problem documents and events. */
  publicUrl: string;
}

/** Where an operation stands after a step: this goes into the history. */
export interface OperationProgress {
  /** `not_started`: the claim was gone or too old, so nothing was done. */
  status: OperationStatus | 'not_started';
}

/** How the work of an operation ended. */
export type OperationEnd =
  | { status: 'succeeded'; total: number; result: OperationResult }
  /** `result`: of what was done by then, where there is one. (Default: the progress that was noted) */
  | { status: 'cancelled'; completed?: number; total?: number; result: OperationResult | null }
  | { status: 'failed'; code: Extract<ProblemCode, `operation_${string}`> };

/**
 * Ends an operation with its event. One that has ended stays as it is: whoever comes late, a worker that was
 * thought dead or a cancel that lost the race, is told how it ended.
 */
export async function endOperation(
  { db, publicUrl }: OperationActivityDeps,
  operationId: string,
  end: OperationEnd,
): Promise<OperationProgress> {
  for (;;) {
    const held = await findHeldOperation(db, operationId);
    if (!held) return { status: 'not_started' };
    const { operation } = held;
    if (isDone(operation)) return { status: operation.status };
    const moved = await endedOperation({ db, publicUrl }, operation, end);
    if (await settleOperation(db, moved, { event: eventOf(moved, publicUrl) })) {
      return { status: moved.status };
    }
  }
}

async function endedOperation(
  deps: OperationActivityDeps,
  read: Operation,
  end: OperationEnd,
): Promise<Operation> {
  const now = new Date();
  const moved = { ...read, status: end.status, doneAt: now, updatedAt: now };
  switch (end.status) {
    case 'succeeded': {
      // A filter by what changes may let fewer rows pass in the end than it did at first.
      const total = Math.max(read.completed, end.total);
      return { ...moved, completed: total, total, result: end.result };
    }
    case 'cancelled': {
      const error = await problemOf(deps, read, 'operation_cancelled', end.result);
      const completed = Math.max(read.completed, end.completed ?? 0);
      return { ...moved, completed, total: end.total ?? read.total, result: end.result, error };
    }
    case 'failed':
      return { ...moved, error: await problemOf(deps, read, end.code, null) };
  }
}

async function problemOf(
  { db, publicUrl }: OperationActivityDeps,
  operation: Operation,
  code: ProblemCode,
  result: OperationResult | null,
): Promise<ProblemResource> {
  const { path: instance, traceId } = await findSubmission(db, operation.id);
  const extras = result ? { result: resultPath(operation) } : {};
  return presentProblem(code, { publicUrl, instance, traceId }, undefined, extras);
}

/** The steps that operations of every type share. Each is safe to run twice. */
export function createOperationActivities(deps: OperationActivityDeps) {
  const { db } = deps;

  /** Begins the claim, which makes the operation, and stores its 202. */
  async function acceptOperation(input: OperationInput & { workflowId: string }): Promise<OperationProgress> {
    const begin = input.type === 'charge_batch' ? beginChargeBatch : beginOperation;
    const held = await begin(db, input);
    if (!held) return { status: 'not_started' };
    const { operation, claim } = held;
    if (claim && !claim.answered) {
      await storeAnswer(db, claim.claimId, toStored(answerOperation(operation)));
    }
    return { status: operation.status };
  }

  /** Ends an operation whose work cannot be completed. */
  function failOperation({ operationId }: OperationInput): Promise<OperationProgress> {
    return endOperation(deps, operationId, { status: 'failed', code: 'operation_failed' });
  }

  return { acceptOperation, failOperation };
}

export type OperationActivities = ReturnType<typeof createOperationActivities>;

/** An event's reader has the unsigned link: it outlives every signature. */
function eventOf(operation: Operation, publicUrl: string): Effect['event'] {
  const object = presentOperation(operation, publicUrl + resultPath(operation));
  const type = `operation.${operation.status}` as EventType;
  return { id: newId('event'), type, resourceId: operation.id, object };
}
