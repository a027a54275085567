import type { ProblemCode } from './problems.ts';

/**
 * A charge: its states, what moves it from one to the next, and how it reads over the wire.
 */

export type ChargeStatus =
  /** The outcome is not known yet: the processor has not answered, or took it asynchronously. */
  | 'pending'
  /** The money is reserved and waits for a capture, a cancel or its expiry. */
  | 'requires_capture'
  /** The money was taken. Terminal. */
  | 'succeeded'
  /** Declined, or given up and voided. Terminal. */
  | 'failed'
  /** The reservation was given back. Terminal. */
  | 'cancelled';

export const terminalStatuses: readonly ChargeStatus[] = ['succeeded', 'failed', 'cancelled'];

export function isTerminal(charge: Pick<Charge, 'status'>): boolean {
  return terminalStatuses.includes(charge.status);
}

/** Why a card was refused; shown to the merchant as `failure.decline_code`. */
export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'lost_card'
  | 'stolen_card'
  | 'processing_error';

export interface ChargeFailure {
  /** `not_sent`: the processor could not be reached for as long as the account lets it. */
  code: 'card_declined' | 'processor_timeout' | 'not_sent';
  decline_code: DeclineCode | null;
  message: string;
}

/** Why a reservation is given back. */
export type VoidReason =
  /** The caller asked. */
  | 'cancelled'
  /** Nobody captured it in time. */
  | 'expired'
  /** The processor did not tell the outcome in time (design, "Unknown ends"). */
  | 'unresolved';

/** What the processor says became of a charge sent under its key. */
export type ChargeOutcome =
  /** The money is reserved; a capture takes it. */
  | { kind: 'authorized'; processorId: string }
  /** The money was taken. `amountCaptured` in minor units. */
  | { kind: 'captured'; processorId: string; amountCaptured: number }
  | { kind: 'declined'; processorId: string; declineCode: DeclineCode; message: string }
  /** The processor took the charge and will tell, or can be asked. */
  | { kind: 'pending'; processorId: string }
  /** The reservation or the payment was given back; a later send with this key moves nothing. */
  | { kind: 'voided'; processorId: string };

/** What the processor says became of a capture. */
export type CaptureOutcome =
  | { kind: 'captured'; amountCaptured: number }
  | { kind: 'declined'; declineCode: DeclineCode; message: string };

/** What a caller asks for; the body of `POST /v1/charges` once it is valid. */
export interface NewCharge {
  /** Minor units. */
  amount: number;
  currency: string;
  captureMethod: 'automatic' | 'manual';
  customerId: string | null;
  /** As given: a `pm_…` of the customer or a one-off `tok_…`. */
  paymentMethod: string;
  /** What the processor knows the card by. */
  processorToken: string;
  description: string | null;
  statementDescriptor: string | null;
  metadata: Record<string, string>;
}

/** A valid charge as it was asked for, before its card was looked up. */
export type AskedCharge = Omit<NewCharge, 'processorToken' | 'paymentMethod'> & {
  /** `null`: the default one of the customer. */
  paymentMethod: string | null;
};

export interface Charge extends NewCharge {
  id: string;
  accountId: string;
  /** The claim whose run owns this charge; also in the run's memo. */
  claimId: string;
  workflowId: string;
  status: ChargeStatus;
  /** Minor units. */
  amountCaptured: number;
  /** Minor units reserved by refunds that neither failed nor were reversed. */
  amountRefunded: number;
  failure: ChargeFailure | null;
  /** The processor took the charge and has not decided; without it a `pending` charge is one of unknown outcome. */
  processorPending: boolean;
  /** The last call to the processor that gave no usable answer, as long as the outcome is unknown. */
  processorFault: ProblemCode | null;
  /** The capture that was begun, by its claim; its outcome is unknown while `status` is `requires_capture`. */
  captureClaimId: string | null;
  captureAmount: number | null;
  /** Set before the processor is asked to give the money back; from then on only that is done. */
  voidReason: VoidReason | null;
  createdAt: Date;
  updatedAt: Date;
  capturedAt: Date | null;
  cancelRequestedAt: Date | null;
  cancelledAt: Date | null;
  /** When the authorization lapses; only while `requires_capture`. */
  expiresAt: Date | null;
  /** Grows with every change of the row; the ETag is made from it. */
  version: number;
}

/** What readers of a charge are shown, without what only its workflow needs. */
export type ChargeView = Omit<
  Charge,
  | 'claimId'
  | 'workflowId'
  | 'processorToken'
  | 'processorPending'
  | 'processorFault'
  | 'captureClaimId'
  | 'captureAmount'
  | 'voidReason'
>;

/** The durations that an account sets for its charges. */
export interface ChargeDurations {
  /** How long an authorization waits for its capture. (Default: 7 days) */
  authorizationTtlMs: number;
  /** How long an unknown outcome is asked for before the charge is voided. (Default: 10 minutes) */
  unknownTimeoutMs: number;
  /**
   * How long a charge that never left is sent, when it can be, before it fails. (Default: 24 hours, also in the input of
   * runs that an earlier release started)
   */
  pendingTimeoutMs?: number;
}

export const standardPendingTimeoutMs = 86_400_000;

/** How long ago it happened when the charge was read, in milliseconds, by the database's clock alone. */
export interface ChargeAge {
  /** The first send that may have had an effect; `null`: there was none. */
  sentMs: number | null;
  begunMs: number;
}

/** Why a charge without an outcome is given up: it stayed unknown, or never left, for as long as its account lets it. */
export function giveUpReason(age: ChargeAge, durations: ChargeDurations): 'unresolved' | 'not_sent' | null {
  if (age.sentMs !== null) return age.sentMs > durations.unknownTimeoutMs ? 'unresolved' : null;
  return age.begunMs > (durations.pendingTimeoutMs ?? standardPendingTimeoutMs) ? 'not_sent' : null;
}

/** What remains to be done for a charge. */
export type ChargeNext =
  /** Nothing: it is terminal. */
  | 'done'
  /** Its outcome is unknown: ask by key, send again if the processor has not seen it. */
  | 'resolve'
  /** The processor decides: wait for its notification, ask from time to time. */
  | 'await_processor'
  /** Wait for a capture, a cancel or the expiry. */
  | 'await_command'
  /** A capture was begun whose outcome is unknown. */
  | 'resolve_capture'
  /** A void was begun: go on until the processor confirms it. */
  | 'void';

/** The step that follows from the row alone, so that a run started anew goes on where the last one stopped. */
export function nextStep(charge: Charge): ChargeNext {
  if (isTerminal(charge)) return 'done';
  if (charge.voidReason) return 'void';
  if (charge.status === 'pending') return charge.processorPending ? 'await_processor' : 'resolve';
  return charge.captureClaimId ? 'resolve_capture' : 'await_command';
}

/** A charge after a move, and the event that tells of it. */
export interface ChargeMove {
  charge: Charge;
  event: 'charge.authorized' | 'charge.succeeded' | 'charge.failed' | 'charge.cancelled' | null;
}

/** `pending` → what the processor says. Illegal for any other status. */
export function applyOutcome(
  charge: Charge,
  outcome: ChargeOutcome,
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
          expiresAt: new Date(now.getTime() + durations.authorizationTtlMs),
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
    case 'pending':
      return { charge: { ...known, processorPending: true }, event: null };
    case 'voided':
      return applyVoid({ ...charge, voidReason: charge.voidReason ?? 'unresolved' }, now);
  }
}

/** The processor confirmed the void that `voidReason` stands for: → `cancelled`, or `failed` for an unknown outcome. */
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

/** `pending` and never sent → `failed`; there is nothing to void. */
export function applyNotSent(charge: Charge, now: Date): ChargeMove {
  const message = 'The processor could not be reached in time; the payment was never sent.';
  const failure: ChargeFailure = { code: 'not_sent', decline_code: null, message };
  return {
    charge: { ...charge, status: 'failed', failure, processorFault: null, updatedAt: now },
    event: 'charge.failed',
  };
}

/** `requires_capture` with a capture begun → `succeeded`, or back to waiting when the processor declined it. */
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

/** Why a capture of `amount` (default: all) cannot be begun, or `null` when it can. */
export function captureRefusal(charge: Charge, amount: number | null): ProblemCode | null {
  if (charge.status === 'succeeded') return 'charge_already_captured';
  if (charge.status !== 'requires_capture' || charge.voidReason || charge.cancelRequestedAt) {
    return 'charge_not_capturable';
  }
  if (charge.captureClaimId) return 'charge_already_captured';
  return (amount ?? charge.amount) > charge.amount ? 'capture_exceeds_authorized' : null;
}

function declined(outcome: { declineCode: DeclineCode; message: string }): ChargeFailure {
  return { code: 'card_declined', decline_code: outcome.declineCode, message: outcome.message };
}

/** A charge over the wire, in the current API version (decisions, Resources). */
export interface ChargeResource {
  id: string;
  object: 'charge';
  amount: number;
  currency: string;
  status: ChargeStatus;
  capture_method: 'automatic' | 'manual';
  amount_captured: number;
  amount_refunded: number;
  refunded: boolean;
  customer: string | null;
  payment_method: string;
  description: string | null;
  statement_descriptor: string | null;
  metadata: Record<string, string>;
  failure: ChargeFailure | null;
  created: string;
  updated: string;
  captured_at: string | null;
  cancel_requested_at: string | null;
  cancelled_at: string | null;
  expires_at: string | null;
}

export function presentCharge(charge: ChargeView): ChargeResource {
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    currency: charge.currency,
    status: charge.status,
    capture_method: charge.captureMethod,
    amount_captured: charge.amountCaptured,
    amount_refunded: charge.amountRefunded,
    refunded: charge.amountCaptured > 0 && charge.amountRefunded === charge.amountCaptured,
    customer: charge.customerId,
    payment_method: charge.paymentMethod,
    description: charge.description,
    statement_descriptor: charge.statementDescriptor,
    metadata: charge.metadata,
    failure: charge.failure,
    created: charge.createdAt.toISOString(),
    updated: charge.updatedAt.toISOString(),
    captured_at: charge.capturedAt?.toISOString() ?? null,
    cancel_requested_at: charge.cancelRequestedAt?.toISOString() ?? null,
    cancelled_at: charge.cancelledAt?.toISOString() ?? null,
    expires_at: charge.expiresAt?.toISOString() ?? null,
  };
}
