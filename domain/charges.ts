import { adviseAfter, type ToldDecline } from './cards/decline-advice.ts';
import type { Receipt, ReceiptProcessor, ToldReceipt } from './cards/receipt.ts';
import { findDecline, presentFailure, type ChargeFailure, type FailureResource } from './charge-failures.ts';
import type { ProblemCode, Reply } from './problems.ts';

/**
 * A charge: its states, its moves from one to the next, and its form over the wire.
 */

export type ChargeStatus = (typeof chargeStatuses)[number];

export const chargeStatuses = [
  /** The outcome is not known yet: the processor has not answered, or took it asynchronously. */
  'pending',
  /** The buyer must confirm the charge at `next_action.url`. No money moves before that. */
  'requires_action',
  /** The money is reserved and waits for a capture, a cancel or its expiry. */
  'requires_capture',
  /** The money was captured. Terminal. */
  'succeeded',
  /** Declined, or given up and voided. Terminal. */
  'failed',
  /** The authorization was voided. Terminal. */
  'cancelled',
] as const;

/** Who takes the first steps of a charge whose caller waits. */
export const chargeExecutions = [
  /** Its workflow. */
  'workflow',
  /** The API process. A workflow takes over what these steps do not decide. */
  'inline',
] as const;

export type ChargeExecution = (typeof chargeExecutions)[number];

export const terminalStatuses: readonly ChargeStatus[] = ['succeeded', 'failed', 'cancelled'];

/** Whether the processor has yet to decide, with the buyer's help or without. */
export function isUndecided({ status }: Pick<Charge, 'status'>): boolean {
  return status === 'pending' || status === 'requires_action';
}

export function isTerminal(charge: Pick<Charge, 'status'>): boolean {
  return terminalStatuses.includes(charge.status);
}

/** Why a charge is voided. */
export type VoidReason =
  /** The caller asked. */
  | 'cancelled'
  /** Nobody captured it in time. */
  | 'expired'
  /** The buyer did not confirm it in time. */
  | 'action_expired'
  /** The outcome stayed unknown for too long (`docs/architecture.md`, "Unknown outcomes"). */
  | 'unresolved';

/** The processor takes no such charge: nothing happened, and never will. */
export interface Refused {
  kind: 'refused';
  /** As the processor names it. */
  code: string;
  message: string;
}

/** The processor's decision about the charge sent under its key, with what it tells of the card that pays. */
export type ChargeOutcome = Decision & { told?: ToldReceipt | undefined };

type Decision =
  /** The money is reserved; a capture takes it. The processor releases it at `expiresAt`, if it says so. */
  | { kind: 'authorized'; processorId: string; expiresAt?: Date }
  /** The money was taken. `amountCaptured` in minor units; `currency` where the processor says it. */
  | { kind: 'captured'; processorId: string; amountCaptured: number; currency?: string | undefined }
  | ({ kind: 'declined'; processorId: string; message: string } & ToldDecline)
  /** A capture was accepted, and failed later: the bank never paid it, or took it back. */
  | { kind: 'capture_failed'; processorId: string }
  /** The processor took the charge and will notify us, or can be asked. */
  | { kind: 'pending'; processorId: string }
  /** The reservation or the payment was given back; a later send with this key moves nothing. */
  | { kind: 'voided'; processorId: string }
  /** The buyer must confirm the charge at `url`. Only of a charge with a way back. */
  | { kind: 'requires_action'; processorId: string; url: string }
  | Refused;

/** The processor's decision about a capture. */
export type CaptureOutcome =
  | { kind: 'captured'; amountCaptured: number; currency?: string | undefined }
  | ({ kind: 'declined'; message: string } & ToldDecline);

/** The valid body of `POST /v1/charges`. */
export interface NewCharge {
  /** Minor units. */
  amount: number;
  currency: string;
  captureMethod: 'automatic' | 'manual';
  customerId: string | null;
  /** As given: a `pm_…` of the customer or a one-off `tok_…`. */
  paymentMethod: string;
  /** The processor's token of the card. */
  processorToken: string;
  /** The processor that takes the charge, for good; `null`: the built-in one. */
  processorId: string | null;
  /** Its kind, such as `stripe`; `null`: the charge is of a release that did not keep it. */
  processorKind: string | null;
  /** The merchant's own name of what is paid, such as the number of an order. */
  reference: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** Where its buyer comes back to; `null`: it may not ask its buyer for anything. */
  returnUrl: string | null;
  metadata: Record<string, string>;
}

/** A valid charge as it was asked for, before its card was looked up. */
export type AskedCharge = Omit<
  NewCharge,
  'processorToken' | 'processorId' | 'processorKind' | 'paymentMethod'
> & {
  /** `null`: the default one of the customer. */
  paymentMethod: string | null;
};

/** What a merchant may change of a charge in any state. */
export type ChargeDetails = Pick<NewCharge, 'reference' | 'description' | 'metadata'>;

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
  /** Minor units that the processor took back after it had paid them, without a refund of ours. */
  amountReturned: number;
  failure: ChargeFailure | null;
  /** What the processor told of the payment; `null`: nothing yet. */
  receipt: Receipt | null;
  /** The processor's reference of the payment, under which alone money moves; `null`: none was made. */
  processorRef: string | null;
  /** The description that the charge was made with: the processor is told this one, however often it is sent. */
  processorDescription: string | null;
  /** The reference that it was made with, in what the processor keeps of our request. */
  processorReference: string | null;
  /** Parts of our keys at the processor, from 1 on: of the charge, and of its captures. */
  processorAttempt: number;
  captureAttempt: number;
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
  /** Where the buyer confirms it, and until when; only while `requires_action`. The URL is secret. */
  actionUrl: string | null;
  actionExpiresAt: Date | null;
  /** The batch that it was submitted in, and its row there, from 0; `null`: in none. */
  fromBatchId: string | null;
  fromBatchRow: number | null;
  /** Grows with every change of the row; the ETag is made from it. */
  version: number;
}

/** The members of a charge that its readers see; the others are for its workflow. */
export type ChargeView = Omit<
  Charge,
  | 'claimId'
  | 'workflowId'
  | 'processorToken'
  | 'returnUrl'
  | 'processorRef'
  | 'processorDescription'
  | 'processorReference'
  | 'processorAttempt'
  | 'captureAttempt'
  | 'processorPending'
  | 'processorFault'
  | 'captureClaimId'
  | 'captureAmount'
  | 'voidReason'
>;

/** The members of a charge that its processor is told. */
export type ProcessorTerms = Pick<
  Charge,
  | 'id'
  | 'accountId'
  | 'processorId'
  | 'processorRef'
  | 'processorAttempt'
  | 'processorToken'
  | 'amount'
  | 'currency'
  | 'captureMethod'
  | 'statementDescriptor'
  | 'processorDescription'
  | 'returnUrl'
>;

/** What the buyer does next. */
export interface NextAction {
  type: 'redirect';
  /** Send the buyer's browser there, once. */
  url: string;
  expires_at: string;
}

/** A charge over the wire, in the current API version. */
export interface ChargeResource {
  id: string;
  object: 'charge';
  amount: number;
  currency: string;
  status: ChargeStatus;
  capture_method: 'automatic' | 'manual';
  amount_captured: number;
  amount_refunded: number;
  amount_returned: number;
  refunded: boolean;
  customer: string | null;
  payment_method: string;
  /** The card that pays, and what was checked of it; `null` while nothing is known. */
  card: Receipt['card'];
  checks: Receipt['checks'];
  three_d_secure: Receipt['three_d_secure'];
  authorization_code: string | null;
  processor: ReceiptProcessor;
  /** The merchant's own. */
  reference: string | null;
  description: string | null;
  statement_descriptor: string | null;
  metadata: Record<string, string>;
  failure: FailureResource | null;
  next_action: NextAction | null;
  created: string;
  updated: string;
  captured_at: string | null;
  cancel_requested_at: string | null;
  cancelled_at: string | null;
  expires_at: string | null;
  /** The batch that it was submitted in, and its row there. */
  charge_batch: string | null;
  charge_batch_row: number | null;
}

export function presentCharge(charge: ChargeView): ChargeResource {
  const { receipt } = charge;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    currency: charge.currency,
    status: charge.status,
    capture_method: charge.captureMethod,
    amount_captured: charge.amountCaptured,
    amount_refunded: charge.amountRefunded,
    amount_returned: charge.amountReturned,
    refunded: charge.amountCaptured > 0 && charge.amountRefunded === charge.amountCaptured,
    customer: charge.customerId,
    payment_method: charge.paymentMethod,
    card: receipt?.card ?? null,
    checks: receipt?.checks ?? null,
    three_d_secure: receipt?.three_d_secure ?? null,
    authorization_code: receipt?.authorization_code ?? null,
    processor: {
      id: charge.processorId,
      kind: charge.processorKind,
      reference: receipt?.reference ?? null,
    },
    reference: charge.reference,
    description: charge.description,
    statement_descriptor: charge.statementDescriptor,
    metadata: charge.metadata,
    failure: charge.failure && presentFailure(charge.failure),
    next_action: presentAction(charge),
    created: charge.createdAt.toISOString(),
    updated: charge.updatedAt.toISOString(),
    captured_at: charge.capturedAt?.toISOString() ?? null,
    cancel_requested_at: charge.cancelRequestedAt?.toISOString() ?? null,
    cancelled_at: charge.cancelledAt?.toISOString() ?? null,
    expires_at: charge.expiresAt?.toISOString() ?? null,
    charge_batch: charge.fromBatchId,
    charge_batch_row: charge.fromBatchRow,
  };
}

/** A charge that is to be cancelled asks its buyer for nothing more. */
function presentAction(charge: ChargeView): NextAction | null {
  const { status, actionUrl: url, actionExpiresAt, cancelRequestedAt } = charge;
  if (status !== 'requires_action' || url === null || actionExpiresAt === null || cancelRequestedAt)
    return null;
  return { type: 'redirect', url, expires_at: actionExpiresAt.toISOString() };
}

/** What the request of a charge, and of a capture, may be refused with. */
export const chargeProblems = [
  'card_declined',
  'payment_voided',
  'payment_not_sent',
  'charge_cancelled',
  'processor_refused',
] as const;
export const captureProblems = [
  'charge_already_captured',
  'charge_not_capturable',
  'capture_exceeds_authorized',
  'capture_declined',
] as const;
export type CaptureProblem = (typeof captureProblems)[number];

/** Returns the answer to the request that made a charge, by the state that the charge has now. */
export function replyToCharge(charge: Charge): Reply<(typeof chargeProblems)[number]> {
  const { id, failure } = charge;
  switch (charge.status) {
    case 'pending':
    case 'requires_action':
      return showCharge(charge, 202);
    case 'requires_capture':
    case 'succeeded':
      return showCharge(charge, 201);
    case 'cancelled':
      return { problem: 'charge_cancelled', extras: { charge: id } };
    case 'failed': {
      const decline = failure && findDecline(failure);
      if (decline)
        return { problem: 'card_declined', detail: failure.message, extras: { ...decline, charge: id } };
      if (failure?.code === 'refused')
        return { problem: 'processor_refused', detail: failure.message, extras: { charge: id } };
      return {
        problem: failure?.code === 'not_sent' ? 'payment_not_sent' : 'payment_voided',
        extras: { charge: id },
      };
    }
  }
}

/** Returns the answer to a capture that the processor has decided, for a charge that is about to be saved. */
export function replyToCapture(charge: Charge, outcome: CaptureOutcome): Reply<CaptureProblem> {
  // The statement that saves the charge gives it its next version.
  const record = { id: charge.id, version: charge.version + 1 };
  const isKept = charge.status === 'succeeded';
  if (outcome.kind === 'captured' && isKept) return { ...showCharge(charge, 200), record };
  if (outcome.kind === 'captured') return { problem: 'charge_not_capturable', detail: cancelledMeanwhile };
  const extras = { decline_code: outcome.declineCode, advice: adviseAfter(outcome), charge: charge.id };
  return { problem: 'capture_declined', detail: outcome.message, extras };
}

const cancelledMeanwhile =
  'The charge was cancelled while the capture was under way: what was captured is given back.';

function showCharge(charge: Charge, status: 200 | 201 | 202) {
  return { status, path: `/v1/charges/${charge.id}`, resource: presentCharge(charge) };
}
