import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { maxAmount } from '#domain/money.ts';
import { listParameters, metadataParameter, type createdParameters } from '../http/list-schemas.ts';
import { customerId, operationId } from '../http/schemas.ts';
import { chargeStatus, currency, reference } from './charge-schemas.ts';
import { processorReference } from './receipt-schemas.ts';

/** How a list of charges is narrowed. */

/** Charges are found by their time. An amount is looked for among those of this time, and no longer. */
const scannedMs = 31 * 86_400_000;

const amountParameter = z
  .string()
  .regex(/^[1-9]\d{0,10}$/, 'must be a whole number of minor units')
  .transform(Number)
  .optional()
  .describe(
    'Only charges of this amount, in minor currency units. It needs `created[gte]` or `created[gt]`, and a time of at most 31 days.',
  )
  // The value in a query is text. The documents describe it as a number.
  .meta({
    type: 'integer',
    format: 'int64',
    pattern: undefined,
    minimum: 1,
    maximum: maxAmount,
    example: 1999,
  });

export const chargeQuery = z
  .strictObject({
    ...listParameters,
    ...metadataParameter,
    customer: customerId.optional().describe('Only charges of this customer.'),
    status: chargeStatus.optional().describe('Only charges with this status.'),
    reference: reference
      .optional()
      .describe('Only charges with exactly this reference.')
      .meta({ example: '6735' }),
    processor_reference: processorReference
      .describe('Only the charge that the processor knows under this reference.')
      .meta({ example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' }),
    card_last4: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .optional()
      .describe('Only charges of a card with these last digits. It needs a time, as `amount` does.')
      .meta({ example: '4242' }),
    charge_batch: operationId.optional().describe('Only charges of this charge batch.'),
    amount: amountParameter,
    currency: currency
      .optional()
      .describe('Only charges in this currency. It needs a time, as `amount` does.'),
  })
  .superRefine(({ amount, currency, card_last4, ...query }, issues) => {
    const scanned = Object.entries({ amount, currency, card_last4 });
    const scanning = scanned.find(([, value]) => value !== undefined)?.[0];
    if (scanning === undefined || isShort(query, currentTimeMs())) return;
    issues.addIssue({
      code: 'custom',
      path: [scanning],
      message: 'needs `created[gte]` or `created[gt]`, and a time of at most 31 days',
    });
  });

/** Whether the filter by time leaves at most {@link scannedMs}; without an end it ends at `now`. */
function isShort(query: z.output<z.ZodObject<typeof createdParameters>>, now: number): boolean {
  const starts = [query['created[gte]'], query['created[gt]']].filter((ms) => ms !== undefined);
  const ends = [query['created[lt]'], query['created[lte]'], now].filter((ms) => ms !== undefined);
  return starts.length > 0 && Math.min(...ends) - Math.max(...starts) <= scannedMs;
}
