import type {
  CaptureOutcome,
  Charge,
  ChargeDurations,
  ChargeFailure,
  ChargeOutcome,
  DeclineCode,
  Refused,
} from './charges.ts';

/** The moves of a charge from one state to the next. */

/** A charge after a move, and the event of the move. */
export interface ChargeMove {
  charge: Charge;
  event: 'charge.authorized' | 'charge.succeeded' | 'charge.failed' | 'charge.cancelled' | null;
}

/** An outcome that moves a charge. */
export type MovingOutcome = Exclude<ChargeOutcome, { kind: 'requires_action' }>;

/** How long before the processor releases a reservation it counts as lapsed, in milliseconds. */
const lapseMarginMs = 3_600_000;

/** Moves a `pending` charge by the processor's decision. Illegal for any other status. */
export function applyOutcome(
  charge: Charge,
  outcome: MovingOutcome,
  durations: ChargeDurations,
  now: Date,
): ChargeMove {
  const known = { ...charge, processorPending: false, processorFault: null, updatedAt: now };
  switch (outcome.kind) {
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
      return { charge: { ...known, processorPending: true }, event: null };
    case 'voided':
      return applyVoid({ ...charge, voidReason: charge.voidReason ?? 'unresolved' }, now);
  }
}

/** Moves a voided charge to `cancelled`, or to `failed` if its outcome was unknown. */
export function applyVoid(charge: Charge, now: Date): ChargeMove {
  const voided = {
    ...charge,
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
