import { z } from 'zod';
import { maxBatchRows } from '#domain/charge-batches.ts';
import { newBatchedCharge } from '../payments/charge-schemas.ts';

/** Charge batches over the wire. */

/** The part of the body that is validated as a whole. Each charge is validated on its own. */
export const batchFrame = z.strictObject({ charges: z.array(z.unknown()).min(1).max(maxBatchRows) });

export const newChargeBatch = z
  .strictObject({
    charges: z
      .array(newBatchedCharge)
      .min(1)
      .max(maxBatchRows)
      .describe(
        'Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result.',
      )
      .meta({ example: [{ amount: 1999, currency: 'EUR', payment_method: 'tok_visa' }] }),
  })
  .meta({ id: 'NewChargeBatch' });
