import { z } from 'zod';
import type { NewRefund } from '#domain/refunds.ts';
import { amount, currency } from './charge-schemas.ts';
import { processorReference, refundReceiptMembers } from './receipt-schemas.ts';
import { listParameters, metadataParameter } from '../http/list-schemas.ts';
import { chargeId, metadata, refundId, timestamp } from '../http/schemas.ts';

/** Refunds over the wire: the bodies and parameters of requests, and the resource. */

const reason = z
  .enum(['duplicate', 'fraudulent', 'requested_by_customer'])
  .meta({ id: 'RefundReason', description: 'Why the money goes back, in your records.' });

const members = {
  amount: amount.optional().describe('Minor currency units. (Default: all that is left)'),
  reason: reason.optional().describe('Why the money goes back, for your own records.'),
  metadata: metadata.default({}),
};

/** The path names the charge. */
export const newChargeRefund = z
  .strictObject(members)
  .transform(({ amount = null, reason = null, metadata }) => ({ amount, reason, metadata }))
  .meta({ id: 'NewChargeRefund', example: { amount: 500, reason: 'requested_by_customer' } });

export const newRefund = z
  .strictObject({ ...members, charge: chargeId })
  .transform(({ charge, amount = null, reason = null, metadata }): NewRefund => {
    return { chargeId: charge, amount, reason, metadata };
  })
  .meta({
    id: 'NewRefund',
    example: { charge: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', amount: 500, reason: 'requested_by_customer' },
  });

export const refundStatus = z.enum(['pending', 'processed', 'settled', 'failed', 'reversed']).meta({
  id: 'RefundStatus',
  description:
    '`pending`: the processor has not accepted it yet. `processed`: accepted, and reversible until `reversible_until`; it may still fail. `failed` and `reversed` are final, and so is `settled`, unless the money comes back: then the refund reads `failed`.',
  example: 'processed',
});

export const refundQuery = z.strictObject({
  ...listParameters,
  ...metadataParameter,
  charge: chargeId.optional().describe('Only refunds of this charge.'),
  status: refundStatus.optional().describe('Only refunds with this status.'),
  processor_reference: processorReference
    .describe('Only the refund that the processor knows under this reference.')
    .meta({ example: 're_3MtwBwLkdIwHu7ix0XJVUZbC' }),
});

const failure = z
  .strictObject({
    code: z
      .string()
      .describe(
        'As the processor names it; `refund_reversed`: it took the refund back; `returned`: the money came back after the refund was settled.',
      )
      .meta({ example: 'refund_failed' }),
    message: z.string().describe('For people; do not branch on it.'),
  })
  .meta({ id: 'RefundFailure', description: 'Why a refund failed' });

export const refundResource = z
  .strictObject({
    id: refundId,
    object: z.literal('refund'),
    charge: chargeId,
    amount: amount.describe('The money that goes back, in minor currency units.'),
    currency,
    status: refundStatus,
    source: z
      .enum(['api', 'processor'])
      .meta({ id: 'RefundSource' })
      .describe(
        'Who made it: `api`, a caller of this API; `processor`, somebody in the dashboard of the processor.',
      ),
    reason: reason.nullable().describe('Why the money goes back, as given.').meta({ example: null }),
    metadata,
    reversible_until: timestamp.nullable().describe('Until when `:cancel` can reverse the refund.'),
    failure: failure
      .nullable()
      .describe('Why the refund failed; `null` if it did not.')
      .meta({ example: null }),
    ...refundReceiptMembers,
    created: timestamp.describe('When the refund was made.'),
    updated: timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'Refund', description: 'Money that goes back from one charge' });
