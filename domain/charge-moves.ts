import {
  standardActionTtlMs,
  type CaptureOutcome,
  type Charge,
  type ChargeDurations,
  type ChargeFailure,
  type ChargeOutcome,
  type DeclineCode,
  type Refused,
} from './charges.ts';

/** The moves of a charge from one state to the next. */

/** A charge after a move, and the event of the move. */
export interface ChargeMove {
  charge: Charge;
  event:
    | 'charge.requires_action'
    | 'charge.authorized'
    | 'charge.succeeded'
    | 'charge.failed'
    | 'charge.cancelled'
    | null;
}

/** How long before the processor releases a reservation it counts as lapsed, in milliseconds. */
const lapseMarginMs = 3_600_000;

/**
 * Moves a charge in `pending` or `requires_action` by the processor's decision. Illegal for any other status.
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
  const waits = { ...charge, processorFault: null, updatedAt: now };
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
    case 'pending':
      return { charge: { ...known, status: 'pending', processorPending: true }, event: null };
    case 'voided': {
      // Nobody asked for it here: it was cancelled at the processor, or its outcome is lost.
      const reason = charge.status === 'requires_action' ? 'cancelled' : 'unresolved';
      return applyVoid({ ...charge, voidReason: charge.voidReason ?? reason }, now);
    }
  }
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

/** Moves a charge with a capture begun: to `succeeded`, or back to waiting when the processor declined it. */
export function applyCapture(charge: Charge, outcome: CaptureOutcome, now: Date): ChargeMove {
  const known = { ...charge, processorFault: null, updatedAt: now };
  if (outcome.kind === 'declined') {
    return { charge: { ...known, captureClaimId: null, captureAmount: null }, event: null };
  }
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

function declined(outcome: { declineCode: DeclineCode; message: string }): ChargeFailure {
  return { code: 'card_declined', decline_code: outcome.declineCode, message: outcome.message };
}
