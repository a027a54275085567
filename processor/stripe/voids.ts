import { longestCallMs } from '#domain/processor-calls.ts';
import type { CallOptions, SentCharge, SentVoid } from '../port.ts';
import { within, type StripeClient, type Within } from './client.ts';
import { unreadable } from './errors.ts';
import { locateIntent, undecided } from './intents.ts';
import * as objects from './objects.ts';
import { findRefunds, givesBack, isVoided, voidKey } from './refund-lists.ts';

/** A void may find the payment in another state each time that it looks: this often, and then it comes back later. */
const mostRounds = 4;

/** Gives back what was reserved or taken: looks, does what the state asks for, and looks again. */
export async function voidCharge(
  stripe: StripeClient,
  { charge, onlyReserved = false }: SentVoid,
  options: CallOptions | undefined,
): Promise<{ kind: 'voided' }> {
  const time = within(longestCallMs.void, options);
  for (let round = 0; round < mostRounds; round += 1) {
    const intent = await locateIntent(stripe, charge, time);
    // Nothing was confirmed under a row without an intent, and the mark in the row keeps it so.
    if (intent === null || intent === 'voided' || intent.status === 'canceled') return { kind: 'voided' };
    if (intent.status === 'processing') throw undecided('Stripe has not decided about the payment yet');
    const isTaken = intent.status === 'succeeded';
    if (isTaken && onlyReserved)
      throw undecided('The payment was captured before its reservation was released');
    const isDone = await (isTaken
      ? giveBack(stripe, charge, intent, time)
      : cancel(stripe, charge, intent, time));
    if (isDone) return { kind: 'voided' };
  }
  throw undecided('The payment changed while it was voided');
}

/** Returns whether the intent is cancelled for sure. */
async function cancel(
  stripe: StripeClient,
  { key, attempt }: SentCharge,
  intent: objects.Intent,
  time: Within,
): Promise<boolean> {
  const form = { cancellation_reason: 'requested_by_customer' };
  const path = `/v1/payment_intents/${intent.id}/cancel`;
  const order = { call: 'cancel', path, form, key: `${key}:cancel:${attempt}` } as const;
  const answer = await stripe.send({ ...order, schema: objects.intent }, time);
  if (answer.kind === 'error' || answer.replayed) return false;
  return answer.value.id === intent.id && answer.value.status === 'canceled';
}

/**
 * Refunds all that is left of what was taken, under a key of the charge: again, if the refund before has failed. Returns
 * whether it is on its way.
 */
async function giveBack(
  stripe: StripeClient,
  charge: SentCharge,
  intent: objects.Intent,
  time: Within,
): Promise<boolean> {
  const refund = voidKey(charge);
  const earlier = await findRefunds(stripe, intent.id, refund, time);
  if (isVoided(earlier)) return true;
  // Without an amount: all that is left, so a second one could give nothing back.
  const form = { payment_intent: intent.id, metadata: { refund, charge: charge.key } };
  // Stripe would answer the key of one that has failed since with its first answer.
  const again = earlier.length === 0 ? '' : `:again-${earlier.length}`;
  const key = `${charge.key}:void-refund:${charge.attempt}${again}`;
  const order = { call: 'refund', path: '/v1/refunds', form, key } as const;
  const answer = await stripe.send({ ...order, schema: objects.refund }, time);
  if (answer.kind === 'ok' && !answer.replayed && givesBack(answer.value)) return true;
  if (isVoided(await findRefunds(stripe, intent.id, refund, time))) return true;
  if (isReturned(intent)) return true;
  throw unreadable('the money of a void was not given back', { renewsKey: answer.replayed });
}

/** Somebody else has given all of it back, in the Dashboard say: nothing is left to void. */
function isReturned({ latest_charge: charge }: objects.Intent): boolean {
  return typeof charge === 'object' && charge?.refunded === true;
}
