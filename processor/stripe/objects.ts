import { z } from 'zod';

/*
 * The members of Stripe's objects that we use, and no other: a new member of Stripe's changes nothing here, and a missing
 * or changed one of these is an answer that cannot be read. Source: Stripe's OpenAPI file of `stripeVersion`.
 */

const id = z.string().min(1).max(255);
const amount = z.int().nonnegative();
const currency = z.string().regex(/^[a-z]{3}$/);
/** Seconds since 1970. */
const time = z.int().nonnegative();
const metadata = z.record(z.string(), z.string());
const code = z.string().max(255);

/** The whole of an object, or its id where it was not expanded. */
const expandable = <T extends z.ZodType>(whole: T) => z.union([id, whole]).nullish();

export const card = z.object({
  brand: z.string(),
  last4: z.string().regex(/^\d{4}$/),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2000),
});

const word = z.string().max(255);

/**
 * What Stripe tells of a card that was charged. A member that cannot be read is not told: the outcome counts without it.
 */
export const chargedCard = z
  .object({
    capture_before: time.nullish(),
    brand: word.nullish().catch(null),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .nullish()
      .catch(null),
    exp_month: z.int().min(1).max(12).nullish().catch(null),
    exp_year: z.int().min(2000).nullish().catch(null),
    funding: word.nullish().catch(null),
    country: word.nullish().catch(null),
    fingerprint: word.nullish().catch(null),
    authorization_code: word.nullish().catch(null),
    wallet: z.object({ type: word }).nullish().catch(null),
    checks: z
      .object({ cvc_check: word.nullish(), address_postal_code_check: word.nullish() })
      .nullish()
      .catch(null),
    three_d_secure: z.object({ result: word.nullish() }).nullish().catch(null),
  })
  .nullish();

export const charge = z.object({
  object: z.literal('charge'),
  id,
  amount,
  amount_captured: amount,
  amount_refunded: amount,
  refunded: z.boolean(),
  /** Reserved or taken; not declined. */
  paid: z.boolean(),
  currency,
  metadata,
  payment_method_details: z.object({ card: chargedCard }).nullish(),
  outcome: z.object({ advice_code: word.nullish() }).nullish().catch(null),
});

/** Of a decline: on an answer of its own, and on the intent it left behind. */
export const cardError = z.object({
  code: code.nullish(),
  decline_code: code.nullish(),
  advice_code: word.nullish().catch(null),
  /** The card that was declined. */
  payment_method: z.object({ card: chargedCard }).nullish().catch(null),
});

export const intent = z.object({
  object: z.literal('payment_intent'),
  id: id.regex(/^pi_/),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'requires_capture',
    'canceled',
    'succeeded',
  ]),
  livemode: z.boolean(),
  amount,
  amount_received: amount,
  currency,
  created: time,
  capture_method: z.string(),
  statement_descriptor_suffix: z.string().nullish(),
  metadata,
  latest_charge: expandable(charge),
  last_payment_error: cardError.nullish(),
  next_action: z
    .object({
      type: z.string(),
      redirect_to_url: z.object({ url: z.url({ protocol: /^https?$/ }).max(5000) }).nullish(),
    })
    .nullish(),
});

export const refund = z.object({
  object: z.literal('refund'),
  id,
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  amount,
  currency,
  failure_reason: code.nullish(),
  /** What cannot be read of it is not told: the outcome counts without it. */
  destination_details: z
    .object({ card: z.object({ reference: word.nullish(), reference_status: word.nullish() }).nullish() })
    .nullish()
    .catch(null),
  /** Of a refund that failed after it had succeeded: the money that came back. */
  failure_balance_transaction: expandable(z.object({ id })),
  /** `null` on a refund that Stripe made by itself. */
  metadata: metadata.nullish(),
  payment_intent: expandable(z.object({ id })),
});

export const paymentMethod = z.object({ object: z.literal('payment_method'), id, card: card.nullish() });
const statementText = z.string().max(255).nullish();
export const account = z.object({
  object: z.literal('account'),
  id: id.regex(/^acct_/),
  settings: z
    .object({
      card_payments: z.object({ statement_descriptor_prefix: statementText }).nullish(),
      payments: z.object({ statement_descriptor: statementText }).nullish(),
    })
    .nullish(),
});

export const transaction = z.object({
  object: z.literal('balance_transaction'),
  id,
  type: z.string(),
  reporting_category: z.string(),
  source: expandable(z.looseObject({ object: z.string(), id })),
});

/** A page of a list, newest first. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item).max(100), has_more: z.boolean() });

export interface Page<T> {
  data: T[];
  has_more: boolean;
}

export const errorAnswer = z.object({
  error: z.object({
    type: z.string().max(255),
    code: code.nullish(),
    decline_code: code.nullish(),
    advice_code: word.nullish().catch(null),
    payment_method: z.object({ card: chargedCard }).nullish().catch(null),
    param: z.string().max(255).nullish(),
  }),
});

export type ChargedCard = z.output<typeof chargedCard>;
export type Charge = z.output<typeof charge>;
export type Intent = z.output<typeof intent>;
export type Refund = z.output<typeof refund>;
export type StripeError = z.output<typeof errorAnswer>['error'];
