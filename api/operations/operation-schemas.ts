import { z } from 'zod';
import { idPattern, isId } from '#domain/ids.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { problemSchema } from '../http/problem-schema.ts';
import { timestamp } from '../http/schemas.ts';

/** Operations over the wire (contract, Operation; decisions, Operation). */

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

/** The query of the list of one type. */
export const collectionQuery = z.strictObject(listParameters);

/** The query of the list of all operations. */
export const operationQuery = z.strictObject({
  ...listParameters,
  type: operationType.optional().describe('Only operations of this type.'),
});

export const resultResource = z
  .strictObject({
    href: z
      .url()
      .describe(
        'A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.',
      ),
    content_type: z.string().meta({ example: 'text/csv; charset=utf-8' }),
    size: z.int().min(0).describe('Bytes.'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    expires_at: timestamp.describe('The result is kept until then.'),
  })
  .meta({ id: 'OperationResult' });

export const operationResource = z
  .strictObject({
    name: z.string().meta({ example: 'operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD' }),
    id: operationId,
    type: operationType,
    status: operationStatus,
    done: z.boolean().describe('If true, exactly one of `error` and `response` is present.'),
    progress: z
      .strictObject({ completed: z.int().min(0), total: z.int().min(0) })
      .nullable()
      .describe('`null` until the total is known. `completed` never decreases.'),
    error: problemSchema.exactOptional(),
    response: resultResource.exactOptional(),
    created: timestamp,
    updated: timestamp,
    expires_at: timestamp.nullable().describe('A finished operation can be read until then.'),
  })
  .meta({ id: 'Operation' });
