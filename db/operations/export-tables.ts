import type { ExportResource } from '#domain/exports.ts';
import { failure, integer, json, orNull, plain, time, type ExportTable } from '../export-columns.ts';
import { chargeExport, olderChargeObject } from '../payments/charge-columns.ts';

/**
 * What can be exported. CSV and NDJSON are made from the same columns. `test/api/operations/export-lines.test.ts` holds each
 * line equal to the GET of its resource, in each API version.
 */

const refunds: ExportTable = {
  table: 'refunds',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'refund',
  columns: () => [
    plain('id'),
    plain('charge', 'charge_id'),
    integer('amount'),
    plain('currency'),
    plain('status'),
    orNull(plain('reason')),
    json('metadata'),
    orNull(time('reversible_until')),
    failure('code', 'message'),
    time('created', 'created_at'),
    time('updated', 'updated_at'),
  ],
};

/** In the order of commit. */
const events: ExportTable = {
  table: 'events',
  position: { sql: 'sequence', type: 'bigint', first: '0' },
  object: 'event',
  columns: (version) => [
    plain('id'),
    plain('type'),
    time('timestamp', timeInId('evt_'.length)),
    integer('sequence'),
    plain('api_version', `'${version}'`),
    plain('account', 'account_id'),
    json('data', `'{"object":' || ${version < '2026-11-01' ? olderObject : 'object::text'} || '}'`),
  ],
};

export const exportTables: Readonly<Record<ExportResource, ExportTable>> = {
  charges: chargeExport,
  refunds,
  events,
};

/** The object of an event in the version before. It is stored in the current one. */
const olderObject = `case when resource_id like 'ch\\_%' then ${olderChargeObject}
  when resource_id like 'op\\_%' then (object::jsonb - 'request')::text else object::text end`;

/** Returns the time in an id, like `idTime` of `domain/ids.ts`: ten digits of base 32 count milliseconds. */
function timeInId(prefixLength: number): string {
  const digits = Array.from({ length: 10 }, (_, index) => {
    const digit = `strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, ${prefixLength + 1 + index}, 1)) - 1`;
    return `((${digit})::bigint << ${45 - 5 * index})`;
  });
  return `(timestamptz 'epoch' + (${digits.join(' + ')}) * interval '1 millisecond')`;
}
