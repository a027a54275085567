import { ApplicationFailure } from '@temporalio/common';
import { currentTime } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { isRefused } from '#db/refused-statements.ts';
import type { ClaimContext } from '#db/writes/claim-contexts.ts';
import type { Effect } from '#db/writes/effects.ts';
import {
  openAnswer,
  sealAnswer,
  storeAnswer,
  toStoredAnswer,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import { renderReply } from '#domain/answers.ts';
import type { ChargeNext } from '#domain/charge-moves.ts';
import type { EventType } from '#domain/events.ts';
import type { Reply } from '#domain/problems.ts';
import type { RefundNext } from '#domain/refunds.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { ProcessorFault, type OrFault } from '#processor/port.ts';
import type { ActivityDeps } from '../deps.ts';
import type { TimelineRecorder } from './timeline.ts';

/** The parts that steps of charges and of refunds share: they save a move with its effect, or record a fault. */

export type StepDeps = Pick<ActivityDeps, 'db' | 'processors' | 'secretsKey' | 'publicUrl' | 'onAnswered'>;

/** A row as a step read it, with the claim that it answers for, and what the step did since. */
interface Step {
  deps: StepDeps;
  claim: ClaimContext | null;
  timeline: TimelineRecorder;
}

interface Move {
  event: EventType | null;
}

/** The difference between charges and refunds: how a row of each is read, saved and shown. */
export interface PaymentStore<S extends Step, M extends Move, Progress> {
  /** Reads the row again. */
  read: (step: S) => Promise<S>;
  /** Returns `false` if another moved the row since it was read. */
  save: (read: S, moved: M, effect: Effect) => Promise<boolean>;
  recordFault: (step: S, fault: ProcessorFault, done: NewTimelineEntry[]) => Promise<void>;
  /** Returns the charge whose timeline has the step. */
  chargeId: (step: S) => string;
  /** Returns the resource as events show it. */
  present: (moved: M) => { id: string };
  /** Returns the last entry of the timeline: what is waited for now. */
  describe: (moved: M) => NewTimelineEntry[];
  /** Returns the answer to the claim that the row answers for; `null`: the move does not decide it. */
  reply: (moved: M) => Reply | null;
  /** Whether that answer shows a secret, so that it is stored encrypted. (Default: it does not) */
  showsSecret?: (moved: M) => boolean;
  toProgress: (step: S) => Progress;
}

/**
 * Saves what an outcome of the processor makes of the row, with its effect. If another moved the row first, makes the move
 * anew from the newer row. Returns a fault as it is.
 *
 * @param apply makes the move; `null` where it does not apply (any more), so that the row stays as it is. Once a void is
 *   begun, no late answer of the processor makes a charge succeed.
 * @param command the claim that the move answers, `null` if it is no longer kept, and its answer. (Default: those of the
 *   row itself)
 */
export async function settle<S extends Step, M extends Move, Progress, Outcome>(
  store: PaymentStore<S, M, Progress>,
  step: S,
  outcome: OrFault<Outcome>,
  apply: (step: S, now: Date, outcome: Outcome) => M | null,
  command?: { claim: ClaimContext | null; reply: (moved: M, outcome: Outcome) => Reply },
): Promise<OrFault<Progress>> {
  if (outcome instanceof ProcessorFault) return outcome;
  const { deps } = step;
  const done = step.timeline.take();
  for (let held = step; ; held = await store.read(held)) {
    const moved = apply(held, currentTime(), outcome);
    if (!moved) {
      if (done.length > 0) await appendTimeline(deps.db, store.chargeId(held), done);
      return store.toProgress(held);
    }
    const answers = command && { claim: command.claim, reply: (one: M) => command.reply(one, outcome) };
    const effect = buildEffect(store, held, moved, done, answers);
    if (!(await store.save(held, moved, effect))) continue;
    if (effect.answer) tellAnswer(deps, effect.answer.claimId, effect.answer.answer);
    return store.toProgress({ ...held, ...moved });
  }
}

interface Answering<M> {
  claim: ClaimContext | null;
  reply: (moved: M) => Reply | null;
}

/** Returns the effect of a move: the answer to a claim that has none, the event, the timeline. */
export function buildEffect<S extends Step, M extends Move>(
  store: PaymentStore<S, M, unknown>,
  { deps, claim: rowClaim }: S,
  moved: M,
  done: readonly NewTimelineEntry[],
  { claim, reply }: Answering<M> = { claim: rowClaim, reply: store.reply },
): Effect {
  const object = store.present(moved);
  const answer = claim && !claim.answered ? reply(moved) : null;
  return {
    answer:
      claim && answer
        ? { claimId: claim.claimId, answer: renderFor(deps, claim, answer, store.showsSecret?.(moved)) }
        : undefined,
    event: moved.event ? { id: newId('event'), type: moved.event, resourceId: object.id, object } : undefined,
    timeline: [...done, ...store.describe(moved)],
  };
}

/** Hands an answer to the caller who waits in this process, as it reads before it is encrypted. */
function tellAnswer({ secretsKey, onAnswered }: StepDeps, claimId: string, answer: StoredAnswer): void {
  onAnswered?.(claimId, answer.isEncrypted ? openAnswer(secretsKey, claimId, answer) : answer);
}

/** Answers a claim without a move. */
export async function storeReply(deps: StepDeps, claim: ClaimContext, reply: Reply): Promise<void> {
  const answer = renderFor(deps, claim, reply);
  if (await storeAnswer(deps.db, claim.claimId, answer)) deps.onAnswered?.(claim.claimId, answer);
}

/** Renders a reply for the caller of a claim. */
export function renderFor(
  { publicUrl, secretsKey }: StepDeps,
  claim: ClaimContext,
  reply: Reply,
  showsSecret = false,
): StoredAnswer {
  const { path: instance, traceId, apiVersion } = claim;
  const answer = toStoredAnswer(renderReply(reply, { publicUrl, instance, traceId, apiVersion }));
  return showsSecret ? sealAnswer(secretsKey, claim.claimId, answer) : answer;
}

/** Whether an outcome of the processor moves a row that waits for this. */
export function isAwaited(next: ChargeNext | RefundNext, outcome: { kind: string }): boolean {
  if (next === 'resolve' || next === 'await_action') return true;
  return next === 'await_processor' && outcome.kind !== 'pending';
}

/**
 * Does the work of a step. A fault of the processor is recorded first. Then somebody repeats the step, and this is the one
 * place that says who:
 *
 * - `run`: the run, after its own pause. The progress says that the outcome is not known, and names the fault, which the run
 *   shows in its details.
 * - `temporal`: Temporal, by the retry policy of the activity. The fault is thrown, so operators see it in the run.
 *
 * @throws {ApplicationFailure} the fault, retryable, where `temporal` repeats.
 */
export async function takeStep<S extends Step, Progress extends { fault?: string }>(
  repeatedBy: 'run' | 'temporal',
  store: PaymentStore<S, never, Progress>,
  step: S,
  work: () => Promise<OrFault<Progress>>,
): Promise<Progress> {
  const end = await orFault(work);
  if (!(end instanceof ProcessorFault)) return end;
  await store.recordFault(step, end, step.timeline.take());
  const { message, code, retryAfterMs } = end;
  if (repeatedBy === 'run') return { ...store.toProgress(step), fault: code };
  const later = retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs };
  throw ApplicationFailure.create({ message, type: code, nonRetryable: false, ...later });
}

/**
 * Does the work, and returns a refusal of Postgres as a fault. An answer that Postgres refuses to store is as bad as one that
 * cannot be read: the processor is asked again, and a charge is voided once its account's limit is over. The statement is
 * not retried without an end.
 *
 * @throws every error that is no fault.
 */
export async function orFault<T>(work: () => Promise<T>): Promise<OrFault<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProcessorFault) return error;
    if (!isRefused(error)) throw error;
    const message = `The processor's answer cannot be stored: it breaks ${error.constraint ?? error.code}`;
    return new ProcessorFault('processor_invalid_response', message, { cause: error });
  }
}
