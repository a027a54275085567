import { isAccountActive } from '#db/access/accounts.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { recordAsked } from '#db/payments/processor-notifications.ts';
import { beginSend } from '#db/payments/charge-sends.ts';
import { saveCharge } from '#db/payments/charge-saves.ts';
import { beginCapture, beginCharge, type ClaimedCharge } from '#db/payments/charges.ts';
import { findClaimContext, type ClaimContext } from '#db/writes/claim-contexts.ts';
import { releaseClaim } from '#db/writes/idempotency-keys.ts';
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
import { call } from '#processor/call.ts';
import { ProcessorFault, type OrFault } from '#processor/port.ts';
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
import { buildEffect, isAwaited, orFault, settle, storeReply, takeStep, type StepDeps } from './settle.ts';

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

/** @property leaseMs given where no workflow takes the step. */
type CaptureStart = Pick<ChargeInput, 'chargeId'> & { leaseMs?: number };

/**
 * Begins the claim, then sends the charge to the processor, once; an unusable answer leaves `next: 'resolve'`. A claim
 * that had begun before is left to {@link resolveCharge}, which asks first.
 */
async function authorizeCharge(deps: StepDeps, input: ChargeStart): Promise<ChargeProgress> {
  const begun = await beginCharge(deps.db, input, true, input.leaseMs);
  if (!begun) return endNotStarted(deps, input);
  if (!begun.fresh) return resume(begun);
  const step = await startStep(deps, begun, firstSend);
  step.timeline.record(began);
  return takeStep('run', chargeStore, step, async () => settleOutcome(step, await sendCharge(step), input));
}

/** Begins the claim of a caller who does not wait, and stores its 202. */
async function acceptCharge(deps: StepDeps, input: ChargeStart): Promise<ChargeProgress> {
  const begun = await beginCharge(deps.db, input, false);
  if (!begun) return endNotStarted(deps, input);
  const { charge, claim } = begun;
  if (begun.fresh) await appendTimeline(deps.db, charge.id, [{ at: currentTime(), ...began }]);
  if (charge.status === 'pending' && claim && !claim.answered)
    await storeReply(deps, claim, replyToCharge(charge));
  return resume(begun);
}

/** Returns the progress of a charge that began before this run, or in it. */
function resume(begun: ClaimedCharge): ChargeProgress {
  return { ...toProgress(begun), ...(begun.news && { hasNews: true }) };
}

/** Ends a run whose claim is gone or came too late. A claim that is still there is released: nothing will happen under it. */
async function endNotStarted({ db }: StepDeps, { claimId }: ChargeStart): Promise<ChargeProgress> {
  await releaseClaim(db, claimId);
  return { status: 'not_started', next: 'done' };
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
  if (next === 'await_processor')
    return takeStep('run', chargeStore, step, () => askProcessor(step, run, null));
  if (next === 'await_command') return takeStep('run', chargeStore, step, () => settleNews(step));
  if (next !== 'resolve' && next !== 'await_action') return toProgress(step);
  const overdue = next === 'resolve' ? findGiveUp(step, run.durations) : endOfAction(step.charge);
  return takeStep('temporal', chargeStore, step, async () => {
    const end = await orFault(() => askProcessor(step, run, overdue));
    if (!(end instanceof ProcessorFault)) return end;
    const reason = step.charge.cancelRequestedAt ? 'cancelled' : overdue;
    // The buyer may have confirmed in time: only the processor can tell.
    return reason && reason !== 'action_expired' ? giveUp(step, reason) : end;
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
): Promise<OrFault<ChargeProgress>> {
  const { id, cancelRequestedAt } = step.charge;
  const outcome = await findOutcome(step);
  if (outcome instanceof ProcessorFault) return outcome;
  const isDecided = outcome && outcome.kind !== 'pending' && outcome.kind !== 'requires_action';
  if (isDecided) return settleOutcome(step, outcome, run);
  if (cancelRequestedAt) return giveUp(step, 'cancelled');
  const goesOn = overdue === null || (overdue === 'action_expired' && (await isConfirmed(step, outcome)));
  if (!goesOn) return giveUp(step, overdue);
  const known = outcome ?? (await sendAgain(step));
  return known ? settleOutcome(step, known, run) : toProgress(await readCharge(step.deps, id));
}

/**
 * Carries out the captures that wait for the charge, one after the other: sends the one that the charge allows, once, and
 * refuses the others. An unusable answer leaves `next: 'resolve_capture'`.
 */
async function captureCharge(deps: StepDeps, { chargeId, leaseMs }: CaptureStart): Promise<ChargeProgress> {
  let last: ChargeProgress | null = null;
  for (;;) {
    const begun = await beginCapture(deps.db, chargeId, leaseMs);
    if (!begun && last) return { ...last, hadCommand: true };
    if (begun?.taken) {
      const held = { charge: begun.taken, claim: null, age: { begunMs: 0, sentMs: null } };
      last = await takeCapture(await startStep(deps, held), begun.claim);
      // A caller without a workflow takes one capture. It wakes the run afterwards, which takes the others.
      if (leaseMs !== undefined) return last;
      continue;
    }
    const step = await readCharge(deps, chargeId);
    const { charge } = step;
    // Another worker has recorded the capture at this moment.
    if (!begun || begun.claim.claimId === charge.captureClaimId) return toProgress(step);
    const problem = captureRefusal(charge, begun.amount) ?? 'charge_not_capturable';
    await storeReply(deps, begun.claim, { problem });
    last = toProgress(step);
  }
}

function takeCapture(step: ChargeStep, claim: ClaimContext): Promise<ChargeProgress> {
  const { amount, captureAmount } = step.charge;
  step.timeline.record({ type: 'capture_requested', detail: { amount: captureAmount ?? amount } });
  return takeStep('run', chargeStore, step, async () => settleCapture(step, await sendCapture(step), claim));
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
  return takeStep('temporal', chargeStore, step, async () => {
    const found = await findCapture(step);
    if (!found) await requireActive(deps.db, step.charge.accountId);
    const claim = await findClaimContext(deps.db, step.charge.captureClaimId ?? '');
    return settleCapture(step, found ?? (await sendCapture(step)), claim);
  });
}

/**
 * Voids the charge if it was cancelled or its time is over: records the void first, unless one was recorded, then calls the
 * processor until it confirms. A void that time alone asks for asks the processor before: what was captured there
 * meanwhile stays.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function voidCharge(deps: StepDeps, run: ChargeRun): Promise<ChargeProgress> {
  let step = await readCharge(deps, run.chargeId);
  const reason = findDueVoid(step.charge);
  if (nextStep(step.charge) === 'await_command' && reason) {
    await recordVoid(step, reason);
    step = await readCharge(deps, run.chargeId);
  }
  if (nextStep(step.charge) !== 'void') return toProgress(step);
  return takeStep('temporal', chargeStore, step, async () => {
    if (isVoidedByTimeAlone(step.charge)) {
      const found = await findOutcome(step);
      const progress = await settle(chargeStore, step, found, ({ charge }, now, outcome) =>
        nextStep(charge) === 'void' ? applyCaptureBeforeVoid(charge, outcome, now) : null,
      );
      if (progress instanceof ProcessorFault || progress.next !== 'void') return progress;
    }
    return settle(chargeStore, step, await releaseCharge(step), ({ charge }, now) =>
      nextStep(charge) === 'void' ? applyVoid(charge, now) : null,
    );
  });
}

/** Returns `null` if the charge is no longer to be sent, since another moved it. */
async function sendAgain(step: ChargeStep): Promise<OrFault<ChargeOutcome | null>> {
  const { db } = step.deps;
  await requireActive(db, step.charge.accountId);
  step.send = await beginSend(db, step.charge.id);
  return step.send && sendCharge(step);
}

function findCapture(step: ChargeStep): Promise<OrFault<CaptureOutcome | null>> {
  return call(step, 'findCapture', toCaptureRequest(step.charge));
}

function sendCapture(step: ChargeStep): Promise<OrFault<CaptureOutcome>> {
  const { charge } = step;
  return call(step, 'capture', { ...toCaptureRequest(charge), attempt: charge.captureAttempt });
}

function toCaptureRequest(charge: Charge) {
  const { id, captureClaimId: key, captureAmount: amount } = charge;
  if (key === null || amount === null) throw new Error(`Charge ${id} has no capture to ask for`);
  return { key, charge: toSentCharge(charge), amount };
}

function settleOutcome(
  step: ChargeStep,
  found: OrFault<ChargeOutcome>,
  { durations }: Pick<ChargeRun, 'durations'>,
): Promise<OrFault<ChargeProgress>> {
  return settle(chargeStore, step, found, ({ charge }, now, outcome) =>
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
async function settleNews(step: ChargeStep): Promise<OrFault<ChargeProgress>> {
  return settle(chargeStore, step, await findOutcome(step), ({ charge }, now, outcome) =>
    outcome && nextStep(charge) === 'await_command' ? applyNews(charge, outcome, now) : null,
  );
}

/** @param claim of the capture; `null` if it is no longer kept. */
function settleCapture(
  step: ChargeStep,
  found: OrFault<CaptureOutcome>,
  claim: ClaimContext | null,
): Promise<OrFault<ChargeProgress>> {
  const { captureClaimId: claimId } = step.charge;
  const isOpen = (charge: Charge) => charge.captureClaimId === claimId && nextStep(charge) !== 'done';
  return settle(
    chargeStore,
    step,
    found,
    ({ charge }, now, outcome) => (isOpen(charge) ? applyCapture(charge, outcome, now) : null),
    { claim, reply: ({ charge }, outcome) => replyToCapture(charge, outcome) },
  );
}

type GiveUpReason = NonNullable<ReturnType<typeof giveUpReason>> | 'action_expired';

/** Returns why the charge is given up now. What may have been captured is not, where a void cannot give it back. */
function findGiveUp(
  { age, charge, processor }: ChargeStep,
  durations: ChargeRun['durations'],
): GiveUpReason | null {
  const reason = giveUpReason(age, durations);
  return reason === 'unresolved' && !canGiveBack(charge, processor.capabilities) ? null : reason;
}

/** Ends a charge of unknown outcome: voids one that may have been sent, and fails one that never was. */
async function giveUp(step: ChargeStep, reason: GiveUpReason | 'cancelled'): Promise<ChargeProgress> {
  if (reason !== 'not_sent') return recordVoid(step, reason);
  const { deps, charge, timeline } = step;
  timeline.record({ type: 'given_up', detail: { reason } });
  const moved = applyNotSent(charge, currentTime());
  const effect = buildEffect(chargeStore, step, moved, timeline.take());
  const isSaved = await saveCharge(deps.db, charge, moved.charge, effect, 'unsent');
  return toProgress(isSaved ? { ...step, charge: moved.charge } : await readCharge(deps, charge.id));
}

async function recordVoid(step: ChargeStep, reason: VoidReason): Promise<ChargeProgress> {
  const { deps, charge, timeline } = step;
  const moved = { ...charge, voidReason: reason, updatedAt: currentTime() };
  timeline.record({ type: 'void_requested', detail: { reason } });
  const isSaved = await saveCharge(deps.db, charge, moved, { timeline: timeline.take() });
  return toProgress(isSaved ? { ...step, charge: moved } : await readCharge(deps, charge.id));
}

/** Returns why an authorization is to be voided now, or `null` if it is not. */
function findDueVoid({ cancelRequestedAt, expiresAt }: Charge): VoidReason | null {
  if (cancelRequestedAt) return 'cancelled';
  return expiresAt !== null && expiresAt.getTime() <= currentTimeMs() ? 'expired' : null;
}
