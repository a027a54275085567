import { z } from 'zod';
import { chargeStatuses, type AskedCharge, type ChargeDetails } from '#domain/charges.ts';
import { receiptMembers } from './receipt-schemas.ts';
import { maxReturnUrlLength, returnUrlFault } from './return-urls.ts';
import { declineAdvice, declineCode } from '../http/problem-schema.ts';
import {
  chargeId,
  createAddressSchema,
  customerId,
  metadata,
  metadataPatch,
  operationId,
  timestamp,
} from '../http/schemas.ts';
import {
  currencies,
  historicCurrencies,
  isCurrency,
  isCurrentCurrency,
  listDate,
} from '#domain/currencies.ts';
import { maxAmount } from '#domain/money.ts';

/** Charges over the wire: the bodies and parameters of requests, and the resource. */

export const amount = z
  .int({
    // A number that is out of bounds is told its bound.
    error: ({ code }) =>
      code === 'too_big' || code === 'too_small'
        ? undefined
        : 'must be a whole number of minor units, written without fraction or exponent',
  })
  .min(1)
  .max(maxAmount)
  .meta({
    id: 'Amount',
    description: 'A whole number of minor currency units: 1999 is 19.99 EUR, and 1,999 JPY.',
    example: 1999,
  });

export const currency = z
  .string()
  .refine(isCurrency, 'must be an ISO 4217 code in upper case, such as EUR')
  .meta({
    id: 'Currency',
    description: `ISO 4217 as of ${listDate}, upper case. ${historicCurrencies.join(', ')} are history: they take no new charge.`,
    example: 'EUR',
    enum: [...currencies],
  });

/** An amount that may be zero. */
const total = z.int().min(0).max(maxAmount);

const captureMethod = z.enum(['automatic', 'manual']).meta({
  id: 'CaptureMethod',
  description:
    '`automatic`: the money is taken at once. `manual`: it is only reserved, for at most 7 days, until `:capture` or `:cancel`.',
});

const paymentSource = z
  .string()
  .regex(/^(tok|pm)_[A-Za-z0-9_]{1,100}$/, 'must be a token `tok_…` or a payment method `pm_…`')
  .meta({
    id: 'PaymentSource',
    description: 'A one-off token of the processor (`tok_…`), or a payment method of the customer (`pm_…`)',
    example: 'tok_visa',
  });

const returnUrl = createAddressSchema(maxReturnUrlLength, returnUrlFault)
  .optional()
  .describe(
    'Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; \
without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the \
processor asks buyers for nothing.',
  )
  .meta({ example: 'https://shop.example/orders/6735' });

/** The merchant's own name of what a charge pays. */
export const reference = z.string().min(1).max(64);

const newChargeMembers = {
  amount,
  currency,
  payment_method: paymentSource
    .optional()
    .describe(
      'A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)',
    )
    .meta({ example: 'tok_visa' }),
  customer: customerId.optional().describe('Who pays. Needed for a payment method on file.'),
  capture_method: captureMethod
    .default('automatic')
    .describe('Whether the money is taken at once, or reserved first.'),
  reference: reference
    .optional()
    .describe(
      'Your own name of what is paid, such as the number of an order: 1 to 64 characters. Charges are found by it.',
    )
    .meta({ example: '6735' }),
  description: z.string().max(500).optional().describe('For your own use, at most 500 characters.'),
  statement_descriptor: z
    .string()
    .min(1)
    .max(22)
    .regex(/^[\x20-\x7e]*$/, 'holds printable ASCII only')
    .optional()
    .describe('What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters.'),
  metadata: metadata.default({}),
};

const needsCard = {
  path: ['payment_method'],
  error: 'is required where no customer is named',
  params: { code: 'required' },
};

const needsCurrent = {
  path: ['currency'],
  error: `is history in ISO 4217 as of ${listDate}, and takes no new charge`,
  params: { code: 'invalid_value' },
};

const isInCurrent = ({ currency }: { currency: string }) => isCurrentCurrency(currency);

const namesCard = (body: { payment_method?: string | undefined; customer?: string | undefined }) =>
  body.payment_method !== undefined || body.customer !== undefined;

/** The body of `POST /v1/charges`. */
export const newCharge = z
  .strictObject({ ...newChargeMembers, return_url: returnUrl })
  .refine(namesCard, needsCard)
  .refine(isInCurrent, needsCurrent)
  .transform(toAskedCharge)
  .meta({ id: 'NewCharge', example: { amount: 1999, currency: 'EUR', payment_method: 'tok_visa' } });

/** A charge of a batch: its buyer is not there to be asked for anything. */
export const newBatchedCharge = z
  .strictObject(newChargeMembers)
  .refine(namesCard, needsCard)
  .refine(isInCurrent, needsCurrent)
  .transform(toAskedCharge)
  .meta({ id: 'NewBatchedCharge', example: { amount: 1999, currency: 'EUR', payment_method: 'tok_visa' } });

type NewChargeBody = z.output<z.ZodObject<typeof newChargeMembers>> & { return_url?: string | undefined };

function toAskedCharge(body: NewChargeBody): AskedCharge {
  return {
    amount: body.amount,
    currency: body.currency,
    captureMethod: body.capture_method,
    customerId: body.customer ?? null,
    paymentMethod: body.payment_method ?? null,
    reference: body.reference ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statement_descriptor ?? null,
    returnUrl: body.return_url ?? null,
    metadata: body.metadata,
  };
}

/** RFC 7386: `null` removes a member; a member that is left out stays. */
export const chargePatch = z
  .strictObject({
    reference: reference.nullish().describe('`null` removes it.').meta({ example: '6735' }),
    description: z.string().max(500).nullish().describe('`null` removes it.').meta({ example: 'Order 6735' }),
    metadata: metadataPatch.nullish().describe('Names to set or to remove; `null` removes all.'),
  })
  .meta({ id: 'ChargePatch' });

/** The result of a PATCH. */
export const chargeDetails = z
  .strictObject({
    reference: reference.nullish(),
    description: z.string().max(500).nullish(),
    metadata: metadata.default({}),
  })
  .transform(({ reference = null, description = null, metadata }): ChargeDetails => ({
    reference,
    description,
    metadata,
  }));

export const capture = z
  .strictObject({
    amount: amount
      .optional()
      .describe(
        'Minor currency units, at most the amount of the charge; the rest is released. (Default: all of it)',
      ),
  })
  .meta({ id: 'Capture', example: { amount: 1999 } });

export const chargeStatus = z.enum(chargeStatuses).meta({
  id: 'ChargeStatus',
  description:
    '`pending`: the outcome is not known yet. `requires_action`: the buyer must confirm. `requires_capture`: the money is reserved. `succeeded`, `failed` and `cancelled` are final.',
  example: 'succeeded',
});

const failure = z
  .strictObject({
    code: z
      .enum([
        'card_declined',
        'processor_timeout',
        'not_sent',
        'refused',
        'authentication_expired',
        'capture_failed',
      ])
      .meta({ id: 'ChargeFailureCode', description: 'Why the charge failed.' }),
    decline_code: declineCode.nullable().describe('With `card_declined`: why the card was refused.'),
    advice: declineAdvice
      .nullable()
      .describe(
        'With `card_declined`: what to do next, as the processor or the card network says, else by the decline code. `null` for other failures.',
      ),
    message: z
      .string()
      .describe('For people; do not branch on it.')
      .meta({ example: 'The card was declined.' }),
  })
  .meta({ id: 'ChargeFailure', description: 'Why a charge failed' });

const nextAction = z
  .strictObject({
    type: z.literal('redirect').describe('The only kind there is.'),
    url: z
      .url()
      .describe('Where to send the browser of the buyer, once.')
      .meta({ example: 'https://bank.example/confirm' }),
    expires_at: timestamp.describe('Then the charge fails with `authentication_expired`.'),
  })
  .meta({ id: 'ChargeNextAction', description: 'What the buyer does next' });

export const chargeResource = z
  .strictObject({
    id: chargeId,
    object: z.literal('charge'),
    amount,
    currency,
    status: chargeStatus,
    capture_method: captureMethod,
    amount_captured: total
      .describe('The part of `amount` that was taken, in minor currency units.')
      .meta({ example: 1999 }),
    amount_refunded: total.describe(
      'The part of `amount_captured` that went back, or is about to, in minor currency units.',
    ),
    amount_returned: total
      .describe(
        'The part of `amount_captured` that the processor took back from you later, without a refund, in minor currency units.',
      )
      .meta({ example: 0 }),
    refunded: z.boolean().describe('Whether everything that was taken went back.'),
    customer: customerId.nullable().describe('Who pays; `null` without a customer.').meta({ example: null }),
    payment_method: paymentSource,
    ...receiptMembers,
    reference: z
      .string()
      .nullable()
      .describe('Your own name of what is paid, as given.')
      .meta({ example: '6735' }),
    description: z.string().nullable().describe('Your own words, as given.'),
    statement_descriptor: z
      .string()
      .nullable()
      .describe('What the buyer reads on the statement of the card, as given.'),
    metadata,
    failure: failure
      .nullable()
      .describe('Why the charge failed; `null` if it did not.')
      .meta({ example: null }),
    next_action: nextAction
      .nullable()
      .describe(
        'What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`.',
      )
      .meta({ example: null }),
    created: timestamp.describe('When the charge was made.'),
    updated: timestamp.describe('When it last changed.'),
    captured_at: timestamp
      .nullable()
      .describe('When the money was taken.')
      .meta({ example: '2026-11-01T12:00:00.000Z' }),
    cancel_requested_at: timestamp
      .nullable()
      .describe('When its cancel was requested.')
      .meta({ example: null }),
    cancelled_at: timestamp.nullable().describe('When it was cancelled.').meta({ example: null }),
    expires_at: timestamp
      .nullable()
      .describe('When its authorization ends, while the money is only reserved.')
      .meta({ example: null }),
    charge_batch: operationId
      .nullable()
      .describe('The charge batch that it was submitted in; `null` if it was submitted alone.')
      .meta({ example: null }),
    charge_batch_row: z
      .int()
      .min(0)
      .nullable()
      .describe('Its row in that batch, which counts from 0 as in the lines of the result.')
      .meta({ example: null }),
  })
  .meta({ id: 'Charge', description: 'A payment with a card' });
