import pg from 'pg';
import type { ChargeStatus } from '#domain/charges.ts';
import type { ExportFilter, ExportRequest } from '#domain/operations/exports.ts';
import type { OperationType } from '#domain/operations/operation-kinds.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { statusesReadAs } from '#domain/versions/versions.ts';
import { exportTables, reportTables } from './export-tables.ts';
import { copyOut, type Bytes } from '../copy-out.ts';
import { buildLine } from './export-lines.ts';
import type { ExportTable } from '../export-columns.ts';
import { prepared, type Database } from '../knex.ts';
import { ForeignRowError, nextXid } from '../xid-origin.ts';

/**
 * Reads the rows of an export in chunks by position. Each chunk is a statement of its own, so no transaction stays open. The
 * operation's snapshot makes all chunks consistent.
 */

/** The rows of a file: rows of the account that the operation's snapshot sees and that fit the filter. */
export interface ExportScope {
  type: OperationType;
  operationId: string;
  accountId: string;
  request: ExportRequest;
  apiVersion: ApiVersion;
}

/** Returns the table of a file's rows. */
export function findTable({ type, request }: Pick<ExportScope, 'type' | 'request'>): ExportTable {
  return reportTables[type] ?? exportTables[request.resource];
}

/** A part of the rows, divided into chunks. */
export interface Stretch {
  rows: number;
  /** The position of the last row of each chunk. */
  marks: string[];
}

/**
 * Counts at most `limit` rows after `after` (`null`: from the first on), and marks each `grain`-th.
 *
 * @throws {ForeignRowError} if a row came from another cluster: the snapshot cannot say whether it existed.
 */
export async function layOut(
  db: Database,
  scope: ExportScope,
  { after, limit, grain }: { after: string | null; limit: number; grain: number },
): Promise<Stretch> {
  const { position, groupBy } = findTable(scope);
  const { from, values } = buildRows(scope, after, [limit, grain], { orForeign: true });
  const isForeign = `created_xid >= ${nextXid}`;
  const [row] = await prepared<{
    rows: number;
    last: string | null;
    marks: string[] | null;
    foreign: boolean;
  }>(
    db,
    `lay-out-${nameFilters(scope)}`,
    `select count(*) as rows, max(p)::text as last, array_agg(p::text order by n) filter (where n % $5 = 0) as marks,
       coalesce(bool_or(is_foreign), false) as foreign
     from (
       select ${groupBy ? `bool_or(${isForeign})` : isForeign} as is_foreign, ${position.sql} as p,
         row_number() over (order by ${position.sql}) as n
       ${from} ${grouped(groupBy)} order by ${position.sql} limit $4) as stretch`,
    values,
  );
  if (row?.foreign) throw new ForeignRowError(`Rows of ${scope.accountId} were made in another cluster`);
  if (!row || row.last === null) return { rows: 0, marks: [] };
  const marks = row.marks ?? [];
  return { rows: row.rows, marks: row.rows % grain === 0 ? marks : [...marks, row.last] };
}

/**
 * Adds the lines of the rows after `after` (`null`: from the first on), up to and including `last`. Returns their number.
 */
export async function copyLines(
  db: Database,
  scope: ExportScope,
  { after, last }: { after: string | null; last: string },
  into: Bytes,
): Promise<number> {
  const { request, apiVersion } = scope;
  const table = findTable(scope);
  const { position, groupBy } = table;
  const { from, values } = buildRows(scope, after, [last]);
  const { select, options, lineEnd, isBinary } = buildLine(table, request.format, apiVersion);
  const range = `${position.sql} <= $4::${position.type}`;
  const rows = `select ${select} ${from} and ${range} ${grouped(groupBy)} order by ${position.sql}`;
  const text = `copy (${withLiterals(rows, values)}) to stdout (${options})`;
  return copyOut(db, text, { into, lineEnd: Buffer.from(lineEnd), isBinary });
}

function grouped(by: string | undefined): string {
  return by === undefined ? '' : `group by ${by}`;
}

/** Replaces the placeholders by quoted values, since COPY takes no parameters. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_match, n: string) => pg.escapeLiteral(String(values[Number(n) - 1])));
}

/** The conditions of filters, in a fixed order, since they decide the statement's name. */
const conditions: readonly [keyof ExportFilter, (...placeholders: string[]) => string][] = [
  ['customer', (p) => `customer_id = ${p}`],
  ['reference', (p) => `reference = ${p}`],
  ['amount', (p) => `amount = ${p}`],
  ['currency', (p) => `currency = ${p}`],
  ['charge', (p) => `charge_id = ${p}`],
  ['status', (...p) => (p.length === 1 ? `status = ${p[0]}` : `status in (${p.join(', ')})`)],
  ['type', (p) => `type = ${p}`],
  ['actor', (p) => `actor_id = ${p}`],
  ['from', (p) => `id >= ${p}`],
  ['before', (p) => `id < ${p}`],
];

/** Returns the values that a filter selects; none: it is not given. */
function selectedBy(
  { request: { resource, filter }, apiVersion }: ExportScope,
  name: keyof ExportFilter,
): string[] {
  const value = filter[name];
  if (value === undefined) return [];
  if (name !== 'status' || resource !== 'charges') return [String(value)];
  return statusesReadAs(apiVersion, value as ChargeStatus);
}

/** Builds the rows after `after`. The values of `besides` are `$4` and following. */
function buildRows(
  scope: ExportScope,
  after: string | null,
  besides: unknown[],
  { orForeign = false } = {},
): { from: string; values: unknown[] } {
  const { table, position } = findTable(scope);
  const values = [scope.accountId, scope.operationId, after ?? position.first, ...besides];
  const filters = conditions.flatMap(([name, condition]) => {
    const selected = selectedBy(scope, name);
    if (selected.length === 0) return [];
    const placeholders = selected.map((value) => `$${values.push(value)}`);
    return ` and ${condition(...placeholders)}`;
  });
  return {
    from: `from ${table} where account_id = $1
      -- most rows are older than each open transaction: the cheap test first
      and (created_xid < (select pg_snapshot_xmin(operation_snapshot($2)))
        or pg_visible_in_snapshot(created_xid, (select operation_snapshot($2)))${orForeign ? ` or created_xid >= ${nextXid}` : ''})
      and ${position.sql} > $3::${position.type}${filters.join('')}`,
    values,
  };
}

/** Returns the given filters, as a part of the statement's name. */
function nameFilters(scope: ExportScope): string {
  const given = conditions.flatMap(([name]) => selectedBy(scope, name).map(() => name));
  return [scope.type === 'export' ? scope.request.resource : scope.type, ...given].join('-');
}
