import type { ExportResource } from '#domain/operations/exports.ts';
import { operationKinds, operationTypes, type OperationType } from '#domain/operations/operation-kinds.ts';
import { failure, integer, json, orNull, plain, text, time, type ExportTable } from '../export-columns.ts';
import { chargeExport, olderChargeObject } from '../payments/charge-columns.ts';

/**
 * What can be exported. CSV and NDJSON are made from the same columns. `test/api/operations/export-lines.test.ts` holds each
 * line equal to the GET of its resource, in each API version.
 */

/** Like `presentRefund` of `domain/refunds.ts`. */
const refundReceipt = [
  {
    ...json('processor', `receipt->>'processor'`),
    cells: ['id', 'kind', 'reference'].map((member) =>
      text(`processor_${member}`, `receipt->'processor'->>'${member}'`),
    ),
  },
  text('bank_reference', `receipt->>'bank_reference'`),
];

const refunds: ExportTable = {
  table: 'refunds',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'refund',
  columns: (version) => [
    plain('id'),
    plain('charge', 'charge_id'),
    integer('amount'),
    plain('currency'),
    plain('status'),
    ...(version < '2026-11-01' ? [] : [plain('source')]),
    orNull(plain('reason')),
    json('metadata'),
    orNull(time('reversible_until')),
    failure(),
    ...(version < '2026-11-01' ? [] : refundReceipt),
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

/** Entries that are over are deleted while it goes on. An entry that has not ended may end meanwhile. */
const auditEntries: ExportTable = {
  table: 'audit_entries',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'audit_entry',
  columns: (version) => {
    // The version before knows no programs, and no operators without an id.
    const isKnown =
      version < '2026-11-01'
        ? `actor_id is not null and actor_kind <> 'client'`
        : 'actor_name is not null or actor_id is not null';
    const known = (sql: string) => `case when ${isKnown} then ${sql} end`;
    return [
      plain('id'),
      time('created', timeInId('aud_'.length)),
      {
        ...json(
          'actor',
          known(`json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)::text`),
        ),
        cells: [
          orNull(plain('actor_kind', known('actor_kind'))),
          orNull(plain('actor_id', known('actor_id'))),
          text('actor_name', known('actor_name')),
        ],
      },
      plain('action'),
      orNull(plain('resource', 'resource_id')),
      plain('trace_id'),
      json('status', 'status::text'),
      { name: 'replayed', kind: 'boolean', sql: 'is_replayed' },
      text('reason'),
      orNull(plain('address', 'host(address)')),
    ];
  },
};

/** The customers who have paid, with a line for each of their currencies. */
const customerReport: ExportTable = {
  table: 'charges',
  groupBy: 'customer_id, currency having sum(amount_captured) > 0',
  position: { sql: 'customer_id', type: 'text', first: '' },
  object: 'customer_total',
  columns: () => [
    plain('customer', 'customer_id'),
    plain('currency'),
    integer('charges', 'count(*) filter (where amount_captured > 0)'),
    integer('amount_captured', 'sum(amount_captured)'),
    integer('amount_refunded', 'sum(amount_refunded)'),
    integer('amount_returned', 'sum(amount_returned)'),
    orNull(time('last_captured', 'max(captured_at)')),
  ],
};

export const exportTables: Readonly<Record<ExportResource, ExportTable>> = {
  charges: chargeExport,
  refunds,
  events,
  audit_entries: auditEntries,
};

/** The rows of kinds that make a file as exports do, and are no export. */
export const reportTables: { readonly [Type in OperationType]?: ExportTable } = {
  customer_report: customerReport,
};

const olderTypes = operationTypes.map((type) => [type, operationKinds[type].olderType ?? type]);

/** The type of an operation in the version before. */
const olderType = `jsonb_build_object('type',
  '${JSON.stringify(Object.fromEntries(olderTypes))}'::jsonb ->> (object->>'type'))`;

/** The object of an event in the version before. It is stored in the current one. */
const olderObject = `case when resource_id like 'ch\\_%' then ${olderChargeObject}
  when resource_id like 're\\_%' then (object::jsonb - '{source,processor,bank_reference}'::text[])::text
  when resource_id like 'op\\_%' then (object::jsonb - 'request' || ${olderType})::text else object::text end`;

/** Returns the time in an id, like `idTime` of `domain/ids.ts`: ten digits of base 32 count milliseconds. */
function timeInId(prefixLength: number): string {
  const digits = Array.from({ length: 10 }, (_, index) => {
    const digit = `strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, ${prefixLength + 1 + index}, 1)) - 1`;
    return `((${digit})::bigint << ${45 - 5 * index})`;
  });
  return `(timestamptz 'epoch' + (${digits.join(' + ')}) * interval '1 millisecond')`;
}
