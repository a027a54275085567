import { z } from 'zod';
import { idPattern, isId } from '#domain/ids.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { problemSchema } from '../http/problem-schema.ts';
import { timestamp } from '../http/schemas.ts';

/**
 * Operations over the wire (contract, Operation; decisions, Operation).
 */

export const operationId = z
  .string()
  .refine((id) => isId('operation', id), 'is not an operation id')
  .meta({ id: 'OperationId', pattern: idPattern('operation'), example: 'op_01JF3ZC5T7P3X9R2V8K4M6N1WD' });

export const operationParams = z.object({ id: operationId });

export const operationType = z
  .enum(['export', 'charge_batch', 'webhook_replay'])
  .meta({ id: 'OperationType' });

export const operationStatus = z
  .enum(['queued', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled'])
  .meta({ id: 'OperationStatus', examples: ['running'] });

const listParameters = {
  ...pageParameters,
  ...createdParameters,
  status: operationStatus.optional().describe('Only operations in this state.'),
};

/** Of one collection. */
export const collectionQuery = z.strictObject(listParameters);

/** Of all operations. */
export const operationQuery = z.strictObject({
  ...listParameters,
  type: operationType.optional().describe('Only operations of this type.'),
});

export const resultResource = z
  .strictObject({
    href: z
      .url()
      .describe(
        'Signed, and good for 15 to 20 minutes; needs your token all the same. Poll for a fresh one.',
      ),
    content_type: z.string().meta({ example: 'text/csv; charset=utf-8' }),
    size: z.int().min(0).describe('Bytes.'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    expires_at: timestamp.describe('Until then the result is kept.'),
  })
  .meta({ id: 'OperationResult' });

export const operationResource = z
  .strictObject({
    name: z.string().meta({ example: 'operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD' }),
    id: operationId,
    type: operationType,
    status: operationStatus,
    done: z.boolean().describe('With exactly one of `error` and `response` once it is true.'),
    progress: z
      .strictObject({ completed: z.int().min(0), total: z.int().min(0) })
      .nullable()
      .describe('`null` until the total is known; `completed` never goes back.'),
    error: problemSchema.exactOptional(),
    response: resultResource.exactOptional(),
    created: timestamp,
    updated: timestamp,
    expires_at: timestamp.nullable().describe('Until then a finished operation can be read.'),
  })
  .meta({ id: 'Operation' });
