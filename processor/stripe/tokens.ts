import type { z } from 'zod';
import type { CallOptions, CardDescription } from '../port.ts';
import { within, type StripeClient } from './client.ts';
import { unreadable } from './errors.ts';
import * as objects from './objects.ts';

const describeMs = 4_000;

/** Tokens name brands in words, PaymentMethods in codes. */
const brands: Readonly<Record<string, CardDescription['brand']>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  amex: 'amex',
  'american express': 'amex',
  discover: 'discover',
};

/** Reads the card behind a token or PaymentMethod; `null` when Stripe has none. */
export async function describeToken(
  stripe: StripeClient,
  token: string,
  options: CallOptions | undefined,
): Promise<CardDescription | null> {
  const [folder, schema] = token.startsWith('tok_')
    ? ['tokens', objects.token]
    : ['payment_methods', objects.paymentMethod];
  const path = `/v1/${folder}/${encodeURIComponent(token)}`;
  const question = { path, schema: schema as z.ZodType<{ card?: z.output<typeof objects.card> | null }> };
  const found = await stripe.askWhether(question, within(describeMs, options));
  return found?.card ? toCard(found.card) : null;
}

function toCard({ brand, last4, exp_month, exp_year }: z.output<typeof objects.card>): CardDescription {
  const known = brands[brand.toLowerCase()];
  if (!known) throw unreadable('a card of a brand that is not known here');
  return { brand: known, last4, expMonth: exp_month, expYear: exp_year };
}
