import type { ExportResource } from '#domain/exports.ts';
import type { ApiVersion } from '#domain/version-change.ts';

/**
 * The columns of an export's lines, in SQL. Postgres makes the lines, so a million rows cost this process nothing. CSV and
 * NDJSON are made from the same columns. `test/api/operations/export-lines.test.ts` holds each line equal to the GET of its
 * resource, in each API version.
 */

export interface Column {
  /** The name in the API. */
  name: string;
  /**
   * - `plain`: text of the service, without characters that a format must escape.
   * - `text`: text of a caller.
   * - `json`: stored as JSON.
   */
  kind: 'plain' | 'text' | 'integer' | 'boolean' | 'time' | 'json';
  /** The value. */
  sql: string;
  /** Whether it may be null. Only for kinds that have quotes in JSON. */
  isNullable?: boolean;
  /** Its cells in CSV, if one cell is not enough. (Default: one cell) */
  cells?: readonly Column[];
}

export interface ExportTable {
  table: string;
  /** The order of rows, ascending, and where a chunk continues. It never changes. */
  position: { sql: string; type: 'text' | 'bigint'; first: string };
  /** The value of `object`; `null`: the resource has none. */
  object: string | null;
  columns: (version: ApiVersion) => readonly Column[];
}

const charges: ExportTable = {
  table: 'charges',
  position: { sql: 'id', type: 'text', first: '' },
  object: 'charge',
  columns: (version) => [
    plain('id'),
    integer('amount'),
    plain('currency'),
    version < '2026-11-01' ? plain('status', spellPaid('status')) : plain('status'),
    plain('capture_method'),
    integer('amount_captured'),
    integer('amount_refunded'),
    { name: 'refunded', kind: 'boolean', sql: 'amount_captured > 0 and amount_refunded = amount_captured' },
    orNull(plain('customer', 'customer_id')),
    plain('payment_method'),
    text('description'),
    text('statement_descriptor'),
    json('metadata'),
    ...(version < '2026-11-01' ? failureFlat : [failure('code', 'decline_code', 'message')]),
    time('created', 'created_at'),
    time('updated', 'updated_at'),
    orNull(time('captured_at')),
    orNull(time('cancel_requested_at')),
    orNull(time('cancelled_at')),
    orNull(time('expires_at')),
  ],
};

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
  object: null,
  columns: (version) => [
    plain('id'),
    plain('type'),
    time('timestamp', timeInId('evt_'.length)),
    integer('sequence'),
    plain('api_version', `'${version}'`),
    plain('account', 'account_id'),
    json('data', `'{"object":' || ${version < '2026-11-01' ? objectReadPaid : 'object::text'} || '}'`),
  ],
};

export const exportTables: Readonly<Record<ExportResource, ExportTable>> = { charges, refunds, events };

function plain(name: string, sql = name): Column {
  return { name, kind: 'plain', sql };
}

/** Returns the time in an id, like `idTime` of `domain/ids.ts`: ten digits of base 32 count milliseconds. */
function timeInId(prefixLength: number): string {
  const digits = Array.from({ length: 10 }, (_, index) => {
    const digit = `strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, ${prefixLength + 1 + index}, 1)) - 1`;
    return `((${digit})::bigint << ${45 - 5 * index})`;
  });
  return `(timestamptz 'epoch' + (${digits.join(' + ')}) * interval '1 millisecond')`;
}

function orNull(column: Column): Column {
  return { ...column, isNullable: true };
}

function text(name: string, sql = name): Column {
  return { name, kind: 'text', sql };
}

function integer(name: string): Column {
  return { name, kind: 'integer', sql: name };
}

function time(name: string, sql = name): Column {
  return { name, kind: 'time', sql };
}

function json(name: string, sql = `${name}::text`): Column {
  return { name, kind: 'json', sql };
}

/** Returns a column for an object, with a cell for each member in CSV. */
function failure(...members: string[]): Column {
  const cells = members.map((member) => text(`failure_${member}`, `failure->>'${member}'`));
  return { ...json('failure'), cells };
}

/** The failure in versions before `domain/version-2026-11-01.ts`. */
const failureFlat = ['code', 'message'].map((member) => text(`failure_${member}`, `failure->>'${member}'`));

function spellPaid(status: string): string {
  return `case ${status} when 'succeeded' then 'paid' else ${status} end`;
}

/** The object of an event in the older version. It is stored in the current one. */
const objectReadPaid = `case when resource_id like 'ch\\_%' then (
  (object::jsonb - 'failure') || jsonb_build_object(
    'status', ${spellPaid(`object->>'status'`)},
    'failure_code', object->'failure'->'code', 'failure_message', object->'failure'->'message'))::text
  else object::text end`;
