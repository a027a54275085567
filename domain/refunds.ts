import {
  addToRefundReceipt,
  type ReceiptProcessor,
  type RefundReceipt,
  type ToldOfRefund,
} from './cards/receipt.ts';
import type { Charge } from './charges.ts';
import type { ProblemCode, Reply } from './problems.ts';
import type { NewTimelineEntry } from './timeline.ts';

/**
 * A refund: its states, its moves from one to the next, and its form over the wire. From its begin it holds its amount of
 * the charge; `failed` and `reversed` give that back.
 */

export type RefundStatus =
  /** The amount is held; the processor has not answered, or took the refund asynchronously. */
  | 'pending'
  /** The processor accepted it. It can be reversed for a while, and settles later; it may still fail. */
  | 'processed'
  /** The money is gone. Terminal, unless the processor gets it back after all: then the refund has failed. */
  | 'settled'
  /** The processor refused it, or could not deliver it; the amount can be refunded again. Terminal. */
  | 'failed'
  /** It was reversed in time; the amount can be refunded again. Terminal. */
  | 'reversed';

export const terminalStatuses: readonly RefundStatus[] = ['settled', 'failed', 'reversed'];

export function isTerminal(refund: Pick<Refund, 'status'>): boolean {
  return terminalStatuses.includes(refund.status);
}

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer';

export interface RefundFailure {
  /**
   * As the processor names it, or `refund_reversed` (it took the refund back), `returned` (it came back once settled), or one of
   * {@link leftProblems}.
   */
  code: string;
  message: string;
}

/**
 * Codes of a failed refund for which less was left at the processor than the row of the charge says: others gave money
 * back, in the processor's dashboard say. The problem that answers the request has the same code.
 */
export const leftProblems = ['charge_already_refunded', 'refund_exceeds_captured'] as const;

/** Returns the failure of a refund that asked for more than is left at the processor. Amounts are minor units. */
export function describeTooMuch(left: number, captured: number): RefundFailure {
  const message = `The processor has ${left} of ${captured} left to refund: the rest was given back already.`;
  return { code: left === 0 ? 'charge_already_refunded' : 'refund_exceeds_captured', message };
}

/** What the request of a refund may be refused with. */
export const refundProblems = ['charge_not_refundable', ...leftProblems, 'refund_failed'] as const;
export type RefundProblem = (typeof refundProblems)[number];

/** The processor's decision about a refund, or about its reversal, with what it tells of it. */
export type RefundOutcome = Decision & ToldOfRefund;

type Decision =
  | { kind: 'processed' }
  /** The processor took it and will notify us, or can be asked. */
  | { kind: 'pending' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'reversed' };

/** The valid body of a refund's creation. */
export interface NewRefund {
  chargeId: string;
  /** Minor units; `null`: all that is left, which is known once the refund has begun. */
  amount: number | null;
  reason: RefundReason | null;
  metadata: Record<string, string>;
}

export interface Refund extends NewRefund {
  id: string;
  accountId: string;
  /** Who made it: a caller of ours, or somebody at the processor, in its dashboard say. */
  source: 'api' | 'processor';
  /** The claim whose run owns this refund; also in the run's memo. */
  claimId: string;
  workflowId: string;
  /** Minor units, held of the charge from the begin on. */
  amount: number;
  currency: string;
  status: RefundStatus;
  failure: RefundFailure | null;
  /** Where it was made, and what was told of it; `null`: a release before made it, and it was not asked for since. */
  receipt: RefundReceipt | null;
  /** A part of our key at the processor, from 1 on. */
  processorAttempt: number;
  /** It is not sent again before then; `null`: at any time. */
  sendAfter: Date | null;
  /** The processor took the refund and has not decided; without it a `pending` refund is one of unknown outcome. */
  processorPending: boolean;
  /** The last call to the processor that gave no usable answer, as long as an outcome is unknown. */
  processorFault: ProblemCode | null;
  /** The reversal that was begun, by its claim; its outcome is unknown while `status` is `processed`. */
  reversalClaimId: string | null;
  /** Both are known once it is processed; it never settles while it can be reversed. */
  reversibleUntil: Date | null;
  settlesAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Grows with every change of the row; the ETag is made from it. */
  version: number;
}

/** The durations that an account sets for its refunds; the second is never the shorter one. */
export interface RefundDurations {
  /** How long a processed refund can be reversed. (Default: 1 h) */
  reversibleMs: number;
  /** When a processed refund settles. (Default: 24 h) */
  settlementMs: number;
}

/** The next step of a refund. */
export type RefundNext =
  /** Nothing: it is terminal. */
  | 'done'
  /** Its outcome is unknown: ask by key, send again if the processor has not seen it. */
  | 'resolve'
  /** The processor decides: wait for its notification, ask from time to time. */
  | 'await_processor'
  /** Wait for a reversal, or the time to settle. */
  | 'await_settlement'
  /** A reversal was begun whose outcome is unknown; settling waits behind it. */
  | 'resolve_reversal';

/** The members of a refund that decide its next step. */
export type RefundState = Pick<Refund, 'status' | 'processorPending' | 'reversalClaimId'>;

/** Returns the step that follows from the row alone, so that a new run resumes where the last one stopped. */
export function nextStep(refund: RefundState): RefundNext {
  if (isTerminal(refund)) return 'done';
  if (refund.status === 'pending') return refund.processorPending ? 'await_processor' : 'resolve';
  return refund.reversalClaimId ? 'resolve_reversal' : 'await_settlement';
}

/** A refund after a move, and the event of the move. */
export interface RefundMove {
  refund: Refund;
  event: 'refund.processed' | 'refund.settled' | 'refund.failed' | 'refund.reversed' | null;
  /** Only what is told of the refund has changed. (Default: its state has) */
  isReceiptOnly?: true;
}

/** Moves a `pending` refund by the processor's decision. Illegal for any other status. */
export function applyOutcome(
  refund: Refund,
  outcome: RefundOutcome,
  durations: RefundDurations,
  now: Date,
): RefundMove {
  const known = { ...hear(refund, outcome, now), processorPending: false };
  switch (outcome.kind) {
    case 'processed': {
      const reversibleUntil = new Date(now.getTime() + durations.reversibleMs);
      const settlesAt = new Date(now.getTime() + durations.settlementMs);
      return {
        refund: { ...known, status: 'processed', reversibleUntil, settlesAt },
        event: 'refund.processed',
      };
    }
    case 'pending':
      return { refund: { ...known, processorPending: true }, event: null };
    case 'failed':
    case 'reversed':
      return failed(known, toFailure(outcome));
  }
}

/** Returns the refund with what an outcome tells of it. The processor has answered. */
function hear(refund: Refund, outcome: RefundOutcome, now: Date): Refund {
  const receipt = addToRefundReceipt(refund.receipt, outcome);
  return { ...refund, receipt, processorFault: null, updatedAt: now };
}

function failed(refund: Refund, failure: RefundFailure): RefundMove {
  const past = { reversibleUntil: null, settlesAt: null, reversalClaimId: null };
  return { refund: { ...refund, ...past, status: 'failed', failure }, event: 'refund.failed' };
}

/** Whether the processor accepted the refund, and may still say that it failed. */
export function mayFailLate(refund: RefundState): boolean {
  return refund.status === 'settled' || nextStep(refund) === 'await_settlement';
}

/**
 * Moves a refund that was accepted to `failed`, if that is what the processor says now, or adds what it tells only now:
 * the reference of the bank comes late. Returns `null` if it says nothing new, and while a reversal of ours is begun: that
 * has an answer of its own.
 */
export function applyLateOutcome(refund: Refund, outcome: RefundOutcome, now: Date): RefundMove | null {
  if (!mayFailLate(refund)) return null;
  const known = hear(refund, outcome, now);
  if (outcome.kind === 'failed' || outcome.kind === 'reversed')
    return failed(known, refund.status === 'settled' ? returned : toFailure(outcome));
  return known.receipt === refund.receipt ? null : { refund: known, event: null, isReceiptOnly: true };
}

export const returned: RefundFailure = {
  code: 'returned',
  message: 'The money came back to the processor after the refund was settled.',
};

function toFailure(outcome: Extract<RefundOutcome, { kind: 'failed' | 'reversed' }>): RefundFailure {
  if (outcome.kind === 'failed') return { code: outcome.code, message: outcome.message };
  // We reverse processed refunds only, so the processor did it: for the merchant the refund failed.
  return { code: 'refund_reversed', message: 'The processor took the refund back.' };
}

/**
 * Moves a refund with a reversal begun: to `reversed`, back to waiting when the processor keeps it, or to `failed` when
 * there is nothing to reverse, since the refund itself has failed.
 */
export function applyReversal(
  refund: Refund,
  outcome: Exclude<RefundOutcome, { kind: 'pending' }>,
  now: Date,
): RefundMove {
  const known = hear(refund, outcome, now);
  if (outcome.kind === 'reversed')
    return { refund: { ...known, status: 'reversed' }, event: 'refund.reversed' };
  if (outcome.kind === 'failed') return failed(known, toFailure(outcome));
  return { refund: { ...known, reversalClaimId: null }, event: null };
}

/** Moves a `processed` refund to `settled`. Illegal while a reversal is begun. */
export function applySettlement(refund: Refund, now: Date): RefundMove {
  return {
    refund: { ...refund, status: 'settled', processorFault: null, updatedAt: now },
    event: 'refund.settled',
  };
}

/** Whether the time to settle has come, and no reversal is begun. */
export function isSettlementDue(refund: Refund, now: Date): boolean {
  return nextStep(refund) === 'await_settlement' && refund.settlesAt !== null && refund.settlesAt <= now;
}

/** Returns why a refund of `amount` (default: all that is left) cannot begin, or `null` if it can. */
export function refundRefusal(
  charge: Pick<Charge, 'status' | 'amountCaptured' | 'amountRefunded' | 'amountReturned'>,
  amount: number | null,
): RefundProblem | null {
  if (charge.status !== 'succeeded') return 'charge_not_refundable';
  const left = charge.amountCaptured - charge.amountRefunded - charge.amountReturned;
  if (left <= 0) return 'charge_already_refunded';
  return (amount ?? left) > left ? 'refund_exceeds_captured' : null;
}

/** A refund over the wire, in the current API version. */
export interface RefundResource {
  id: string;
  object: 'refund';
  charge: string;
  amount: number;
  currency: string;
  status: RefundStatus;
  source: Refund['source'];
  reason: RefundReason | null;
  metadata: Record<string, string>;
  reversible_until: string | null;
  failure: RefundFailure | null;
  /** `null`: not kept. */
  processor: ReceiptProcessor | null;
  /** The number that the bank of the buyer knows it by; `null` until it is told. */
  bank_reference: string | null;
  created: string;
  updated: string;
}

export function presentRefund(refund: Refund): RefundResource {
  return {
    id: refund.id,
    object: 'refund',
    charge: refund.chargeId,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    source: refund.source,
    reason: refund.reason,
    metadata: refund.metadata,
    reversible_until: refund.reversibleUntil?.toISOString() ?? null,
    failure: refund.failure,
    processor: refund.receipt?.processor ?? null,
    bank_reference: refund.receipt?.bank_reference ?? null,
    created: refund.createdAt.toISOString(),
    updated: refund.updatedAt.toISOString(),
  };
}

/** Returns the answer to the request that made a refund, by the state that the refund has now. */
export function replyToRefund(refund: Refund): Reply<RefundProblem> {
  const { id, status, failure } = refund;
  if (status === 'failed') {
    const problem = leftProblems.find((code) => code === failure?.code) ?? 'refund_failed';
    return { problem, detail: failure?.message, extras: { refund: id } };
  }
  return showRefund(refund, status === 'pending' ? 202 : 201);
}

/** Returns the answer to a reversal that is decided, or cannot begin. */
export function replyToReversal(refund: Refund, version = refund.version): Reply {
  if (refund.status !== 'reversed') return { problem: 'refund_not_reversible' };
  return { ...showRefund(refund, 200), record: { id: refund.id, version } };
}

function showRefund(refund: Refund, status: 200 | 201 | 202) {
  return { status, path: `/v1/refunds/${refund.id}`, resource: presentRefund(refund) };
}

/** Returns the timeline's entry of what the refund waits for after the move, or of how it ended. */
export function describeMove({ refund: record, isReceiptOnly }: RefundMove): NewTimelineEntry[] {
  return isReceiptOnly ? [] : describeState(record);
}

/** Returns the timeline's entry of what the refund waits for now, or of how it ended. */
export function describeState(record: Refund): NewTimelineEntry[] {
  const { id: refund, status, amount, settlesAt, updatedAt: at } = record;
  if (status === 'settled' || status === 'failed' || status === 'reversed')
    return [{ at, type: `refund_${status}`, detail: { amount, refund } }];
  const next = nextStep(record);
  if (next === 'await_processor') return [{ at, type: 'waiting', detail: { for: 'processor', refund } }];
  if (next !== 'await_settlement') return [];
  const until = settlesAt && { until: settlesAt.toISOString() };
  return [{ at, type: 'waiting', detail: { for: 'settlement', ...until, refund } }];
}
