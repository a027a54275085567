import { z } from 'zod';
import { isId } from '#domain/ids.ts';
import { amount, chargeId, currency, metadata, timestamp } from './charge-schemas.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';

/**
 * Refunds over the wire: what requests may hold, and what answers do (decisions, Resources).
 */

export const refundId = z
  .string()
  .refine((id) => isId('refund', id), 'is not a refund id')
  .meta({ id: 'RefundId', example: 're_01JF3Z9B6W8X1M4H7S2Q5D0E9G' });

const reason = z.enum(['duplicate', 'fraudulent', 'requested_by_customer']);

/** Of a charge that the path names. */
export const newChargeRefund = z.strictObject({
  amount: amount.optional().describe('Minor currency units. (Default: all that is left)'),
  reason: reason.optional(),
  metadata: metadata.default({}),
});

export const newRefund = newChargeRefund.extend({ charge: chargeId });

export const refundStatus = z.enum(['pending', 'processed', 'settled', 'failed', 'reversed']);

export const refundQuery = z.strictObject({
  ...pageParameters,
  ...createdParameters,
  charge: z.string().max(100).optional().describe('Only refunds of this charge.'),
  status: refundStatus.optional().describe('Only refunds that read so.'),
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
