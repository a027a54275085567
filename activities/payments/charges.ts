import { ApplicationFailure } from '@temporalio/common';
import {
  beginCapture,
  beginCharge,
  findClaimedCharge,
  saveCharge,
  saveUnsentCharge,
  type ClaimedCharge,
} from '#db/payments/charges.ts';
import { beginSend, recordFault, type Send } from '#db/payments/charge-sends.ts';
import { findClaimContext, type ClaimContext } from '#db/writes/claim-contexts.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import type { Effect } from '#db/writes/effects.ts';
import { storeAnswer, toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import { answerCharge, answerProblem } from '#domain/answers.ts';
import {
  applyCapture,
  applyNotSent,
  applyOutcome,
  applyVoid,
  captureRefusal,
  giveUpReason,
  nextStep,
  type CaptureOutcome,
  type Charge,
  type ChargeMove,
  type ChargeNext,
  type ChargeOutcome,
  type VoidReason,
} from '#domain/charges.ts';
import type { ChargeInput, ChargeProgress } from '#temporal/charges.ts';
import {
  began,
  contextOf,
  effectOf,
  eventOf,
  isDecided,
  sendCharge,
  undecided,
  waitOf,
  type Step,
} from './charge-steps.ts';
import { requireActive } from './disabled-accounts.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import { storing } from './storing.ts';
import { startChargeTrail } from './timeline.ts';

export interface ChargeActivityDeps {
  db: Database;
  processor: PaymentProcessor;
  /** The base of links in stored problem documents. */
  publicUrl: string;
}

/** What identifies a charge's run in every step. */
export type ChargeRun = Pick<ChargeInput, 'chargeId' | 'claimId' | 'durations'>;

/**
 * The steps of a charge. Each begins at the row, asks the processor by our own key before it concludes,
 * and saves with a guard on what it read: run twice, it does its work once.
 */
export function createChargeActivities({ db, processor, publicUrl }: ChargeActivityDeps) {
  /**
   * Begins the claim, then sends the charge to the processor, once; an unusable answer leaves `next: 'resolve'`.
   * A claim that had begun before is left to {@link resolveCharge}, which asks first.
   */
  async function authorizeCharge(input: ChargeInput & { workflowId: string }): Promise<ChargeProgress> {
    const begun = await beginCharge(db, input, true);
    if (!begun) return { status: 'not_started', next: 'done', answered: true };
    if (!begun.fresh) return progressOf(begun);
    const send = { sends: 1, isFirst: true };
    const step: Step = { ...begun, trail: startChargeTrail(processor), send };
    step.trail.note(began);
    try {
      return await settle(step, await sendCharge(step), input);
    } catch (error) {
      return noteFault(step, error);
    }
  }

  /** Begins the claim of a caller who does not wait, and stores its 202. */
  async function acceptCharge(input: ChargeInput & { workflowId: string }): Promise<ChargeProgress> {
    const begun = await beginCharge(db, input, false);
    if (!begun) return { status: 'not_started', next: 'done', answered: true };
    const { charge, claim } = begun;
    if (begun.fresh) await appendTimeline(db, charge.id, [{ at: currentTime(), ...began }]);
    if (charge.status === 'pending' && claim && !claim.answered) {
      await storeAnswer(db, claim.claimId, toStoredAnswer(answerCharge(charge, 202, claim.apiVersion)));
      return progressOf({ charge, claim: { ...claim, answered: true } });
    }
    return progressOf(begun);
  }

  /**
   * Asks for an outcome that is unknown or that the processor still owes; what the processor has not seen is
   * sent again, unless its account is disabled. Past the account's limit, or when the
   * caller wants it cancelled, a void is begun instead; past the limit of what never left, it fails.
   *
   * @throws {ApplicationFailure} the processor's fault, retryable, while the outcome is unknown.
   */
  async function resolveCharge(run: ChargeRun): Promise<ChargeProgress> {
    const step = await readCharge(run.chargeId);
    const { charge, trail } = step;
    const next = nextStep(charge);
    if (next !== 'resolve' && next !== 'await_processor') return progressOf(step);
    const overdue = giveUpReason(step.age, run.durations);
    try {
      const outcome = await trail.processor.findCharge({ key: charge.id, amount: charge.amount });
      if (isDecided(outcome)) return await settle(step, outcome, run);
      if (charge.cancelRequestedAt) return await intendVoid(step, 'cancelled');
      if (next === 'resolve' && overdue) return await giveUp(step, overdue);
      const known = outcome ?? (await sendAgain(step));
      return known ? await settle(step, known, run) : progressOf(await readCharge(charge.id));
    } catch (error) {
      if (error instanceof ProcessorFault && next === 'resolve') {
        if (charge.cancelRequestedAt) return intendVoid(step, 'cancelled');
        if (overdue) return giveUp(step, overdue);
      }
      if (next === 'await_processor') return noteFault(step, error);
      throw await failureOf(step, error);
    }
  }

  /**
   * The fence of a capture, then the capture itself, once; an unusable answer leaves `next: 'resolve_capture'`.
   * A charge that cannot be captured stores the refusal as the command's answer.
   */
  async function captureCharge(run: ChargeRun & { captureClaimId: string }): Promise<ChargeProgress> {
    const begun = await beginCapture(db, run.chargeId, run.captureClaimId);
    const step = await readCharge(run.chargeId);
    const { charge, trail } = step;
    if (!begun || begun.claim.answered) return progressOf(step);
    if (charge.captureClaimId !== run.captureClaimId) {
      await refuseCapture(charge, begun.claim, begun.amount);
      return progressOf(step);
    }
    trail.note({ type: 'capture_requested', detail: { amount: charge.captureAmount ?? charge.amount } });
    try {
      return await settleCapture(step, (await findCapture(step)) ?? (await sendCapture(step)));
    } catch (error) {
      return noteFault(step, error);
    }
  }

  /**
   * Asks for a capture of unknown outcome and sends it again by its own key, until it is known. What the processor has not
   * seen is not sent while the account is disabled.
   *
   * @throws {ApplicationFailure} the processor's fault, retryable.
   */
  async function resolveCapture(run: ChargeRun): Promise<ChargeProgress> {
    const step = await readCharge(run.chargeId);
    if (nextStep(step.charge) !== 'resolve_capture') return progressOf(step);
    try {
      const found = await findCapture(step);
      if (!found) await requireActive(db, step.charge.accountId);
      return await settleCapture(step, found ?? (await sendCapture(step)));
    } catch (error) {
      throw await failureOf(step, error);
    }
  }

  /**
   * Gives the money back: begins a void for `reason` unless one was begun, and goes on until the processor confirms.
   *
   * @throws {ApplicationFailure} the processor's fault, retryable.
   */
  async function voidCharge(run: ChargeRun & { reason: VoidReason | null }): Promise<ChargeProgress> {
    let step = await readCharge(run.chargeId);
    if (nextStep(step.charge) === 'await_command' && isDue(step.charge, run.reason)) {
      await intendVoid(step, run.reason);
      step = await readCharge(run.chargeId);
    }
    if (nextStep(step.charge) !== 'void') return progressOf(step);
    try {
      await step.trail.processor.void({ chargeKey: step.charge.id });
      return await commit(step, ['void'], (charge) => applyVoid(charge, currentTime()));
    } catch (error) {
      throw await failureOf(step, error);
    }
  }

  /** `null`: somebody moved it, and it is not to be sent. */
  async function sendAgain(step: Step): Promise<ChargeOutcome | null> {
    await requireActive(db, step.charge.accountId);
    step.send = await beginSend(db, step.charge.id);
    return step.send && sendCharge(step);
  }

  function findCapture({ charge, trail }: Step): Promise<CaptureOutcome | null> {
    return trail.processor.findCapture(captureOf(charge));
  }

  function sendCapture({ charge, trail }: Step): Promise<CaptureOutcome> {
    return trail.processor.capture({ ...captureOf(charge), chargeKey: charge.id });
  }

  async function settle(
    step: Step,
    outcome: ChargeOutcome,
    run: Pick<ChargeRun, 'durations'>,
  ): Promise<ChargeProgress> {
    if (outcome.kind === 'pending' && step.charge.processorPending) {
      await appendTimeline(db, step.charge.id, step.trail.take());
      return progressOf(step);
    }
    return storing(() =>
      commit(step, undecided, (charge) => applyOutcome(charge, outcome, run.durations, currentTime())),
    );
  }

  /**
   * Saves a move of the charge with the claim's answer; when somebody moved the row first, from the newer row.
   * A row that is in none of the states the move leaves stays as it is: once a void is begun, no late answer
   * of the processor may make the charge succeed.
   */
  async function commit(
    step: Step,
    from: readonly ChargeNext[],
    move: (charge: Charge) => ChargeMove,
  ): Promise<ChargeProgress> {
    let { charge, claim } = step;
    const done = step.trail.take();
    for (;;) {
      if (!from.includes(nextStep(charge))) return progressOf({ charge, claim });
      const moved = move(charge);
      const effect = effectOf(moved, claim, done, publicUrl);
      if (await saveCharge(db, charge, moved.charge, effect)) {
        const answered = claim && { ...claim, answered: claim.answered || !!effect.answer };
        return progressOf({ charge: moved.charge, claim: answered });
      }
      ({ charge, claim } = await readCharge(charge.id));
    }
  }

  async function settleCapture(step: Step, outcome: CaptureOutcome): Promise<ChargeProgress> {
    const captureClaimId = step.charge.captureClaimId;
    const done = step.trail.take();
    let charge = step.charge;
    for (;;) {
      if (charge.captureClaimId !== captureClaimId || nextStep(charge) === 'done') {
        return progressOf({ ...step, charge });
      }
      const moved = applyCapture(charge, outcome, currentTime());
      const effect = await captureEffect(moved, captureClaimId, outcome);
      const timeline = [...done, ...waitOf(moved.charge)];
      if (await storing(() => saveCharge(db, charge, moved.charge, { ...effect, timeline }))) {
        return progressOf({ ...step, charge: moved.charge });
      }
      ({ charge } = await readCharge(charge.id));
    }
  }

  async function captureEffect(
    moved: ChargeMove,
    captureClaimId: string | null,
    outcome: CaptureOutcome,
  ): Promise<Effect> {
    const claim = captureClaimId ? await findClaimContext(db, captureClaimId) : null;
    if (!claim) return { event: eventOf(moved) };
    const answer =
      outcome.kind === 'captured'
        ? answerCharge(moved.charge, 200, claim.apiVersion)
        : answerProblem('capture_declined', contextOf(claim, publicUrl), outcome.message, {
            decline_code: outcome.declineCode,
            charge: moved.charge.id,
          });
    return { answer: { claimId: claim.claimId, answer: toStoredAnswer(answer) }, event: eventOf(moved) };
  }

  async function refuseCapture(charge: Charge, claim: ClaimContext, amount: number | null): Promise<void> {
    const code = captureRefusal(charge, amount) ?? 'charge_not_capturable';
    await storeAnswer(db, claim.claimId, toStoredAnswer(answerProblem(code, contextOf(claim, publicUrl))));
  }

  async function intendVoid(step: Step, reason: VoidReason): Promise<ChargeProgress> {
    const intended = { ...step.charge, voidReason: reason, updatedAt: currentTime() };
    step.trail.note({ type: 'void_requested', detail: { reason } });
    const saved = await saveCharge(db, step.charge, intended, { timeline: step.trail.take() });
    return progressOf(saved ? { ...step, charge: intended } : await readCharge(step.charge.id));
  }

  /** Ends a charge of unknown outcome: what may have been sent is voided, what never was has failed. */
  async function giveUp(step: Step, reason: 'unresolved' | 'not_sent'): Promise<ChargeProgress> {
    if (reason === 'unresolved') return intendVoid(step, reason);
    step.trail.note({ type: 'given_up', detail: { reason } });
    const moved = applyNotSent(step.charge, currentTime());
    const effect = effectOf(moved, step.claim, step.trail.take(), publicUrl);
    const isSaved = await saveUnsentCharge(db, step.charge, moved.charge, effect);
    return progressOf(isSaved ? { ...step, charge: moved.charge } : await readCharge(step.charge.id));
  }

  /** A fault leaves the charge where it is; anything else is ours to fix, and is thrown. */
  async function noteFault(step: Step, error: unknown): Promise<ChargeProgress> {
    if (!(error instanceof ProcessorFault)) throw error;
    await recordFault(db, step.charge.id, error.code, step.trail.take(), undoneBy(error, step.send));
    return progressOf(step);
  }

  async function failureOf({ charge, trail, send }: Step, error: unknown): Promise<unknown> {
    if (!(error instanceof ProcessorFault)) return error;
    await recordFault(db, charge.id, error.code, trail.take(), undoneBy(error, send));
    return ApplicationFailure.retryable(error.message, error.code);
  }

  async function readCharge(chargeId: string): Promise<Step> {
    const held = await findClaimedCharge(db, chargeId);
    if (!held) throw ApplicationFailure.nonRetryable(`There is no charge ${chargeId}`, 'charge_missing');
    return { ...held, trail: startChargeTrail(processor), send: null };
  }

  return { authorizeCharge, acceptCharge, resolveCharge, captureCharge, resolveCapture, voidCharge };
}

export type ChargeActivities = ReturnType<typeof createChargeActivities>;

function captureOf({ id, captureClaimId: key, captureAmount: amount }: Charge): {
  key: string;
  amount: number;
} {
  if (key === null || amount === null) throw new Error(`Charge ${id} has no capture to ask for`);
  return { key, amount };
}

/** The send that the fault says had no effect. */
function undoneBy({ code }: ProcessorFault, send: Send | null): Send | null {
  return code === 'processor_unavailable' ? send : null;
}

function progressOf({ charge, claim }: Pick<ClaimedCharge, 'charge' | 'claim'>): ChargeProgress {
  const next = nextStep(charge);
  return {
    status: charge.status,
    next,
    answered: next === 'done' || (claim?.answered ?? true),
    ...(charge.expiresAt && { expiresInMs: Math.max(0, charge.expiresAt.getTime() - currentTimeMs()) }),
    ...(charge.cancelRequestedAt && next !== 'done' && { cancelRequested: true }),
  };
}

/** Whether what the void is for holds of the row: a signal makes the run look sooner, and decides nothing. */
function isDue(charge: Charge, reason: VoidReason | null): reason is VoidReason {
  if (reason === 'cancelled') return charge.cancelRequestedAt !== null;
  return reason === 'expired' && charge.expiresAt !== null && charge.expiresAt.getTime() <= currentTimeMs();
}
