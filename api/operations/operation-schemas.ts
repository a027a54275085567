import { z } from 'zod';
import {
  nameInSchemas,
  operationKinds,
  operationTypes,
  type OperationType,
} from '#domain/operations/operation-kinds.ts';
import { listParameters } from '../http/list-schemas.ts';
import { exportRequest } from './export-schemas.ts';
import { problemSchema } from '../http/problem-schema.ts';
import { operationId, timestamp } from '../http/schemas.ts';

/** Operations over the wire (`docs/long-running-operations.md`). */

export const operationType = z
  .enum(operationTypes)
  .meta({ id: 'OperationType', description: 'What the operation does.' });

export const operationStatus = z
  .enum(['queued', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled'])
  .meta({
    id: 'OperationStatus',
    description:
      '`cancelling`: a cancel was requested, and the work has not stopped yet. `succeeded`, `failed` and `cancelled` are final.',
    examples: ['running'],
  });

/** The query of the list of one type. */
export const collectionQuery = z.strictObject({
  ...listParameters,
  status: operationStatus.optional().describe('Only operations in this state.'),
});

/** The query of the list of all operations. */
export const operationQuery = z.strictObject({
  ...collectionQuery.shape,
  type: operationType.optional().describe('Only operations of this type.'),
});

const progress = z
  .strictObject({
    completed: z.int().min(0).describe('Steps that are done; never fewer than before.'),
    total: z.int().min(0).describe('Steps that there are.'),
  })
  .meta({ id: 'OperationProgress' });

const createResultSchema = (type: OperationType) =>
  z
    .strictObject({
      href: z
        .url()
        .describe(
          'A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.',
        )
        .meta({
          example:
            'https://payments.example/v1/exports/op_01JF3ZC5T7P3X9R2V8K4M6N1WD/result?expires=1793492400&signature=k3bP',
        }),
      content_type: z.enum(operationKinds[type].resultTypes).describe('The media type of the file.'),
      size: z.int().min(0).describe('The size of the file, in bytes.'),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('The hash of the file, in hex.')
        .meta({ example: '0'.repeat(64) }),
      expires_at: timestamp.describe('The result is kept until then.'),
    })
    .meta({ id: `${nameInSchemas(type)}Result` });

/** What a member must be. Written as objects: generators of clients know no schema that is `true` or `false`. */
const present = {};
const absent = { not: {} };

/** The members that an operation has or lacks, beside its others. */
const outcome = (error: object, response: object, required: string[]) => ({
  properties: { error, response },
  ...(required.length > 0 && { required }),
  unevaluatedProperties: true,
});

/** A finished operation has either an error or a response; one that is not finished has neither. */
const outcomeRule = {
  if: { properties: { done: { const: true } }, unevaluatedProperties: true },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits it
  then: { oneOf: [outcome(present, absent, ['error']), outcome(absent, present, ['response'])] },
  else: outcome(absent, absent, []),
};

/** What only operations of a type have. */
const ownMembers: { [Type in OperationType]?: z.ZodRawShape } = {
  // Events from before it lack it.
  export: { request: exportRequest.exactOptional() },
};

const createOperationSchema = (type: OperationType) =>
  z
    .strictObject({
      name: z
        .string()
        .describe('`operations/` and the id.')
        .meta({ example: 'operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD' }),
      object: z.literal('operation'),
      id: operationId,
      type: z.literal(type),
      status: operationStatus,
      done: z.boolean().describe('If true, exactly one of `error` and `response` is present.'),
      progress: progress
        .nullable()
        .describe('`null` until the total is known. `completed` never decreases.')
        .meta({ example: { completed: 250, total: 1000 } }),
      ...ownMembers[type],
      error: problemSchema.exactOptional().describe('Why the operation ended without completing.'),
      response: createResultSchema(type).exactOptional().describe('The file that the operation made.'),
      created: timestamp.describe('When the operation was accepted.'),
      updated: timestamp.describe('When it last changed.'),
      expires_at: timestamp
        .nullable()
        .describe('A finished operation can be read until then.')
        .meta({ example: null }),
    })
    .meta({
      id: `${nameInSchemas(type)}Operation`,
      ...(operationKinds[type].about && { description: operationKinds[type].about }),
      ...outcomeRule,
    });

type OperationSchema = ReturnType<typeof createOperationSchema>;

/** An operation of each type. */
export const operationResources = Object.fromEntries(
  operationTypes.map((type) => [type, createOperationSchema(type)]),
) as Readonly<Record<OperationType, OperationSchema>>;

/** An operation of any type. */
export const operationResource = z
  .discriminatedUnion('type', Object.values(operationResources) as [OperationSchema, ...OperationSchema[]])
  .meta({ id: 'Operation', description: 'Work that lasts longer than its request' });
