import { z } from 'zod';
import { maxBatchRows } from '#domain/charge-batches.ts';
import { newCharge } from '../payments/charge-schemas.ts';

/** Charge batches over the wire. */

/** What is refused as a whole when it is wrong; each charge is looked at on its own. */
export const batchFrame = z.strictObject({ charges: z.array(z.unknown()).min(1).max(maxBatchRows) });

export const newChargeBatch = z.strictObject({
  charges: z
    .array(newCharge)
    .min(1)
    .max(maxBatchRows)
    .describe(
      'Each as the body of `POST /v1/charges`. One that is not valid fails alone, in its line of the result.',
    )
    .meta({ example: [{ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' }] }),
});
