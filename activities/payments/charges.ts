import { isAccountActive } from '#db/access/accounts.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { recordAsked } from '#db/payments/processor-notifications.ts';
import { beginSend } from '#db/payments/charge-sends.ts';
import { beginCapture, beginCharge, saveCharge, saveUnsentCharge } from '#db/payments/charges.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import {
  applyCapture,
  applyCaptureBeforeVoid,
  applyNews,
  applyNotSent,
  applyOutcome,
  applyVoid,
  captureRefusal,
  giveUpReason,
  isActionOver,
  isVoidedByTimeAlone,
  nextStep,
} from '#domain/charge-moves.ts';
import {
  replyToCapture,
  replyToCharge,
  type CaptureOutcome,
  type Charge,
  type ChargeOutcome,
  type VoidReason,
} from '#domain/charges.ts';
import type { ChargeInput, ChargeProgress } from '#temporal/charges.ts';
import {
  began,
  canGiveBack,
  chargeStore,
  findOutcome,
  firstSend,
  readCharge,
  releaseCharge,
  sendCharge,
  startStep,
  toProgress,
  toSentCharge,
  type ChargeStep,
} from './charge-steps.ts';
import { requireActive } from './disabled-accounts.ts';
import {
  buildEffect,
  isAwaited,
  settle,
  storeReply,
  toFault,
  tryOnce,
  tryUntilKnown,
  type StepDeps,
} from './settle.ts';

/**
 * The steps of a charge. Each begins at the row, asks the processor by our own key before it concludes, and saves with a
 * guard on what it read: run twice, it does its work once.
 */
export const charges = {
  authorizeCharge,
  acceptCharge,
  resolveCharge,
  captureCharge,
  resolveCapture,
  voidCharge,
};

/** @property leaseMs given where no workflow takes the step (`db/payments/charge-leases.ts`). */
type ChargeStart = ChargeInput & { workflowId: string; leaseMs?: number };

/** The part of the input that every step needs. */
type ChargeRun = Pick<ChargeInput, 'chargeId' | 'claimId' | 'durations'>;
type CaptureRun = ChargeRun & { captureClaimId: string };
type VoidRun = ChargeRun & { reason: VoidReason | null };

const notStarted: ChargeProgress = { status: 'not_started', next: 'done', answered: true };

/**
 * Begins the claim, then sends the charge to the processor, once; an unusable answer leaves `next: 'resolve'`. A claim
 * that had begun before is left to {@link resolveCharge}, which asks first.
 */
async function authorizeCharge(deps: StepDeps, input: ChargeStart): Promise<ChargeProgress> {
  const begun = await beginCharge(deps.db, input, true, input.leaseMs);
  if (!begun) return notStarted;
  if (!begun.fresh) return toProgress(begun);
  const step = await startStep(deps, begun, firstSend);
  step.timeline.record(began);
  return tryOnce(chargeStore, step, async () => settleOutcome(step, await sendCharge(step), input));
}

/** Begins the claim of a caller who does not wait, and stores its 202. */
async function acceptCharge(deps: StepDeps, input: ChargeStart): Promise<ChargeProgress> {
  const begun = await beginCharge(deps.db, input, false);
  if (!begun) return notStarted;
  const { charge, claim } = begun;
  if (begun.fresh) await appendTimeline(deps.db, charge.id, [{ at: currentTime(), ...began }]);
  if (charge.status !== 'pending' || !claim || claim.answered) return toProgress(begun);
  await storeReply(deps, claim, replyToCharge(charge));
  return toProgress({ charge, claim: { ...claim, answered: true } });
}

/**
 * Asks for an outcome that is unknown or that the processor still owes. Sends again a charge that the processor has not
 * seen, unless its account is disabled. Past the account's limit, or when the caller wants it cancelled, begins a void
 * instead; past the limit of a charge that was never sent, fails it.
 *
 * A charge whose buyer has confirmed is sent again too, with its next key: only that takes the money. At the end of the
 * buyer's time the processor is asked, until it answers, before anything is given up. An authorized one is
 * asked for what was done with it at the processor.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable, while the outcome is unknown.
 */
async function resolveCharge(deps: StepDeps, run: ChargeRun): Promise<ChargeProgress> {
  const step = await readCharge(deps, run.chargeId);
  const progress = await resolveStep(step, run);
  if (step.isAsked && step.news) await recordAsked(deps.db, run.chargeId, step.news);
  return progress;
}

function resolveStep(step: ChargeStep, run: ChargeRun): Promise<ChargeProgress> | ChargeProgress {
  const next = nextStep(step.charge);
  if (next === 'await_processor') return tryOnce(chargeStore, step, () => askProcessor(step, run, null));
  if (next === 'await_command') return tryOnce(chargeStore, step, () => settleNews(step));
  if (next !== 'resolve' && next !== 'await_action') return toProgress(step);
  const overdue = next === 'resolve' ? findGiveUp(step, run.durations) : endOfAction(step.charge);
  return tryUntilKnown(chargeStore, step, async () => {
    try {
      return await askProcessor(step, run, overdue);
    } catch (error) {
      const end = toFault(error) && (step.charge.cancelRequestedAt ? 'cancelled' : overdue);
      // The buyer may have confirmed in time: only the processor can tell.
      if (end && end !== 'action_expired') return giveUp(step, end);
      throw error;
    }
  });
}

function endOfAction(charge: Charge): 'action_expired' | null {
  return isActionOver(charge, currentTimeMs()) ? 'action_expired' : null;
}

/**
 * Whether the buyer has done its part, so that the charge goes on at the end of its time: the processor decides, or our own
 * send takes the money, which is not sent for a disabled account.
 */
async function isConfirmed({ deps, charge }: ChargeStep, outcome: ChargeOutcome | null): Promise<boolean> {
  if (outcome === null) return isAccountActive(deps.db, charge.accountId);
  return outcome.kind !== 'requires_action';
}

/** Settles the outcome if the processor knows it; else gives up, or sends the charge again. */
async function askProcessor(
  step: ChargeStep,
  run: ChargeRun,
  overdue: GiveUpReason | null,
): Promise<ChargeProgress> {
  const { id, cancelRequestedAt } = step.charge;
  const outcome = await findOutcome(step);
  const isDecided = outcome && outcome.kind !== 'pending' && outcome.kind !== 'requires_action';
  if (isDecided) return settleOutcome(step, outcome, run);
  if (cancelRequestedAt) return giveUp(step, 'cancelled');
  const goesOn = overdue === null || (overdue === 'action_expired' && (await isConfirmed(step, outcome)));
  if (!goesOn) return giveUp(step, overdue);
  const known = outcome ?? (await sendAgain(step));
  return known ? settleOutcome(step, known, run) : toProgress(await readCharge(step.deps, id));
}

/**
 * Begins a capture, then captures, once; an unusable answer leaves `next: 'resolve_capture'`. A charge that cannot be
 * captured stores the refusal as the command's answer.
 */
async function captureCharge(deps: StepDeps, run: CaptureRun): Promise<ChargeProgress> {
  const begun = await beginCapture(deps.db, run.chargeId, run.captureClaimId);
  const step = await readCharge(deps, run.chargeId);
  const { charge, timeline } = step;
  if (!begun || begun.claim.answered) return toProgress(step);
  if (charge.captureClaimId !== run.captureClaimId) {
    const problem = captureRefusal(charge, begun.amount) ?? 'charge_not_capturable';
    await storeReply(deps, begun.claim, { problem });
    return toProgress(step);
  }
  timeline.record({ type: 'capture_requested', detail: { amount: charge.captureAmount ?? charge.amount } });
  return tryOnce(chargeStore, step, async () =>
    settleCapture(step, (await findCapture(step)) ?? (await sendCapture(step))),
  );
}

/**
 * Asks for a capture of unknown outcome and sends it again by its own key, until it is known. A capture that the
 * processor has not seen is not sent while the account is disabled.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function resolveCapture(deps: StepDeps, run: ChargeRun): Promise<ChargeProgress> {
  const step = await readCharge(deps, run.chargeId);
  if (nextStep(step.charge) !== 'resolve_capture') return toProgress(step);
  return tryUntilKnown(chargeStore, step, async () => {
    const found = await findCapture(step);
    if (!found) await requireActive(deps.db, step.charge.accountId);
    return settleCapture(step, found ?? (await sendCapture(step)));
  });
}

/**
 * Voids the charge: records the void for `reason` first, unless one was recorded, then calls the processor until it
 * confirms. A void that time alone asks for asks the processor before: what was captured there meanwhile stays.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function voidCharge(deps: StepDeps, run: VoidRun): Promise<ChargeProgress> {
  let step = await readCharge(deps, run.chargeId);
  if (nextStep(step.charge) === 'await_command' && isDue(step.charge, run.reason)) {
    await recordVoid(step, run.reason);
    step = await readCharge(deps, run.chargeId);
  }
  if (nextStep(step.charge) !== 'void') return toProgress(step);
  return tryUntilKnown(chargeStore, step, async () => {
    if (isVoidedByTimeAlone(step.charge)) {
      const outcome = await findOutcome(step);
      const progress = await settle(chargeStore, step, ({ charge }, now) =>
        nextStep(charge) === 'void' ? applyCaptureBeforeVoid(charge, outcome, now) : null,
      );
      if (progress.next !== 'void') return progress;
    }
    await releaseCharge(step);
    return settle(chargeStore, step, ({ charge }, now) =>
      nextStep(charge) === 'void' ? applyVoid(charge, now) : null,
    );
  });
}

/** Returns `null` if the charge is no longer to be sent, since another moved it. */
async function sendAgain(step: ChargeStep): Promise<ChargeOutcome | null> {
  const { db } = step.deps;
  await requireActive(db, step.charge.accountId);
  step.send = await beginSend(db, step.charge.id);
  return step.send && sendCharge(step);
}

function findCapture({ charge, processor }: ChargeStep): Promise<CaptureOutcome | null> {
  return processor.findCapture(toCaptureRequest(charge));
}

function sendCapture({ charge, processor }: ChargeStep): Promise<CaptureOutcome> {
  return processor.capture({ ...toCaptureRequest(charge), attempt: charge.captureAttempt });
}

function toCaptureRequest(charge: Charge) {
  const { id, captureClaimId: key, captureAmount: amount } = charge;
  if (key === null || amount === null) throw new Error(`Charge ${id} has no capture to ask for`);
  return { key, charge: toSentCharge(charge), amount };
}

function settleOutcome(
  step: ChargeStep,
  outcome: ChargeOutcome,
  { durations }: Pick<ChargeRun, 'durations'>,
): Promise<ChargeProgress> {
  return settle(chargeStore, step, ({ charge }, now) =>
    isAwaited(nextStep(charge), outcome) && !isKnown(charge, outcome)
      ? applyOutcome(charge, outcome, durations, now)
      : null,
  );
}

/** Whether the charge waits for this confirmation of its buyer already. */
function isKnown({ actionUrl }: Charge, outcome: ChargeOutcome): boolean {
  return outcome.kind === 'requires_action' && outcome.url === actionUrl;
}

/** Settles what was done with an authorized charge at its processor, and not by us. */
async function settleNews(step: ChargeStep): Promise<ChargeProgress> {
  const outcome = await findOutcome(step);
  return settle(chargeStore, step, ({ charge }, now) =>
    outcome && nextStep(charge) === 'await_command' ? applyNews(charge, outcome, now) : null,
  );
}

function settleCapture(step: ChargeStep, outcome: CaptureOutcome): Promise<ChargeProgress> {
  const { captureClaimId: claimId } = step.charge;
  const isOpen = (charge: Charge) => charge.captureClaimId === claimId && nextStep(charge) !== 'done';
  return settle(
    chargeStore,
    step,
    ({ charge }, now) => (isOpen(charge) ? applyCapture(charge, outcome, now) : null),
    { claimId, reply: ({ charge }) => replyToCapture(charge, outcome) },
  );
}

type GiveUpReason = NonNullable<ReturnType<typeof giveUpReason>> | 'action_expired';

/** Returns why the charge is given up now. What may have been captured is not, where a void cannot give it back. */
function findGiveUp(
  { age, charge, capabilities }: ChargeStep,
  durations: ChargeRun['durations'],
): GiveUpReason | null {
  const reason = giveUpReason(age, durations);
  return reason === 'unresolved' && !canGiveBack(charge, capabilities) ? null : reason;
}

/** Ends a charge of unknown outcome: voids one that may have been sent, and fails one that never was. */
async function giveUp(step: ChargeStep, reason: GiveUpReason | 'cancelled'): Promise<ChargeProgress> {
  if (reason !== 'not_sent') return recordVoid(step, reason);
  const { deps, charge, timeline } = step;
  timeline.record({ type: 'given_up', detail: { reason } });
  const moved = applyNotSent(charge, currentTime());
  const effect = buildEffect(chargeStore, step, moved, timeline.take());
  const isSaved = await saveUnsentCharge(deps.db, charge, moved.charge, effect);
  return toProgress(isSaved ? { ...step, charge: moved.charge } : await readCharge(deps, charge.id));
}

async function recordVoid(step: ChargeStep, reason: VoidReason): Promise<ChargeProgress> {
  const { deps, charge, timeline } = step;
  const moved = { ...charge, voidReason: reason, updatedAt: currentTime() };
  timeline.record({ type: 'void_requested', detail: { reason } });
  const isSaved = await saveCharge(deps.db, charge, moved, { timeline: timeline.take() });
  return toProgress(isSaved ? { ...step, charge: moved } : await readCharge(deps, charge.id));
}

/** Whether the row itself says that the void is due: a signal makes the run look sooner, and decides nothing. */
function isDue(charge: Charge, reason: VoidReason | null): reason is VoidReason {
  if (reason === 'cancelled') return charge.cancelRequestedAt !== null;
  return reason === 'expired' && charge.expiresAt !== null && charge.expiresAt.getTime() <= currentTimeMs();
}
