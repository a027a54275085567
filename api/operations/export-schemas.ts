import { z } from 'zod';
import type { IdKind } from '#domain/ids.ts';
import { amount, chargeStatus, currency } from '../payments/charge-schemas.ts';
import { createdMembers, toIdRange } from '../http/list-schemas.ts';
import { actorId, chargeId, customerId, eventType, timestamp } from '../http/schemas.ts';
import { refundStatus } from '../payments/refund-schemas.ts';

/** Exports over the wire: the body of a submission, and how an operation shows it. Filters are those of the resource's list. */

export const format = z.enum(['csv', 'ndjson']).meta({
  id: 'ExportFormat',
  description: '`csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.',
});

/** Of each resource alike. */
export const bom = z
  .boolean()
  .optional()
  .describe(
    'For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)',
  )
  .meta({ example: false });

export const needsCsv = {
  path: ['bom'],
  error: 'is for the format `csv` alone',
  params: { code: 'invalid_value' },
};

export const isOfCsv = ({ format, bom }: { format: string; bom?: boolean | undefined }) =>
  !bom || format === 'csv';

const created = z
  .strictObject(createdMembers)
  .meta({ id: 'CreatedRange', description: 'When the rows were made, in RFC 3339.' })
  .optional()
  .describe('Only rows made in this time.');

/** Returns the schema of a filter, whose times become ranges of ids. */
export const createFilterSchema = <Members extends z.ZodRawShape>(
  kind: IdKind,
  members: Members,
  { id, description }: { id: string; description: string },
) =>
  z
    .strictObject({ ...members, created })
    .meta({ id, description })
    .default({} as never)
    .transform((filter) => {
      const { created: times = {}, ...others } = filter as typeof filter & CreatedFilter;
      return { ...(others as Omit<typeof filter, 'created'>), ...toIdRange(kind, times) };
    });

interface CreatedFilter {
  created?: Parameters<typeof toIdRange>[1] | undefined;
}

/** Returns the schema of the exports of one resource. */
const createExportSchema = <Resource extends string, Filter extends z.ZodRawShape>(
  resource: Resource,
  kind: IdKind,
  { id, rows, form }: { id: string; rows: string; form: 'csv' | 'ndjson' },
  filter: Filter,
) =>
  z
    .strictObject({
      resource: z.literal(resource).describe(`The rows are ${rows}.`),
      format,
      bom,
      filter: createFilterSchema(kind, filter, {
        id: `${id}Filter`,
        description: 'The rows of an export; all members must hold.',
      }),
    })
    .refine(isOfCsv, needsCsv)
    .meta({ id: `New${id}Export`, example: { resource, format: form } });

const ofCharges = createExportSchema(
  'charges',
  'charge',
  { id: 'Charge', rows: 'charges', form: 'csv' },
  {
    customer: customerId.optional().describe('Only charges of this customer.'),
    status: chargeStatus.optional().describe('Only charges with this status when their line is written.'),
    reference: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only charges with exactly this reference.')
      .meta({ example: '6735' }),
    amount: amount.optional().describe('Only charges of this amount, in minor currency units.'),
    currency: currency.optional().describe('Only charges in this currency.'),
  },
);

const ofRefunds = createExportSchema(
  'refunds',
  'refund',
  { id: 'Refund', rows: 'refunds', form: 'csv' },
  {
    charge: chargeId.optional().describe('Only refunds of this charge.'),
    status: refundStatus.optional().describe('Only refunds with this status when their line is written.'),
  },
);

const ofEvents = createExportSchema(
  'events',
  'event',
  { id: 'Event', rows: 'events of the last 30 days', form: 'ndjson' },
  { type: eventType.optional().describe('Only events of this type.') },
);

const ofAuditEntries = createExportSchema(
  'audit_entries',
  'auditEntry',
  { id: 'AuditEntry', rows: 'entries of the audit, of the last year', form: 'csv' },
  { actor: actorId.optional().describe('Only entries of this member, operator or client.') },
);

export const newExport = z
  .discriminatedUnion('resource', [ofCharges, ofRefunds, ofEvents, ofAuditEntries])
  .meta({
    id: 'NewExport',
    description: 'What to export; `resource` says which filter there is.',
    example: { resource: 'charges', format: 'csv' },
  });

const exportedRange = z
  .strictObject({
    gte: timestamp.exactOptional().describe('Only items created at this time or after.'),
    lt: timestamp.exactOptional().describe('Only items created before this time.'),
  })
  .meta({
    id: 'ExportedRange',
    description: 'When the rows were made. `gt` and `lte` of the request are shown as `gte` and `lt`.',
  });

const exportedFilter = z
  .strictObject({
    customer: customerId.exactOptional().describe('Only charges of this customer.'),
    reference: z.string().exactOptional().describe('Only charges with exactly this reference.'),
    amount: amount.exactOptional().describe('Only charges of this amount, in minor currency units.'),
    currency: currency.exactOptional().describe('Only charges in this currency.'),
    charge: chargeId.exactOptional().describe('Only refunds of this charge.'),
    status: z.string().exactOptional().describe('Only charges or refunds with this status.'),
    type: eventType.exactOptional().describe('Only events of this type.'),
    actor: actorId.exactOptional().describe('Only entries of the audit of this member, operator or client.'),
    created: exportedRange.exactOptional(),
  })
  .meta({ id: 'ExportedFilter', description: 'The rows of an export; all members hold.' });

/** What an export was asked for, as its operation shows it. */
export const exportRequest = z
  .strictObject({
    resource: z
      .enum(['charges', 'refunds', 'events', 'audit_entries'])
      .meta({ id: 'ExportedResource', description: 'What the rows are.' }),
    format,
    bom: z.boolean().exactOptional().describe('Whether the file begins with a byte order mark.'),
    filter: exportedFilter,
  })
  .meta({
    id: 'ExportRequest',
    description:
      'What was asked for. As the body of `POST /v1/exports` it asks for the same again. An export of events begins with the oldest that were kept.',
    example: {
      resource: 'charges',
      format: 'csv',
      filter: { status: 'succeeded', created: { gte: '2026-03-01T00:00:00.000Z' } },
    },
  });
