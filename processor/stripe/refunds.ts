import type { ToldOfRefund } from '#domain/cards/receipt.ts';
import { longestCallMs } from '#domain/processor-calls.ts';
import { describeTooMuch, type RefundOutcome } from '#domain/refunds.ts';
import { ProcessorFault, type CallOptions, type SentRefund } from '../port.ts';
import { afterSending, within, type StripeClient, type Within } from './client.ts';
import { refundRenewalMs, unreadable } from './errors.ts';
import { askIntent, locateIntent } from './intents.ts';
import { fromStripeAmount, toStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { readRefundReceipt } from './receipts.ts';
import { findRefunds, givesBack } from './refund-lists.ts';
import { writeParts } from './taken.ts';

const { refund: refundMs, find: findMs } = longestCallMs;

type AskedRefund = Pick<SentRefund, 'key' | 'charge' | 'amount'>;

/**
 * Gives money back. Nothing but what is left of the charge guards a refund, so ours is looked for before each send: its
 * key may be forgotten, or renewed.
 */
export async function refundCharge(
  stripe: StripeClient,
  refund: SentRefund,
  options: CallOptions | undefined,
): Promise<RefundOutcome> {
  const { key, charge, amount, attempt, origin } = refund;
  const time = within(refundMs, options);
  const intent = await locateIntent(stripe, charge, time);
  if (intent === null || intent === 'voided') return failed(unmade, 'charge_not_captured');
  const known = await ask(stripe, refund, intent.id, time);
  if (known) return known;
  waitForTheFirst(refund);
  const sent = toStripeAmount(amount, charge.currency);
  if (sent === null) return failed(unmade, 'amount_not_supported');
  const metadata = { refund: key, charge: charge.key, ...writeParts(origin) };
  const form = { payment_intent: intent.id, amount: sent, metadata };
  const order = { call: 'refund', path: '/v1/refunds', form } as const;
  const answer = await stripe.send(
    { ...order, key: `${key}:refund:${attempt}`, schema: objects.refund },
    time,
  );
  if (answer.kind === 'ok' && !answer.replayed) return readRefund(answer.value, refund);
  const found = await afterSending(() => ask(stripe, refund, intent.id, time));
  if (found) return found;
  if (answer.kind === 'error')
    return (
      (await afterSending(() => findTooMuch(stripe, refund, intent.id, time))) ??
      failed(unmade, answer.error.code ?? 'refund_refused')
    );
  throw unreadable('a refund that was made is not listed');
}

/** Returns the failure of a refund that asks for more than is left of the charge at Stripe; `null` if it does not. */
async function findTooMuch(
  stripe: StripeClient,
  { charge, amount }: AskedRefund,
  intentId: string,
  time: Within,
): Promise<RefundOutcome | null> {
  const { latest_charge: paid, currency } = await askIntent(stripe, charge, intentId, time);
  if (typeof paid !== 'object' || paid === null) return null;
  const captured = fromStripeAmount(paid.amount_captured, currency);
  const left = fromStripeAmount(sumLeft(paid), currency);
  if (captured === null || left === null || left >= amount) return null;
  return { kind: 'failed', ...unmade, ...describeTooMuch(left, captured) };
}

/** Returns what is left to refund. Stripe counts what a partial capture left among the refunded amount. */
function sumLeft(paid: objects.Charge): number {
  const released = paid.amount - paid.amount_captured;
  const refunded = paid.amount_refunded >= released ? paid.amount_refunded - released : paid.amount_refunded;
  return paid.amount_captured - refunded;
}

/**
 * After a stored failure the first refund may still show in the listing, for a minute.
 *
 * @throws {ProcessorFault} if this one comes too soon. Nothing was sent.
 */
function waitForTheFirst({ attempt, createdAt }: SentRefund): void {
  const retryAfterMs = createdAt.getTime() + refundRenewalMs - Date.now();
  if (attempt === 1 || retryAfterMs <= 0) return;
  const message = 'A refund is not sent under a new key before the first one had time to show';
  throw new ProcessorFault('processor_unavailable', message, { retryAfterMs, presence: 'there' });
}

export async function findRefund(
  stripe: StripeClient,
  refund: AskedRefund,
  options: CallOptions | undefined,
): Promise<RefundOutcome | null> {
  const time = within(findMs, options);
  const intent = await locateIntent(stripe, refund.charge, time);
  if (intent === null || intent === 'voided') return null;
  return ask(stripe, refund, intent.id, time);
}

/** Finds our refund in the list of the intent's. Of several, one that gives the money back. */
async function ask(
  stripe: StripeClient,
  refund: AskedRefund,
  intentId: string,
  time: Within,
): Promise<RefundOutcome | null> {
  const ours = await findRefunds(stripe, intentId, refund.key, time);
  const chosen = ours.find(givesBack) ?? ours[0];
  return chosen ? readRefund(chosen, refund) : null;
}

function readRefund(answer: objects.Refund, { key, amount }: AskedRefund): RefundOutcome {
  if (answer.metadata?.['refund'] !== key) throw unreadable('it is about another refund');
  if (fromStripeAmount(answer.amount, answer.currency) !== amount)
    throw unreadable(`it says that ${answer.amount} was given back`);
  const told = readRefundReceipt(answer);
  switch (answer.status) {
    case 'succeeded':
      return { kind: 'processed', ...told };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', ...told };
    case 'failed':
    case 'canceled':
      return failed(told, answer.failure_reason ?? answer.status);
  }
}

const refusals: Readonly<Record<string, string>> = {
  amount_not_supported: 'The processor cannot give this amount back in this currency.',
  charge_already_refunded: 'All of the charge was given back already.',
  charge_disputed: 'The buyer has disputed the charge.',
  charge_not_captured: 'The charge was never captured.',
  refund_disputed_payment: 'The buyer has disputed the charge.',
  insufficient_funds: "The processor's balance does not hold the amount.",
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired, or was cancelled.',
};

/** Stripe has made no refund. */
const unmade: ToldOfRefund = { processorId: null };

function failed(told: ToldOfRefund, reason: string): RefundOutcome {
  const code = /^[a-z_]{1,64}$/.test(reason) ? reason : 'refund_refused';
  return {
    kind: 'failed',
    ...told,
    code,
    message: refusals[code] ?? 'The processor refused the refund.',
  };
}
