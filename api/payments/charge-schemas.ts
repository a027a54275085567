import { z } from 'zod';
import type { AskedCharge } from '#domain/charges.ts';
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

export const newCharge = z
  .strictObject({
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
  })
  .refine((body) => body.payment_method !== undefined || body.customer !== undefined, {
    path: ['payment_method'],
    error: 'is required where no customer is named',
    params: { code: 'required' },
  })
  .transform((body): AskedCharge => ({
    amount: body.amount,
    currency: body.currency,
    captureMethod: body.capture_method,
    customerId: body.customer ?? null,
    paymentMethod: body.payment_method ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statement_descriptor ?? null,
    metadata: body.metadata,
  }));

export const capture = z.strictObject({ amount: amount.optional() });

export const chargeStatus = z
  .enum(['pending', 'requires_capture', 'succeeded', 'failed', 'cancelled'])
  .meta({ id: 'ChargeStatus', example: 'succeeded' });

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
        code: z.enum(['card_declined', 'processor_timeout', 'not_sent', 'refused']),
        decline_code: z.string().nullable(),
        message: z.string(),
      })
      .nullable(),
    created: timestamp,
    updated: timestamp,
    captured_at: timestamp.nullable().meta({ example: '2026-11-01T12:00:00.000Z' }),
    cancel_requested_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'Charge' });
