import { z } from 'zod';
import { chargeStatuses, type AskedCharge, type ChargeDetails } from '#domain/charges.ts';
import { maxReturnUrlLength, returnUrlFault } from './return-urls.ts';
import { idPattern, isId } from '#domain/ids.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { metadata, timestamp } from '../http/schemas.ts';
import { currencies, isCurrency, maxAmount } from '#domain/money.ts';

/** Charges over the wire: the bodies and parameters of requests, and the resource (decisions, Resources). */

export const chargeId = z
  .string()
  .refine((id) => isId('charge', id), 'is not a charge id')
  .meta({ id: 'ChargeId', pattern: idPattern('charge'), example: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' });

export const amount = z
  .int({ error: 'must be a whole number of minor units, written without fraction or exponent' })
  .min(1)
  .max(maxAmount)
  .meta({ id: 'Amount', description: 'Minor currency units', example: 1999 });

export const currency = z
  .string()
  .refine(isCurrency, 'must be an ISO 4217 code in upper case, such as EUR')
  .meta({ id: 'Currency', description: 'ISO 4217, upper case', example: 'EUR', enum: [...currencies] });

const returnUrl = z
  .string()
  .max(maxReturnUrlLength)
  .superRefine((value, issues) => {
    const fault = returnUrlFault(value);
    if (fault) issues.addIssue({ code: 'custom', message: fault });
  })
  .optional()
  .describe(
    'Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; \
without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the \
processor asks buyers for nothing.',
  )
  .meta({ example: 'https://shop.example/orders/6735' });

const newChargeMembers = {
  amount,
  currency,
  payment_method: z
    .string()
    .regex(/^(tok|pm)_[A-Za-z0-9_]{1,100}$/, 'must be a token `tok_…` or a payment method `pm_…`')
    .optional()
    .describe(
      'A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)',
    )
    .meta({ example: 'tok_visa' }),
  customer: z.string().max(100).optional(),
  capture_method: z.enum(['automatic', 'manual']).default('automatic'),
  description: z.string().max(500).optional(),
  statement_descriptor: z
    .string()
    .min(1)
    .max(22)
    .regex(/^[\x20-\x7e]*$/, 'holds printable ASCII only')
    .optional(),
  metadata: metadata.default({}),
};

const needsCard = {
  path: ['payment_method'],
  error: 'is required where no customer is named',
  params: { code: 'required' },
};

const namesCard = (body: { payment_method?: string | undefined; customer?: string | undefined }) =>
  body.payment_method !== undefined || body.customer !== undefined;

/** The body of `POST /v1/charges`. */
export const newCharge = z
  .strictObject({ ...newChargeMembers, return_url: returnUrl })
  .refine(namesCard, needsCard)
  .transform(toAskedCharge);

/** A charge of a batch: its buyer is not there to be asked for anything. */
export const newBatchedCharge = z
  .strictObject(newChargeMembers)
  .refine(namesCard, needsCard)
  .transform(toAskedCharge);

type NewChargeBody = z.output<z.ZodObject<typeof newChargeMembers>> & { return_url?: string | undefined };

function toAskedCharge(body: NewChargeBody): AskedCharge {
  return {
    amount: body.amount,
    currency: body.currency,
    captureMethod: body.capture_method,
    customerId: body.customer ?? null,
    paymentMethod: body.payment_method ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statement_descriptor ?? null,
    returnUrl: body.return_url ?? null,
    metadata: body.metadata,
  };
}

/** RFC 7386: `null` removes a member; a member that is left out stays. */
export const chargePatch = z
  .strictObject({
    description: z.string().max(500).nullish().describe('`null` removes it.').meta({ example: 'Order 6735' }),
    metadata: z
      .record(z.string().min(1).max(40), z.string().max(500).nullable())
      .nullish()
      .describe('Members to set; one with `null` is removed. `null` removes all.')
      .meta({ example: { order: '6735' } }),
  })
  .meta({ id: 'ChargePatch' });

/** The result of a PATCH. */
export const chargeDetails = z
  .strictObject({ description: z.string().max(500).nullish(), metadata: metadata.default({}) })
  .transform(({ description = null, ...rest }): ChargeDetails => ({ description, ...rest }));

export const capture = z.strictObject({ amount: amount.optional() });

export const chargeStatus = z.enum(chargeStatuses).meta({ id: 'ChargeStatus', example: 'succeeded' });

export const chargeQuery = z.strictObject({
  ...pageParameters,
  ...createdParameters,
  customer: z.string().max(100).optional().describe('Only charges of this customer.'),
  status: chargeStatus.optional().describe('Only charges with this status.'),
});

export const chargeResource = z
  .strictObject({
    id: chargeId,
    object: z.literal('charge'),
    amount,
    currency,
    status: chargeStatus,
    capture_method: z.enum(['automatic', 'manual']),
    amount_captured: z.int().min(0).meta({ example: 1999 }),
    amount_refunded: z.int().min(0),
    refunded: z.boolean(),
    customer: z.string().nullable(),
    payment_method: z.string().meta({ example: 'tok_visa' }),
    description: z.string().nullable(),
    statement_descriptor: z.string().nullable(),
    metadata,
    failure: z
      .strictObject({
        code: z.enum(['card_declined', 'processor_timeout', 'not_sent', 'refused', 'authentication_expired']),
        decline_code: z.string().nullable(),
        message: z.string(),
      })
      .nullable(),
    next_action: z
      .strictObject({ type: z.literal('redirect'), url: z.string(), expires_at: timestamp })
      .nullable()
      .describe(
        'What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`.',
      )
      .meta({ example: null }),
    created: timestamp,
    updated: timestamp,
    captured_at: timestamp.nullable().meta({ example: '2026-11-01T12:00:00.000Z' }),
    cancel_requested_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'Charge' });
