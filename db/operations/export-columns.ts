import type { ExportResource } from '#domain/exports.ts';
import type { ApiVersion } from '#domain/version-change.ts';

/**
 * What a line of an export shows, in SQL: Postgres makes the lines, so that a million rows cost this process nothing.
 * Each resource is said once; CSV and NDJSON are both made of it. `test/api/operations/export-lines.test.ts` holds every line
 * equal to the GET of its resource, in each API version.
 */

export interface Column {
  /** As over the wire. */
  name: string;
  /**
   * - `plain`: text of ours, which has nothing in it that a format would have to escape.
   * - `text`: whatever a caller wrote.
   * - `json`: stored as JSON.
   */
  kind: 'plain' | 'text' | 'integer' | 'boolean' | 'time' | 'json';
  /** The value. */
  sql: string;
  /** Of what stands in quotes in JSON: whether it may be missing. */
  isNullable?: boolean;
  /** What stands for it in CSV, where one cell does not do. (Default: the same) */
  cells?: readonly Column[];
}

export interface ExportTable {
  table: string;
  /** What rows are written in the order of, and a chunk goes on behind: ascending, never changed. */
  position: { sql: string; type: 'text' | 'bigint'; first: string };
  /** The value of `object`, where the resource has one. */
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

/** `domain/ids.ts`, `idTime`: ten digits of base 32 that count milliseconds. */
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

/** An object, and in CSV a cell a member. */
function failure(...members: string[]): Column {
  const cells = members.map((member) => text(`failure_${member}`, `failure->>'${member}'`));
  return { ...json('failure'), cells };
}

/** As `domain/version-2026-11-01.ts` has it. */
const failureFlat = ['code', 'message'].map((member) => text(`failure_${member}`, `failure->>'${member}'`));

function spellPaid(status: string): string {
  return `case ${status} when 'succeeded' then 'paid' else ${status} end`;
}

/** The object of an event, which is stored in the current version. */
const objectReadPaid = `case when resource_id like 'ch\\_%' then (
  (object::jsonb - 'failure') || jsonb_build_object(
    'status', ${spellPaid(`object->>'status'`)},
    'failure_code', object->'failure'->'code', 'failure_message', object->'failure'->'message'))::text
  else object::text end`;
