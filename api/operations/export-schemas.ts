import { z } from 'zod';
import type { IdKind } from '#domain/ids.ts';
import { amount, chargeStatus, currency } from '../payments/charge-schemas.ts';
import { createdMembers, toIdRange } from '../http/list-schemas.ts';
import { actorId, chargeId, customerId, eventType, timestamp } from '../http/schemas.ts';
import { refundStatus } from '../payments/refund-schemas.ts';

/** Exports over the wire: the body of a submission, and how an operation shows it. Filters are those of the resource's list. */

const format = z.enum(['csv', 'ndjson']).meta({
  id: 'ExportFormat',
  description: '`csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.',
});

/** Of each resource alike. */
const bom = z
  .boolean()
  .optional()
  .describe(
    'For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)',
  )
  .meta({ example: false });

const needsCsv = {
  path: ['bom'],
  error: 'is for the format `csv` alone',
  params: { code: 'invalid_value' },
};

const isOfCsv = ({ format, bom }: { format: string; bom?: boolean | undefined }) => !bom || format === 'csv';

const created = z
  .strictObject(createdMembers)
  .meta({ id: 'CreatedRange', description: 'When the rows were made, in RFC 3339.' })
  .optional()
  .describe('Only rows made in this time.');

/** Times become ranges of ids. */
const toFilter =
  <Filter extends object>(kind: IdKind) =>
  ({ created = {}, ...filter }: Filter & { created?: Parameters<typeof toIdRange>[1] | undefined }) => ({
    ...filter,
    ...toIdRange(kind, created),
  });

const ofCharges = z
  .strictObject({
    resource: z.literal('charges').describe('The rows are charges.'),
    format,
    bom,
    filter: z
      .strictObject({
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
        created,
      })
      .meta({ id: 'ChargeFilter', description: 'The rows of an export; all members must hold.' })
      .default({})
      .transform(toFilter('charge')),
  })
  .refine(isOfCsv, needsCsv)
  .meta({ id: 'NewChargeExport', example: { resource: 'charges', format: 'csv' } });

const ofRefunds = z
  .strictObject({
    resource: z.literal('refunds').describe('The rows are refunds.'),
    format,
    bom,
    filter: z
      .strictObject({
        charge: chargeId.optional().describe('Only refunds of this charge.'),
        status: refundStatus.optional().describe('Only refunds with this status when their line is written.'),
        created,
      })
      .meta({ id: 'RefundFilter', description: 'The rows of an export; all members must hold.' })
      .default({})
      .transform(toFilter('refund')),
  })
  .refine(isOfCsv, needsCsv)
  .meta({ id: 'NewRefundExport', example: { resource: 'refunds', format: 'csv' } });

const ofEvents = z
  .strictObject({
    resource: z.literal('events').describe('The rows are events of the last 30 days.'),
    format,
    bom,
    filter: z
      .strictObject({ type: eventType.optional().describe('Only events of this type.'), created })
      .meta({ id: 'EventFilter', description: 'The rows of an export; all members must hold.' })
      .default({})
      .transform(toFilter('event')),
  })
  .refine(isOfCsv, needsCsv)
  .meta({ id: 'NewEventExport', example: { resource: 'events', format: 'ndjson' } });

const ofAuditEntries = z
  .strictObject({
    resource: z.literal('audit_entries').describe('The rows are entries of the audit, of the last year.'),
    format,
    bom,
    filter: z
      .strictObject({
        actor: actorId.optional().describe('Only entries of this member, operator or client.'),
        created,
      })
      .meta({ id: 'AuditEntryFilter', description: 'The rows of an export; all members must hold.' })
      .default({})
      .transform(toFilter('auditEntry')),
  })
  .refine(isOfCsv, needsCsv)
  .meta({ id: 'NewAuditEntryExport', example: { resource: 'audit_entries', format: 'csv' } });

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
