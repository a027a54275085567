import { z } from 'zod';
import type { Outcome, Timing } from './confirm.ts';
import type { Draft } from './draft.ts';
import { invalidRequest } from './errors.ts';
import { expand, id, integer, metadata } from './form.ts';
import { newId } from './ids.ts';
import { checkDigits, toMinorUnits } from './money.ts';
import { enterTransaction, shownAs } from './payments.ts';
import { present } from './present.ts';
import type { ChargeRecord, RefundRecord } from './records.ts';
import { recordOf } from './state.ts';
import { ok, type StripeRequest } from './request.ts';
import { findStripeToken, type StripeToken } from './tokens.ts';

export const refundParams = z.strictObject({
  payment_intent: id.optional(),
  charge: id.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
  expand,
});
type RefundParams = z.output<typeof refundParams>;

function findCharge(draft: Draft, params: RefundParams): ChargeRecord {
  if (params.payment_intent !== undefined) {
    const intent = draft.find('payment_intent', params.payment_intent, 'payment_intent');
    const charge = recordOf(draft.get(intent.latestCharge ?? ''), 'charge');
    if (charge?.isCaptured) return charge;
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    });
  }
  if (params.charge === undefined) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidRequest(message, { code: 'parameter_missing' });
  }
  const charge = draft.find('charge', params.charge, 'charge');
  if (charge.isCaptured) return charge;
  throw invalidRequest(`Charge ${charge.id} was not captured.`, { param: 'charge' });
}

/** What can still be refunded: refunds that failed do not count, and those of a partial capture were never taken. */
function leftOf(draft: Draft, charge: ChargeRecord): number {
  const refunds = draft.state.refundsOf(charge.intent).map((of) => recordOf(draft.get(of), 'refund')!);
  return refunds
    .filter(({ origin, status }) => origin === 'asked' && status !== 'failed')
    .reduce((left, { amount }) => left - amount, charge.amountCaptured);
}

function checkAmount(draft: Draft, charge: ChargeRecord, asked: number | undefined): number {
  const left = leftOf(draft, charge);
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: 'charge_already_refunded', param: 'charge' });
  }
  const amount = asked ?? left;
  const param = 'amount';
  if (amount < 1)
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param });
  checkDigits(amount, charge.currency, param);
  if (amount <= left) return amount;
  throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
    param,
  });
}

function newRefund(draft: Draft, charge: ChargeRecord, params: RefundParams, amount: number): RefundRecord {
  return {
    kind: 'refund',
    id: newId('re'),
    account: draft.account,
    created: draft.created,
    intent: charge.intent,
    charge: charge.id,
    amount,
    currency: charge.currency,
    status: 'pending',
    origin: 'asked',
    reason: params.reason ?? null,
    metadata: params.metadata,
    failureReason: null,
    transaction: null,
    failureTransaction: null,
    ends: null,
    dueAt: null,
  };
}

function changeRefunded(draft: Draft, charge: string, by: number): void {
  const record = draft.find('charge', charge, 'charge');
  draft.put({ ...record, amountRefunded: record.amountRefunded + by });
}

const references = { later: 'pending', never: 'unavailable' } as const;

/** The money goes back. The bank tells its number of it at once, later, or never, as the card says. */
function giveBack(draft: Draft, refund: RefundRecord, { asyncMs }: Timing): RefundRecord {
  const { id: source, amount, currency } = refund;
  const movement = { type: 'refund', category: 'refund', source, amount: -amount, currency } as const;
  draft.move({
    type: 'refund',
    at: draft.at,
    key: source,
    shown_as: shownAs(refund.metadata, 'refund', source),
    charge_key: refund.intent,
    amount: toMinorUnits(amount, currency),
    outcome: 'processed',
  });
  const when = findToken(draft, refund)?.bankReference;
  const transaction = enterTransaction(draft, movement);
  const bankReference = when ? references[when] : 'available';
  const dueAt = when === 'later' ? draft.at + asyncMs : null;
  return { ...refund, status: 'succeeded', transaction, bankReference, ends: null, dueAt };
}

function findToken(draft: Draft, { charge }: RefundRecord): StripeToken | undefined {
  const method = recordOf(draft.get(recordOf(draft.get(charge), 'charge')?.method ?? ''), 'payment_method');
  return findStripeToken(method?.token ?? '');
}

/** A refund that had succeeded, or was pending, fails: what went back comes in again. */
function failRefund(draft: Draft, refund: RefundRecord): RefundRecord {
  const { id: source, amount, currency } = refund;
  changeRefunded(draft, refund.charge, -amount);
  const failed: RefundRecord = {
    ...refund,
    status: 'failed',
    failureReason: 'expired_or_canceled_card',
    ends: null,
    dueAt: null,
  };
  if (refund.status !== 'succeeded') return failed;
  draft.move({ type: 'refund_reversal', at: draft.at, refund_key: source });
  const movement = { type: 'refund_failure', category: 'refund_failure', source, amount, currency } as const;
  return { ...failed, failureTransaction: enterTransaction(draft, movement) };
}

/** Whether the refund gives a whole charge back, for the first time, with a token whose voids fail later. */
function failsAsVoid(draft: Draft, refund: RefundRecord, token: StripeToken | undefined): boolean {
  const isVoid = refund.metadata['refund']?.endsWith(':void') ?? false;
  return token?.failsLater === 'voids' && isVoid && draft.state.refundsOf(refund.intent).length === 0;
}

/** Decides what becomes of a refund at first: pending, gone, or refused by the card. */
function begin(
  request: StripeRequest<RefundParams>,
  charge: ChargeRecord,
  refund: RefundRecord,
): RefundRecord {
  const { draft, timing } = request;
  const token = findToken(draft, refund);
  if (token?.refundsFail) return { ...refund, status: 'failed', failureReason: 'declined' };
  changeRefunded(draft, charge.id, refund.amount);
  const dueAt = draft.at + timing.asyncMs;
  const isLate = token?.failsLater === 'refunds' || failsAsVoid(draft, refund, token);
  if (request.isPending) return { ...refund, ends: isLate ? 'failed' : 'succeeded', dueAt };
  const given = giveBack(draft, refund, timing);
  return isLate ? { ...given, ends: 'failed', dueAt } : given;
}

/** Handles POST /v1/refunds. */
export function createRefund(request: StripeRequest<RefundParams>): Outcome {
  const { draft, params } = request;
  const charge = findCharge(draft, params);
  const amount = checkAmount(draft, charge, params.amount);
  const refund = begin(request, charge, newRefund(draft, charge, params, amount));
  draft.put(refund);
  draft.tell('refund.created', refund.id);
  if (refund.status === 'failed') draft.tell('refund.failed', refund.id);
  else draft.tell('charge.refunded', charge.id);
  return ok(present(draft, refund));
}

/** Settles what was pending, takes back what had succeeded, or tells the number of the bank. */
export function endRefund(draft: Draft, refund: RefundRecord, timing: Timing): void {
  const end = endOf(draft, refund, timing);
  draft.put(end);
  draft.tell('refund.updated', refund.id);
  draft.tell(end.status === 'failed' ? 'refund.failed' : 'charge.refund.updated', refund.id);
}

function endOf(draft: Draft, refund: RefundRecord, timing: Timing): RefundRecord {
  if (refund.ends === 'failed') return failRefund(draft, refund);
  if (refund.ends === 'succeeded') return giveBack(draft, refund, timing);
  return { ...refund, bankReference: 'available', dueAt: null };
}
