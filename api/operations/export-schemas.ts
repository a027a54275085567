import { z } from 'zod';
import { eventTypes } from '#domain/events.ts';
import { chargeStatus } from '../payments/charge-schemas.ts';
import { createdMembers } from '../http/list-schemas.ts';
import { refundStatus } from '../payments/refund-schemas.ts';

/**
 * Exports over the wire: what one is asked for with. The filters are those of the resource's list, as members of an
 * object.
 */

const format = z
  .enum(['csv', 'ndjson'])
  .describe('`csv`: RFC 4180, with a header. `ndjson`: a JSON object a line.');

const created = z.strictObject(createdMembers).optional().describe('RFC 3339, both ends as in a list.');

const ofCharges = z.strictObject({
  resource: z.literal('charges'),
  format,
  filter: z
    .strictObject({
      customer: z.string().max(100).optional().describe('Only charges of this customer.'),
      status: chargeStatus.optional().describe('Only charges that read so when their line is written.'),
      created,
    })
    .default({}),
});

const ofRefunds = z.strictObject({
  resource: z.literal('refunds'),
  format,
  filter: z
    .strictObject({
      charge: z.string().max(100).optional().describe('Only refunds of this charge.'),
      status: refundStatus.optional().describe('Only refunds that read so when their line is written.'),
      created,
    })
    .default({}),
});

const ofEvents = z.strictObject({
  resource: z.literal('events'),
  format,
  filter: z
    .strictObject({ type: z.enum(eventTypes).optional().describe('Only events of this type.'), created })
    .default({}),
});

export const newExport = z
  .discriminatedUnion('resource', [ofCharges, ofRefunds, ofEvents])
  .meta({ id: 'NewExport', example: { resource: 'charges', format: 'csv' } });
