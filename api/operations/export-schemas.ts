import { z } from 'zod';
import { eventTypes } from '#domain/events.ts';
import type { IdKind } from '#domain/ids.ts';
import { chargeStatus } from '../payments/charge-schemas.ts';
import { createdMembers, toIdRange } from '../http/list-schemas.ts';
import { refundStatus } from '../payments/refund-schemas.ts';

/** Exports over the wire: the body of a submission. The filters are those of the resource's list, as members. */

const format = z
  .enum(['csv', 'ndjson'])
  .describe('`csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.');

const created = z.strictObject(createdMembers).optional().describe('RFC 3339, with the bounds of a list.');

/** Times become ranges of ids. */
const toFilter =
  <Filter extends object>(kind: IdKind) =>
  ({ created = {}, ...filter }: Filter & { created?: Parameters<typeof toIdRange>[1] | undefined }) => ({
    ...filter,
    ...toIdRange(kind, created),
  });

const ofCharges = z.strictObject({
  resource: z.literal('charges'),
  format,
  filter: z
    .strictObject({
      customer: z.string().max(100).optional().describe('Only charges of this customer.'),
      status: chargeStatus.optional().describe('Only charges with this status when their line is written.'),
      created,
    })
    .default({})
    .transform(toFilter('charge')),
});

const ofRefunds = z.strictObject({
  resource: z.literal('refunds'),
  format,
  filter: z
    .strictObject({
      charge: z.string().max(100).optional().describe('Only refunds of this charge.'),
      status: refundStatus.optional().describe('Only refunds with this status when their line is written.'),
      created,
    })
    .default({})
    .transform(toFilter('refund')),
});

const ofEvents = z.strictObject({
  resource: z.literal('events'),
  format,
  filter: z
    .strictObject({ type: z.enum(eventTypes).optional().describe('Only events of this type.'), created })
    .default({})
    .transform(toFilter('event')),
});

export const newExport = z
  .discriminatedUnion('resource', [ofCharges, ofRefunds, ofEvents])
  .meta({ id: 'NewExport', example: { resource: 'charges', format: 'csv' } });
