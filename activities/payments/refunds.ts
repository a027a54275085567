import { ApplicationFailure } from '@temporalio/common';
import { findClaimContext, type ClaimContext } from '#db/writes/claim-contexts.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import type { Effect } from '#db/writes/effects.ts';
import { storeAnswer, toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import {
  beginRefund,
  beginReversal,
  findClaimedRefund,
  recordRefundFault,
  saveRefund,
  type BegunRefund,
  type ClaimedRefund,
} from '#db/payments/refunds.ts';
import {
  answerProblem,
  answerRefund,
  answerRefundOutcome,
  answerReversal,
  type AnswerContext,
  type RenderedAnswer,
} from '#domain/answers.ts';
import {
  applyOutcome,
  applyReversal,
  applySettlement,
  isSettlementDue,
  nextStep,
  presentRefund,
  refundRefusal,
  type Refund,
  type RefundMove,
  type RefundNext,
  type RefundOutcome,
} from '#domain/refunds.ts';
import { requestOfRefund, standOfRefund, type NewTimelineEntry } from '#domain/timeline.ts';
import type { RefundInput, RefundProgress } from '#temporal/refunds.ts';
import { requireActive } from './disabled-accounts.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import { storing } from './storing.ts';
import { startRefundTrail, type RefundProcessor, type Trail } from './timeline.ts';

export interface RefundActivityDeps {
  db: Database;
  processor: PaymentProcessor;
  /** The base of links in stored problem documents. */
  publicUrl: string;
}

/** What identifies a refund's run in every step. */
export type RefundRun = Pick<RefundInput, 'refundId' | 'claimId' | 'durations'>;

/**
 * The steps of a refund. Each begins at the row, sends by our own key, and saves with a guard on what it read:
 * run twice, it does its work once.
 */
export function createRefundActivities({ db, processor, publicUrl }: RefundActivityDeps) {
  /**
   * Begins the claim, which holds the amount, then sends the refund to the processor, once; an unusable answer
   * leaves `next: 'resolve'`. A claim that had begun before is left to {@link resolveRefund}, which asks first.
   */
  async function refundCharge(input: RefundInput & { workflowId: string }): Promise<RefundProgress> {
    const begun = await beginRefund(db, input);
    if (!begun?.made) return withoutRefund(begun, input);
    const step = stepFrom({ refund: begun.made, claim: begun.claim });
    step.trail.note(requestOfRefund(begun.made));
    try {
      return await settle(step, await send(step), input);
    } catch (error) {
      return noteFault(step, error);
    }
  }

  /** Begins the claim of a caller who does not wait, and stores its 202. */
  async function acceptRefund(input: RefundInput & { workflowId: string }): Promise<RefundProgress> {
    const begun = await beginRefund(db, input);
    if (!begun?.made) return withoutRefund(begun, input);
    const { made: refund, claim } = begun;
    const step = stepFrom({ refund, claim: { ...claim, answered: true } });
    step.trail.note(requestOfRefund(refund));
    await appendTimeline(db, refund.chargeId, step.trail.take());
    await storeAnswer(db, claim.claimId, toStoredAnswer(answerRefund(refund, 202, claim.apiVersion)));
    return progressOf(step);
  }

  /** The claim never began, began before, or was refused, which is the claim's answer. */
  async function withoutRefund(
    begun: BegunRefund | null,
    { refundId }: RefundInput,
  ): Promise<RefundProgress> {
    if (!begun) return { status: 'not_started', next: 'done', answered: true };
    const held = await findClaimedRefund(db, refundId);
    if (held) return progressOf(held);
    const { asked, claim } = begun;
    const code = asked && refundRefusal(asked.charge, asked.amount);
    await storeAnswer(
      db,
      claim.claimId,
      toStoredAnswer(answerProblem(code ?? 'refund_exceeds_captured', contextOf(claim))),
    );
    return { status: 'refused', next: 'done', answered: true };
  }

  /**
   * Asks for an outcome that is unknown or that the processor still owes; what the processor has not seen is
   * sent again, unless the account is disabled. There is no limit in time: until the processor tells, the amount stays
   * held.
   *
   * @throws {ApplicationFailure} the processor's fault, retryable, while the outcome is unknown.
   */
  async function resolveRefund(run: RefundRun): Promise<RefundProgress> {
    const step = await readRefund(run.refundId);
    const next = nextStep(step.refund);
    if (!undecided.includes(next)) return progressOf(step);
    try {
      const outcome = await step.trail.processor.findRefund(step.refund.id);
      if (!outcome) await requireActive(db, step.refund.accountId);
      return await settle(step, outcome ?? (await send(step)), run);
    } catch (error) {
      if (next === 'await_processor') return noteFault(step, error);
      throw await failureOf(step, error);
    }
  }

  /**
   * The fence of a reversal, then the reversal itself, once; an unusable answer leaves `next: 'resolve_reversal'`.
   * A refund that cannot be reversed, or is already, stores that as the command's answer.
   */
  async function reverseRefund(run: RefundRun & { reversalClaimId: string }): Promise<RefundProgress> {
    const claim = await beginReversal(db, run.refundId, run.reversalClaimId);
    const step = await readRefund(run.refundId);
    if (!claim || claim.answered) return progressOf(step);
    if (step.refund.reversalClaimId !== run.reversalClaimId) {
      await storeAnswer(db, claim.claimId, toStoredAnswer(answerReversal(step.refund, contextOf(claim))));
      return progressOf(step);
    }
    step.trail.note({ type: 'reversal_requested', detail: {} });
    try {
      return await settleReversal(step, await sendReversal(step));
    } catch (error) {
      return noteFault(step, error);
    }
  }

  /**
   * Sends a reversal of unknown outcome again, which is safe, until the processor tells what became of it.
   *
   * @throws {ApplicationFailure} the processor's fault, retryable.
   */
  async function resolveReversal(run: RefundRun): Promise<RefundProgress> {
    const step = await readRefund(run.refundId);
    if (nextStep(step.refund) !== 'resolve_reversal') return progressOf(step);
    try {
      return await settleReversal(step, await sendReversal(step));
    } catch (error) {
      throw await failureOf(step, error);
    }
  }

  /** Settles a refund whose time has come. */
  async function settleRefund(run: RefundRun): Promise<RefundProgress> {
    const step = await readRefund(run.refundId);
    const now = currentTime();
    if (!isSettlementDue(step.refund, now)) return progressOf(step);
    return commit(step, (refund) => (isSettlementDue(refund, now) ? applySettlement(refund, now) : null));
  }

  function send({ refund, trail }: Step): Promise<RefundOutcome> {
    return trail.processor.refund({ key: refund.id, chargeKey: refund.chargeId, amount: refund.amount });
  }

  /** @throws {ProcessorFault} also when the processor has taken the reversal and not decided it. */
  async function sendReversal({ refund, trail }: Step): Promise<DecidedOutcome> {
    const outcome = await trail.processor.reverseRefund({ refundKey: refund.id });
    if (outcome.kind !== 'pending') return outcome;
    throw new ProcessorFault('processor_timeout', 'The processor has not decided the reversal yet');
  }

  async function settle(step: Step, outcome: RefundOutcome, run: RefundRun): Promise<RefundProgress> {
    if (outcome.kind === 'pending' && step.refund.processorPending) {
      await appendTimeline(db, step.refund.chargeId, step.trail.take());
      return progressOf(step);
    }
    const moveOf = (refund: Refund, claim: ClaimContext | null): AnsweredMove | null => {
      if (!undecided.includes(nextStep(refund))) return null;
      if (outcome.kind === 'pending' && refund.processorPending) return null;
      const move = applyOutcome(refund, outcome, run.durations, currentTime());
      if (!claim || claim.answered) return move;
      return { ...move, reply: { claim, answer: answerRefundOutcome(move.refund, contextOf(claim)) } };
    };
    return storing(() => commit(step, moveOf));
  }

  async function settleReversal(step: Step, outcome: DecidedOutcome): Promise<RefundProgress> {
    const { reversalClaimId } = step.refund;
    const claim = reversalClaimId === null ? null : await findClaimContext(db, reversalClaimId);
    const moveOf = (refund: Refund): AnsweredMove | null => {
      if (nextStep(refund) !== 'resolve_reversal' || refund.reversalClaimId !== reversalClaimId) return null;
      const move = applyReversal(refund, outcome, currentTime());
      return claim
        ? { ...move, reply: { claim, answer: answerReversal(move.refund, contextOf(claim)) } }
        : move;
    };
    return storing(() => commit(step, moveOf));
  }

  /**
   * Saves a move of the refund with its answer and its event; when somebody moved the row first, the move is
   * made anew from the newer row, or not at all where it does not apply any more.
   */
  async function commit(
    step: Step,
    move: (refund: Refund, claim: ClaimContext | null) => AnsweredMove | null,
  ): Promise<RefundProgress> {
    let { refund, claim } = step;
    const done = step.trail.take();
    for (;;) {
      const moved = move(refund, claim);
      if (!moved) return progressOf({ refund, claim });
      if (await saveRefund(db, refund, moved.refund, effectOf(moved, done))) {
        const answered = claim?.claimId === moved.reply?.claim.claimId || (claim?.answered ?? true);
        return progressOf({ refund: moved.refund, claim: claim && { ...claim, answered } });
      }
      ({ refund, claim } = await readRefund(refund.id));
    }
  }

  /** A fault leaves the refund where it is; anything else is ours to fix, and is thrown. */
  async function noteFault(step: Step, error: unknown): Promise<RefundProgress> {
    if (!(error instanceof ProcessorFault)) throw error;
    await recordRefundFault(db, step.refund.id, error.code, step.trail.take());
    return progressOf(step);
  }

  async function failureOf({ refund, trail }: Step, error: unknown): Promise<unknown> {
    if (!(error instanceof ProcessorFault)) return error;
    await recordRefundFault(db, refund.id, error.code, trail.take());
    return ApplicationFailure.retryable(error.message, error.code);
  }

  async function readRefund(refundId: string): Promise<Step> {
    const held = await findClaimedRefund(db, refundId);
    if (!held) throw ApplicationFailure.nonRetryable(`There is no refund ${refundId}`, 'refund_missing');
    return stepFrom(held);
  }

  function stepFrom(held: ClaimedRefund): Step {
    return { ...held, trail: startRefundTrail(processor, held.refund.id) };
  }

  function contextOf(claim: ClaimContext): AnswerContext {
    return { publicUrl, instance: claim.path, traceId: claim.traceId, apiVersion: claim.apiVersion };
  }

  return { refundCharge, acceptRefund, resolveRefund, reverseRefund, resolveReversal, settleRefund };
}

export type RefundActivities = ReturnType<typeof createRefundActivities>;

/** A refund as an activity read it, and what the activity did since. */
interface Step extends ClaimedRefund {
  trail: Trail<RefundProcessor>;
}

type DecidedOutcome = Exclude<RefundOutcome, { kind: 'pending' }>;

/** A move, and what it answers to whom. */
type AnsweredMove = RefundMove & { reply?: { claim: ClaimContext; answer: RenderedAnswer } };

/** The states that the processor's word on a refund may still move. */
const undecided: readonly RefundNext[] = ['resolve', 'await_processor'];

function progressOf({ refund, claim }: ClaimedRefund): RefundProgress {
  const next = nextStep(refund);
  return {
    status: refund.status,
    next,
    answered: next === 'done' || (claim?.answered ?? true),
    ...(refund.settlesAt && { settlesInMs: Math.max(0, refund.settlesAt.getTime() - currentTimeMs()) }),
  };
}

function effectOf({ refund, event, reply }: AnsweredMove, done: readonly NewTimelineEntry[]): Effect {
  return {
    timeline: [...done, ...standOfRefund(refund)],
    answer: reply && { claimId: reply.claim.claimId, answer: toStoredAnswer(reply.answer) },
    event: event
      ? { id: newId('event'), type: event, resourceId: refund.id, object: presentRefund(refund) }
      : undefined,
  };
}
