import {
  isTerminal,
  type CaptureOutcome,
  type CaptureProblem,
  type Charge,
  type ChargeOutcome,
  type Refused,
  type VoidReason,
} from './charges.ts';
import type { ChargeFailure } from './charge-failures.ts';
import type { ToldDecline } from './cards/decline-advice.ts';
import { addToReceipt } from './cards/receipt.ts';
import type { NewTimelineEntry } from './timeline.ts';

/** What a charge waits for, and its moves from one state to the next. */

/** The durations that an account sets for its charges. */
export interface ChargeDurations {
  /** How long an authorization waits for its capture. (Default: 7 days) */
  authorizationTtlMs: number;
  /** How long an unknown outcome is asked for before the charge is voided. (Default: 10 minutes) */
  unknownTimeoutMs: number;
  /** How long a charge that was never sent is tried before it fails. (Default: 24 hours) */
  pendingTimeoutMs?: number;
  /** How long a buyer has to confirm a charge. (Default: 1 hour) */
  actionTtlMs?: number;
}

export const standardPendingTimeoutMs = 86_400_000;
export const standardActionTtlMs = 3_600_000;

/** Milliseconds since a moment of the charge when it was read, by the database's clock alone. */
export interface ChargeAge {
  /** The first send that may have had an effect; `null`: there was none. */
  sentMs: number | null;
  begunMs: number;
}

/**
 * Returns why a charge without an outcome is given up, or `null` if it is not: it stayed unknown, or was never sent, past
 * the account's limit.
 */
export function giveUpReason(age: ChargeAge, durations: ChargeDurations): 'unresolved' | 'not_sent' | null {
  if (age.sentMs !== null) return age.sentMs > durations.unknownTimeoutMs ? 'unresolved' : null;
  return age.begunMs > (durations.pendingTimeoutMs ?? standardPendingTimeoutMs) ? 'not_sent' : null;
}

/** Whether the buyer's time to confirm a charge is over. */
export function isActionOver({ actionExpiresAt }: Pick<Charge, 'actionExpiresAt'>, now: number): boolean {
  return actionExpiresAt !== null && actionExpiresAt.getTime() <= now;
}

/** The next step of a charge. */
export type ChargeNext =
  /** Nothing: it is terminal. */
  | 'done'
  /** Its outcome is unknown: ask by key, send again if the processor has not seen it. */
  | 'resolve'
  /** The processor decides: wait for its notification, ask from time to time. */
  | 'await_processor'
  /** The buyer must confirm: wait for the processor's notification, ask from time to time, void at the end. */
  | 'await_action'
  /** Wait for a capture, a cancel or the expiry. */
  | 'await_command'
  /** A capture was begun whose outcome is unknown. */
  | 'resolve_capture'
  /** A void was recorded: call the processor until it confirms. */
  | 'void';

/** The members of a charge that decide its next step. */
export type ChargeState = Pick<Charge, 'status' | 'voidReason' | 'processorPending' | 'captureClaimId'>;

/** Returns the step that follows from the row alone, so that a new run resumes where the last one stopped. */
export function nextStep(charge: ChargeState): ChargeNext {
  if (isTerminal(charge)) return 'done';
  if (charge.voidReason) return 'void';
  if (charge.status === 'pending') return charge.processorPending ? 'await_processor' : 'resolve';
  if (charge.status === 'requires_action') return 'await_action';
  return charge.captureClaimId ? 'resolve_capture' : 'await_command';
}

/** Returns why a capture of `amount` (default: all) cannot begin, or `null` if it can. */
export function captureRefusal(charge: Charge, amount: number | null): CaptureProblem | null {
  if (charge.status === 'succeeded') return 'charge_already_captured';
  if (charge.status !== 'requires_capture' || charge.voidReason || charge.cancelRequestedAt) {
    return 'charge_not_capturable';
  }
  if (charge.captureClaimId) return 'charge_already_captured';
  return (amount ?? charge.amount) > charge.amount ? 'capture_exceeds_authorized' : null;
}

/** A charge after a move, and the event of the move. */
export interface ChargeMove {
  charge: Charge;
  event:
    | 'charge.requires_action'
    | 'charge.authorized'
    | 'charge.succeeded'
    | 'charge.failed'
    | 'charge.cancelled'
    | 'charge.updated'
    | null;
}

/** How long before the processor releases a reservation it counts as lapsed, in milliseconds. */
const lapseMarginMs = 3_600_000;

/**
 * Moves a charge in `pending` or `requires_action` by the processor's decision. Illegal for any other status.
 *
 * A charge whose cancel was recorded before is not moved to where it would hold money: its void begins.
 *
 * `requires_action` is told once: a charge that waits for its buyer already gets the new URL, and keeps its time. The next
 * send has another key, since the processor would repeat its first answer to the old one.
 */
export function applyOutcome(
  charge: Charge,
  outcome: ChargeOutcome,
  durations: ChargeDurations,
  now: Date,
): ChargeMove {
  const receipt = addToReceipt(charge.receipt, outcome);
  const waits = { ...charge, receipt, processorFault: null, updatedAt: now };
  if (charge.cancelRequestedAt && mayHold(outcome)) return beginVoid(waits, 'cancelled');
  const known = { ...waits, ...noAction, processorPending: false };
  switch (outcome.kind) {
    case 'requires_action':
      return requireAction(waits, outcome.url, durations, now);
    case 'authorized':
      return {
        charge: {
          ...known,
          status: 'requires_capture',
          expiresAt: lapseTime(outcome.expiresAt, durations, now),
        },
        event: 'charge.authorized',
      };
    case 'captured':
      return {
        charge: { ...known, status: 'succeeded', amountCaptured: outcome.amountCaptured, capturedAt: now },
        event: 'charge.succeeded',
      };
    case 'declined':
      return { charge: { ...known, status: 'failed', failure: declined(outcome) }, event: 'charge.failed' };
    case 'refused':
      return { charge: { ...known, status: 'failed', failure: refused(outcome) }, event: 'charge.failed' };
    case 'capture_failed':
      return { charge: { ...known, status: 'failed', failure: captureFailed }, event: 'charge.failed' };
    case 'pending':
      return { charge: { ...known, status: 'pending', processorPending: true }, event: null };
    case 'voided': {
      // Nobody asked for it here: it was cancelled at the processor, or its outcome is lost.
      const isAsked = charge.status === 'requires_action' || charge.cancelRequestedAt !== null;
      const reason = isAsked ? 'cancelled' : 'unresolved';
      return applyVoid({ ...charge, voidReason: charge.voidReason ?? reason }, now);
    }
  }
}

/** Whether a charge with this outcome holds money, or may come to hold it. */
function mayHold({ kind }: ChargeOutcome): boolean {
  return kind === 'authorized' || kind === 'captured' || kind === 'pending' || kind === 'requires_action';
}

/** From here on the charge is only given back, and then it ends. Nobody is told before that. */
function beginVoid(charge: Charge, voidReason: VoidReason): ChargeMove {
  return { charge: { ...charge, voidReason }, event: null };
}

const noAction = { actionUrl: null, actionExpiresAt: null };

function requireAction(charge: Charge, actionUrl: string, durations: ChargeDurations, now: Date): ChargeMove {
  const end = new Date(now.getTime() + (durations.actionTtlMs ?? standardActionTtlMs));
  const isNew = charge.status !== 'requires_action';
  return {
    charge: {
      ...charge,
      status: 'requires_action',
      processorPending: false,
      processorAttempt: charge.processorAttempt + 1,
      actionUrl,
      actionExpiresAt: isNew ? end : charge.actionExpiresAt,
    },
    event: isNew ? 'charge.requires_action' : null,
  };
}

/**
 * Moves an authorized charge by what was decided at the processor, without us: it was captured or released there. Returns
 * `null` for every other outcome.
 */
export function applyNews(charge: Charge, outcome: ChargeOutcome, now: Date): ChargeMove | null {
  if (outcome.kind === 'voided') return applyVoid({ ...charge, voidReason: 'cancelled' }, now);
  return outcome.kind === 'captured' ? applyCapture(charge, outcome, now) : null;
}

/**
 * Moves an authorized charge whose time is over to `succeeded`, if it was captured at the processor before its void went
 * out. Returns `null` if it is to be voided all the same: nothing was captured, or its merchant wants it cancelled.
 */
export function applyCaptureBeforeVoid(
  charge: Charge,
  outcome: ChargeOutcome | null,
  now: Date,
): ChargeMove | null {
  if (outcome?.kind !== 'captured' || !isVoidedByTimeAlone(charge)) return null;
  return applyCapture({ ...charge, voidReason: null }, outcome, now);
}

/** Whether an authorization is voided since its time is over, and nobody asked for it. */
export function isVoidedByTimeAlone({ voidReason, cancelRequestedAt }: Charge): boolean {
  return voidReason === 'expired' && cancelRequestedAt === null;
}

/** Moves a voided charge to `cancelled`, or to `failed` if its outcome was unknown or its buyer did not confirm it. */
export function applyVoid(charge: Charge, now: Date): ChargeMove {
  const voided = {
    ...charge,
    ...noAction,
    processorPending: false,
    processorFault: null,
    expiresAt: null,
    updatedAt: now,
  };
  if (charge.voidReason === 'unresolved') {
    const message = 'The processor did not tell the outcome in time; the payment was voided.';
    const failure: ChargeFailure = { code: 'processor_timeout', decline_code: null, message };
    return { charge: { ...voided, status: 'failed', failure }, event: 'charge.failed' };
  }
  if (charge.voidReason === 'action_expired') {
    const message = 'The buyer did not confirm the payment in time.';
    const failure: ChargeFailure = { code: 'authentication_expired', decline_code: null, message };
    return { charge: { ...voided, status: 'failed', failure }, event: 'charge.failed' };
  }
  return { charge: { ...voided, status: 'cancelled', cancelledAt: now }, event: 'charge.cancelled' };
}

/** Moves a `pending` charge that was never sent to `failed`; there is nothing to void. */
export function applyNotSent(charge: Charge, now: Date): ChargeMove {
  const message = 'The processor could not be reached in time; the payment was never sent.';
  const failure: ChargeFailure = { code: 'not_sent', decline_code: null, message };
  return {
    charge: { ...charge, status: 'failed', failure, processorFault: null, updatedAt: now },
    event: 'charge.failed',
  };
}

/**
 * Moves a charge with a capture begun: to `succeeded`, or back to waiting when the processor declined it. If its cancel was
 * recorded meanwhile, what was captured is given back.
 */
export function applyCapture(charge: Charge, outcome: CaptureOutcome, now: Date): ChargeMove {
  const known = { ...charge, processorFault: null, updatedAt: now };
  if (outcome.kind === 'declined') {
    return { charge: { ...known, captureClaimId: null, captureAmount: null }, event: null };
  }
  if (charge.cancelRequestedAt) return beginVoid(known, 'cancelled');
  return {
    charge: {
      ...known,
      status: 'succeeded',
      amountCaptured: outcome.amountCaptured,
      capturedAt: now,
      expiresAt: null,
    },
    event: 'charge.succeeded',
  };
}

const captureFailed: ChargeFailure = {
  code: 'capture_failed',
  decline_code: null,
  message: 'The bank did not pay what was captured.',
};

/**
 * Moves a charge that succeeded by what the processor says now: its capture failed. Nothing was ever taken, so it `failed`.
 * But where refunds were made of it, or are under way, it stays `succeeded`, and tells that all of it was taken back. Returns
 * `null` for every other outcome.
 */
export function applyLateOutcome(charge: Charge, outcome: ChargeOutcome, now: Date): ChargeMove | null {
  if (outcome.kind !== 'capture_failed' || charge.status !== 'succeeded') return null;
  if (charge.amountReturned > 0) return null;
  if (charge.amountRefunded > 0) {
    const amountReturned = charge.amountCaptured;
    return { charge: { ...charge, amountReturned, updatedAt: now }, event: 'charge.updated' };
  }
  const nothing = { amountCaptured: 0, amountReturned: 0, capturedAt: null };
  return {
    charge: { ...charge, ...nothing, status: 'failed', failure: captureFailed, updatedAt: now },
    event: 'charge.failed',
  };
}

/** Returns when a reservation lapses: at the account's own limit, or before the processor releases it. */
function lapseTime(processorExpiresAt: Date | undefined, durations: ChargeDurations, now: Date): Date {
  const own = now.getTime() + durations.authorizationTtlMs;
  if (!processorExpiresAt) return new Date(own);
  const usable = Math.max(now.getTime(), processorExpiresAt.getTime() - lapseMarginMs);
  return new Date(Math.min(own, usable));
}

function refused(outcome: Refused): ChargeFailure {
  return { code: 'refused', decline_code: null, message: outcome.message };
}

function declined({ declineCode, advice, message }: ToldDecline & { message: string }): ChargeFailure {
  return { code: 'card_declined', decline_code: declineCode, ...(advice && { advice }), message };
}

/** Returns the timeline's entry of what the charge waits for now, if it waits; of its void, if it is to be voided. */
export function describeWait(charge: Charge): NewTimelineEntry[] {
  const next = nextStep(charge);
  const at = charge.updatedAt;
  if (next === 'void' && charge.voidReason)
    return [{ at, type: 'void_requested', detail: { reason: charge.voidReason } }];
  if (next === 'await_processor') return [{ at, type: 'waiting', detail: { for: 'processor' } }];
  if (next === 'await_action') {
    const until = charge.actionExpiresAt && { until: charge.actionExpiresAt.toISOString() };
    return [{ at, type: 'waiting', detail: { for: 'action', ...until } }];
  }
  if (next !== 'await_command') return [];
  const until = charge.expiresAt && { until: charge.expiresAt.toISOString() };
  return [{ at, type: 'waiting', detail: { for: 'capture', ...until } }];
}
