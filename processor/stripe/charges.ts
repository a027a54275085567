import { isId } from '#domain/ids.ts';
import type { ChargeOutcome } from '#domain/charges.ts';
import { longestCallMs } from '#domain/processor-calls.ts';
import type { ValidationFault } from '#domain/problems.ts';
import { ProcessorFault, type CallOptions, type Prepared, type Refused, type SentCharge } from '../port.ts';
import { afterSending, within, type Answered, type StripeClient, type Within } from './client.ts';
import { readDecline } from './declines.ts';
import { unreadable } from './errors.ts';
import {
  askIntent,
  checkIntent,
  findIntent,
  locateIntent,
  mayBeForgotten,
  readOutcome,
  readRef,
} from './intents.ts';
import { leastAmounts, toStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { readReceipt } from './receipts.ts';
import { findRefunds, isVoided, voidKey } from './refund-lists.ts';
import { writeParts } from './taken.ts';

/** Makes the charge's intent, unconfirmed: it moves no money. */
export async function prepareCharge(
  stripe: StripeClient,
  charge: SentCharge,
  options: CallOptions | undefined,
): Promise<Prepared | Refused> {
  const time = within(longestCallMs.prepare, options);
  const amount = toStripeAmount(charge.amount, charge.currency);
  if (amount === null) return refuse('amount_not_supported');
  // Stripe may not know the key any more, and would make a second intent.
  const known = mayBeForgotten(charge.createdAt) ? await findIntent(stripe, charge, time) : null;
  if (known) return { kind: 'prepared', ref: known.id };
  const method = await namePaymentMethod(stripe, charge, time);
  if (typeof method !== 'string') return method;
  return createIntent(stripe, charge, { amount, payment_method: method }, time);
}

/** Returns the id of the PaymentMethod: a token becomes one. */
async function namePaymentMethod(
  stripe: StripeClient,
  charge: SentCharge,
  time: Within,
): Promise<string | Refused> {
  if (!charge.token.startsWith('tok_')) return charge.token;
  try {
    // Always the first key first: a token is used up by the PaymentMethod that the first attempt made of it.
    return await createPaymentMethod(stripe, charge, 1, time);
  } catch (error) {
    const isStored = error instanceof ProcessorFault && error.renewsKey && charge.attempt > 1;
    if (isStored) return createPaymentMethod(stripe, charge, charge.attempt, time);
    throw error;
  }
}

async function createPaymentMethod(
  stripe: StripeClient,
  { key, token }: SentCharge,
  attempt: number,
  time: Within,
): Promise<string | Refused> {
  const form = { type: 'card', card: { token } };
  const order = { call: 'prepare', path: '/v1/payment_methods', form } as const;
  const answer = await stripe.send(
    { ...order, key: `${key}:pm:${attempt}`, schema: objects.paymentMethod },
    time,
  );
  return answer.kind === 'ok' ? answer.value.id : refuseFor(answer);
}

async function createIntent(
  stripe: StripeClient,
  charge: SentCharge,
  given: { amount: number; payment_method: string },
  time: Within,
): Promise<Prepared | Refused> {
  const form = {
    ...given,
    currency: charge.currency.toLowerCase(),
    capture_method: charge.capture ? 'automatic' : 'manual',
    // After the buyer has confirmed, only our own second confirm takes the money.
    confirmation_method: 'manual',
    payment_method_types: ['card'],
    description: charge.description,
    statement_descriptor_suffix: charge.statementDescriptor,
    metadata: { charge: charge.key, account: charge.accountId, ...writeParts(charge.origin) },
  };
  const order = { call: 'prepare', path: '/v1/payment_intents', form } as const;
  const key = `${charge.key}:create:${charge.attempt}`;
  const answer = await stripe.send({ ...order, key, schema: objects.intent }, time);
  if (answer.kind === 'error') return refuseFor(answer, charge.currency);
  // Also from a stored answer: the id is all that is taken from it, and it never changes.
  return { kind: 'prepared', ref: checkIntent(stripe, charge, answer.value.id, answer.value).id };
}

/** Takes or reserves the money: confirms the intent that the row holds. */
export async function authorizeCharge(
  stripe: StripeClient,
  charge: SentCharge,
  options: CallOptions | undefined,
): Promise<ChargeOutcome> {
  const ref = readRef(charge);
  if (ref === null) throw new Error('a charge over Stripe is authorized without the reference of its row');
  if (ref === 'voided') return { kind: 'voided', processorId: charge.ref ?? '' };
  const time = within(longestCallMs.authorize, options);
  const form = {
    ...(charge.returnUrl === null ? { error_on_requires_action: true } : { return_url: charge.returnUrl }),
    expand: ['latest_charge'],
  };
  const order = { call: 'confirm', path: `/v1/payment_intents/${ref.id}/confirm`, form } as const;
  const key = `${charge.key}:confirm:${charge.attempt}`;
  const answer = await stripe.send({ ...order, key, schema: objects.intent }, time);
  return afterSending(() => conclude(stripe, charge, ref.id, answer, time));
}

async function conclude(
  stripe: StripeClient,
  charge: SentCharge,
  id: string,
  answer: Answered<objects.Intent>,
  time: Within,
): Promise<ChargeOutcome> {
  const isDecline = answer.kind === 'error' && answer.means === 'declined';
  // A stored answer is the first one, and not what holds now; any other error is answered by the intent's state.
  const isFirst = !answer.replayed && (answer.kind === 'ok' || isDecline);
  const intent =
    answer.kind === 'ok' && isFirst
      ? checkIntent(stripe, charge, id, answer.value)
      : isFirst
        ? null
        : await askIntent(stripe, charge, id, time);
  const outcome = intent && (await describeIntent(stripe, charge, intent, time));
  if (outcome) return outcome;
  if (isDecline) {
    const told = readReceipt(answer.error.payment_method?.card);
    return { kind: 'declined', processorId: id, told, ...readDecline(answer.error) };
  }
  if (answer.kind === 'error' && answer.means === 'refused') return refuseFor(answer);
  throw unreadable('the payment was confirmed, and waits for its confirmation', { renewsKey: true });
}

/** Adds to what the intent says that our own refund of a void has given the money back. */
async function describeIntent(
  stripe: StripeClient,
  charge: SentCharge,
  intent: objects.Intent,
  time: Within,
): Promise<ChargeOutcome | null> {
  const outcome = readOutcome(intent);
  if (outcome?.kind !== 'captured' || !mayHaveRefunds(intent)) return outcome;
  const refunds = await findRefunds(stripe, intent.id, voidKey(charge), time);
  return isVoided(refunds) ? { kind: 'voided', processorId: intent.id } : outcome;
}

function mayHaveRefunds({ latest_charge: charge }: objects.Intent): boolean {
  return typeof charge !== 'object' || charge === null || charge.amount_refunded > 0;
}

export async function findCharge(
  stripe: StripeClient,
  charge: SentCharge,
  options: CallOptions | undefined,
): Promise<ChargeOutcome | null> {
  const time = within(longestCallMs.find, options);
  const intent = await locateIntent(stripe, charge, time);
  if (intent === 'voided') return { kind: 'voided', processorId: charge.ref ?? '' };
  return intent && describeIntent(stripe, charge, intent, time);
}

/** What a merchant reads of the refusals that it can do something about. */
const refusals: Readonly<Record<string, string>> = {
  amount_not_supported: 'The processor cannot take this amount in this currency.',
  amount_too_small: 'The amount is below the least that the processor takes.',
  amount_too_large: 'The amount is above the most that the processor takes.',
  resource_missing: 'There is no such token or payment method.',
  token_already_used: 'The token was used before.',
};

function refuse(code: string): Refused {
  return { kind: 'refused', code, message: refusals[code] ?? 'The processor refused the payment.' };
}

/** Refuses a charge whose terms Stripe cannot take. The API refuses them first, so this is a second look before money moves. */
export function refuseTerms({ pointer, detail }: ValidationFault): Refused {
  const member = pointer.slice(1);
  return { kind: 'refused', code: `${member}_not_supported`, message: `\`${member}\` ${detail}.` };
}

/** Nothing of Stripe's own text: it may quote what was sent. */
function refuseFor({ error }: Extract<Answered<unknown>, { kind: 'error' }>, currency?: string): Refused {
  const code = error.code ?? 'invalid_request';
  const least = leastAmounts.get(currency ?? '');
  if (code === 'amount_too_small' && least !== undefined) {
    const message = `The least that the processor takes is ${least} ${currency}, or its worth in the currency of its balance.`;
    return { kind: 'refused', code, message };
  }
  return refuse(/^[a-z_]{1,64}$/.test(code) ? code : 'invalid_request');
}

/** Whether `token` can be one of Stripe's: a one-off token, or a PaymentMethod; not the id of a card on file here. */
export function acceptsToken(token: string): boolean {
  return /^(?:tok|pm)_\w{1,200}$/.test(token) && !isId('paymentMethod', token);
}
