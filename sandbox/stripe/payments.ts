import type { Draft } from './draft.ts';
import { newId } from './ids.ts';
import { settle, toMinorUnits } from './money.ts';
import type {
  ChargeRecord,
  IntentRecord,
  MethodRecord,
  PaymentFailure,
  RefundRecord,
  TransactionRecord,
} from './records.ts';
import { recordOf } from './state.ts';
import { findStripeToken, type StripeToken } from './tokens.ts';

/** What becomes of a payment's money. Every change of a balance is entered here, in the listing and in the books. */

/** The fee on a charge, in the currency of settlement. */
function feeOn(amount: number): number {
  return Math.round(amount * 0.015) + 25;
}

type Movement = Pick<TransactionRecord, 'type' | 'category' | 'source'> & {
  amount: number;
  currency: string;
};

/** Enters a movement into the account's balance, and returns its id. `amount` is signed, in Stripe's units. */
export function enterTransaction(draft: Draft, { amount, currency, ...rest }: Movement): string {
  const settled = settle(amount, currency);
  const fee = rest.type === 'charge' ? feeOn(settled.amount) : 0;
  const own = { id: newId('txn'), account: draft.account, created: draft.created };
  draft.put({
    kind: 'balance_transaction',
    ...own,
    amount: settled.amount,
    rate: settled.rate,
    fee,
    ...rest,
  });
  return own.id;
}

/** Under which key the books show a movement: the one in the metadata, or Stripe's own id. */
export function shownAs(metadata: Record<string, string>, name: string, id: string): string {
  return metadata[name] || id;
}

export function tokenBehind(draft: Draft, intent: IntentRecord): StripeToken {
  const method = recordOf(draft.get(intent.method ?? ''), 'payment_method');
  return findStripeToken(method?.token ?? '') ?? findStripeToken('tok_visa')!;
}

function newCharge(draft: Draft, intent: IntentRecord): ChargeRecord {
  return {
    kind: 'charge',
    id: newId('ch'),
    account: draft.account,
    created: draft.created,
    intent: intent.id,
    method: intent.method!,
    amount: intent.amount,
    currency: intent.currency,
    description: intent.description,
    descriptorSuffix: intent.descriptorSuffix,
    metadata: { ...intent.metadata },
    status: 'succeeded',
    isCaptured: false,
    amountCaptured: 0,
    amountRefunded: 0,
    failure: null,
    transaction: null,
    captureBefore: null,
    isAuthenticated: intent.isAuthenticated,
  };
}

/** Marks the payment method as used: it serves once. */
function useUp(draft: Draft, intent: IntentRecord): void {
  const method: MethodRecord = draft.find('payment_method', intent.method!, 'payment_method');
  draft.put({ ...method, usedBy: intent.id });
}

function enterCharge(draft: Draft, intent: IntentRecord, outcome: 'captured' | 'authorized'): void {
  const { amount, currency, descriptorSuffix } = intent;
  draft.move({
    type: 'charge',
    at: draft.at,
    key: intent.id,
    shown_as: shownAs(intent.metadata, 'charge', intent.id),
    dialect: 'stripe',
    token: tokenBehind(draft, intent).name,
    amount: toMinorUnits(amount, currency),
    currency: currency.toUpperCase(),
    ...(descriptorSuffix !== null && { statement_descriptor: descriptorSuffix }),
    outcome,
  });
}

/** Reserves the amount, until `authorizationMs` have passed. */
function reserve(draft: Draft, intent: IntentRecord, authorizationMs: number): IntentRecord {
  const dueAt = draft.at + authorizationMs;
  const charge = { ...newCharge(draft, intent), captureBefore: Math.floor(dueAt / 1000) };
  draft.put(charge);
  enterCharge(draft, intent, 'authorized');
  draft.tell('charge.succeeded', charge.id);
  draft.tell('payment_intent.amount_capturable_updated', intent.id);
  const latest = { latestCharge: charge.id, amountCapturable: intent.amount, dueAt };
  return { ...intent, ...latest, status: 'requires_capture' };
}

function takeAtOnce(draft: Draft, intent: IntentRecord): IntentRecord {
  const { amount, currency } = intent;
  const charge = newCharge(draft, intent);
  const movement = { type: 'charge', category: 'charge', source: charge.id, amount, currency } as const;
  const transaction = enterTransaction(draft, movement);
  draft.put({ ...charge, isCaptured: true, amountCaptured: amount, transaction });
  enterCharge(draft, intent, 'captured');
  draft.tell('charge.succeeded', charge.id);
  draft.tell('payment_intent.succeeded', intent.id);
  return { ...intent, latestCharge: charge.id, amountReceived: amount, dueAt: null, status: 'succeeded' };
}

/** Takes or reserves the amount of an intent that nothing stands in the way of. */
export function take(draft: Draft, intent: IntentRecord, authorizationMs: number): IntentRecord {
  useUp(draft, intent);
  const clean = { ...intent, failure: null, actionUrl: null };
  const taken =
    intent.captureMethod === 'manual' ? reserve(draft, clean, authorizationMs) : takeAtOnce(draft, clean);
  draft.put(taken);
  return taken;
}

export type FailureCause = Omit<PaymentFailure, 'method' | 'charge'>;

/** Records a failed attempt: the intent wants another payment method. */
export function fail(
  draft: Draft,
  intent: IntentRecord,
  cause: FailureCause,
  isCharged: boolean,
): IntentRecord {
  const method = intent.method!;
  const charge = isCharged ? newCharge(draft, intent) : null;
  const failure: PaymentFailure = { ...cause, method, charge: charge?.id ?? null };
  if (charge) {
    draft.put({ ...charge, status: 'failed', failure });
    draft.tell('charge.failed', charge.id);
  }
  const latest = charge ? { latestCharge: charge.id } : {};
  const reset = { method: null, actionUrl: null, isAuthenticated: false, dueAt: null };
  const failed: IntentRecord = { ...intent, ...latest, ...reset, failure, status: 'requires_payment_method' };
  draft.put(failed);
  draft.tell('payment_intent.payment_failed', intent.id);
  return failed;
}

/** Gives back what a partial capture or a cancellation does not take, by a refund that nobody asked for. */
function release(
  draft: Draft,
  charge: ChargeRecord,
  amount: number,
  transaction: string | null,
  id: string,
): void {
  const refund: RefundRecord = {
    kind: 'refund',
    id,
    account: draft.account,
    created: draft.created,
    intent: charge.intent,
    charge: charge.id,
    amount,
    currency: charge.currency,
    status: 'succeeded',
    origin: 'released',
    reason: null,
    metadata: {},
    failureReason: null,
    transaction,
    failureTransaction: null,
    ends: null,
    dueAt: null,
  };
  draft.put(refund);
  draft.tell('charge.refunded', charge.id);
}

/** Captures part or all of what was reserved. A part makes two entries in the listing, and one in the books. */
export function captureReserved(
  draft: Draft,
  intent: IntentRecord,
  amount: number,
  metadata: Record<string, string>,
): IntentRecord {
  const charge = draft.find('charge', intent.latestCharge!, 'charge');
  const { currency } = charge;
  const left = charge.amount - amount;
  const whole = { amount: charge.amount, currency, source: charge.id } as const;
  const transaction = enterTransaction(draft, { type: 'charge', category: 'charge', ...whole });
  const taken = { isCaptured: true, amountCaptured: amount, amountRefunded: left, transaction };
  draft.put({ ...charge, ...taken });
  if (left > 0) {
    const id = newId('re');
    const back = { amount: -left, currency, source: id };
    const category = 'partial_capture_reversal';
    release(draft, charge, left, enterTransaction(draft, { type: 'refund', category, ...back }), id);
  }
  draft.move({
    type: 'capture',
    at: draft.at,
    key: `${intent.id}/capture`,
    shown_as: shownAs(metadata, 'capture', intent.id),
    charge_key: intent.id,
    amount: toMinorUnits(amount, currency),
    outcome: 'captured',
  });
  const own = { metadata: { ...intent.metadata, ...metadata }, amountReceived: amount, amountCapturable: 0 };
  const captured: IntentRecord = { ...intent, ...own, dueAt: null, status: 'succeeded' };
  draft.put(captured);
  draft.tell('charge.captured', charge.id);
  draft.tell('payment_intent.succeeded', intent.id);
  return captured;
}

/** Cancels an intent, and releases what was reserved. */
export function cancelOpen(draft: Draft, intent: IntentRecord, reason: string | null): IntentRecord {
  if (intent.status === 'requires_capture') {
    const charge = draft.find('charge', intent.latestCharge!, 'charge');
    draft.put({ ...charge, amountRefunded: charge.amount });
    release(draft, charge, charge.amount, null, newId('re'));
    draft.move({ type: 'void', at: draft.at, charge_key: intent.id });
  }
  const end = { canceledAt: draft.created, cancellationReason: reason, amountCapturable: 0, dueAt: null };
  const canceled: IntentRecord = { ...intent, ...end, failure: null, actionUrl: null, status: 'canceled' };
  draft.put(canceled);
  draft.tell('payment_intent.canceled', intent.id);
  return canceled;
}
