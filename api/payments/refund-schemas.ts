import { z } from 'zod';
import { isId } from '#domain/ids.ts';
import type { NewRefund } from '#domain/refunds.ts';
import { amount, chargeId, currency } from './charge-schemas.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { metadata, timestamp } from '../http/schemas.ts';

/** Refunds over the wire: the bodies and parameters of requests, and the resource (decisions, Resources). */

export const refundId = z
  .string()
  .refine((id) => isId('refund', id), 'is not a refund id')
  .meta({ id: 'RefundId', example: 're_01JF3Z9B6W8X1M4H7S2Q5D0E9G' });

const reason = z.enum(['duplicate', 'fraudulent', 'requested_by_customer']);

const members = {
  amount: amount.optional().describe('Minor currency units. (Default: all that is left)'),
  reason: reason.optional(),
  metadata: metadata.default({}),
};

/** The path names the charge. */
export const newChargeRefund = z
  .strictObject(members)
  .transform(({ amount = null, reason = null, metadata }) => ({ amount, reason, metadata }));

export const newRefund = z
  .strictObject({ ...members, charge: chargeId })
  .transform(({ charge, amount = null, reason = null, metadata }): NewRefund => {
    return { chargeId: charge, amount, reason, metadata };
  });

export const refundStatus = z.enum(['pending', 'processed', 'settled', 'failed', 'reversed']);

export const refundQuery = z.strictObject({
  ...pageParameters,
  ...createdParameters,
  charge: z.string().max(100).optional().describe('Only refunds of this charge.'),
  status: refundStatus.optional().describe('Only refunds with this status.'),
});

export const refundResource = z
  .strictObject({
    id: refundId,
    object: z.literal('refund'),
    charge: chargeId,
    amount,
    currency,
    status: refundStatus,
    reason: reason.nullable(),
    metadata,
    reversible_until: timestamp.nullable(),
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    created: timestamp,
    updated: timestamp,
  })
  .meta({ id: 'Refund' });
