import { ApplicationFailure } from '@temporalio/common';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { longestStepMs } from '#domain/processor-calls.ts';
import type { Actor } from './actors.ts';
import { fromPayload, type Command } from './sandbox.ts';

/** Steps as a run waits for them, with the time-outs and retries of `workflows/proxies.ts`. */

/** A step that the workflow waits for. */
export interface Step {
  seq: number;
  name: string;
  input: unknown;
  isLocal: boolean;
  attempt: number;
  /** When the first attempt of a local step was scheduled, in a history that may have seen several. */
  firstMs: number;
  /** When the next attempt may begin; `null`: one is under way. */
  dueMs: number | null;
  startedMs: number;
  actor: Actor | null;
}

export type StepCommand = NonNullable<Command['scheduleActivity'] | Command['scheduleLocalActivity']>;

/** An attempt may take as long. */
const timeoutMs = longestStepMs;
/** A local step that would wait for longer is retried by a timer of the server. */
export const localThresholdMs = 5_000;

/** Builds the step that a command asks for. */
export function toStep(command: StepCommand, isLocal: boolean, nowMs: number): Step {
  const local = isLocal ? (command as NonNullable<Command['scheduleLocalActivity']>) : null;
  const original = local?.originalScheduleTime;
  return {
    seq: command.seq ?? 0,
    name: command.activityType ?? '',
    input: fromPayload(command.arguments?.[0]),
    isLocal,
    attempt: local?.attempt ?? 1,
    firstMs: original ? tsToMs(original) : nowMs,
    dueMs: nowMs,
    startedMs: nowMs,
    actor: null,
  };
}

/** Returns when the next attempt is due, or the one under way late. */
export function findDue({ dueMs, startedMs }: Step): number {
  return dueMs ?? startedMs + timeoutMs;
}

/** Whether the attempt under way takes too long. */
export function isLate(step: Step, nowMs: number): boolean {
  return step.dueMs === null && findDue(step) <= nowMs;
}

/** Returns how long a step waits after an attempt that failed, in milliseconds. */
export function findWait({ isLocal, attempt }: Step, error: unknown): number {
  const asked = error instanceof ApplicationFailure ? error.nextRetryDelay : null;
  if (typeof asked === 'number') return asked;
  const [firstMs, mostMs] = isLocal ? [100, 60_000] : [500, 30_000];
  return Math.min(firstMs * 2 ** (attempt - 1), mostMs);
}

/** Leaves the retry of a local step to the workflow. */
export function toBackoff({ attempt, firstMs }: Step, waitMs: number): object {
  const originalScheduleTime = msToTs(firstMs);
  return { backoff: { attempt: attempt + 1, backoffDuration: msToTs(waitMs), originalScheduleTime } };
}
