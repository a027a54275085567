import type { ExportFilter, ExportRequest } from '../domain/exports.ts';
import type { ApiVersion } from '../domain/versions/index.ts';
import { exportTables } from './export-columns.ts';
import { lineOf } from './export-lines.ts';
import { prepared, type Database } from './knex.ts';

/**
 * The rows of an export: those that its operation's snapshot sees, in chunks by position. Each chunk is a statement of
 * its own, so that no transaction is held open; the snapshot makes them one picture.
 */

/** Which rows: those of the account that the operation's snapshot sees and the filter lets pass. */
export interface ExportScope {
  operationId: string;
  accountId: string;
  request: ExportRequest;
  apiVersion: ApiVersion;
}

/** How many rows, and the position of the last; `null` where there is none. */
export interface RowCount {
  rows: number;
  last: string | null;
}

/** Counts at most `limit` rows behind `after`. (Default: from the first on) */
export async function countRows(
  db: Database,
  scope: ExportScope,
  { after, limit }: { after: string | null; limit: number },
): Promise<RowCount> {
  const { position } = exportTables[scope.request.resource];
  const { from, values } = rowsOf(scope, after);
  const [row] = await prepared<RowCount>(
    db,
    `count-export-${shapeOf(scope)}`,
    `select count(*) as rows, max(p)::text as last from (
       select ${position.sql} as p ${from} order by ${position.sql} limit $4) as chunk`,
    [...values, limit, ...filterValues(scope.request.filter)],
  );
  return row ?? { rows: 0, last: null };
}

/** Lines of rows that follow each other, each with its line feed. */
export interface Lines {
  rows: number;
  /** Position of the last row; `null` where there was none. */
  last: string | null;
  text: string | null;
}

/** The lines of at most `limit` rows behind `after`, up to and with the position `last`. */
export async function readLines(
  db: Database,
  scope: ExportScope,
  { after, last, limit }: { after: string | null; last: string; limit: number },
): Promise<Lines> {
  const { request, apiVersion } = scope;
  const { position } = exportTables[request.resource];
  const { from, values } = rowsOf(scope, after);
  const filters = filterValues(request.filter);
  const [row] = await prepared<Lines>(
    db,
    `export-${request.format}-${apiVersion}-${shapeOf(scope)}`,
    `select count(*) as rows, max(p)::text as last, string_agg(line, '') as text from (
       select ${position.sql} as p, ${lineOf(request.resource, request.format, apiVersion)} as line
       ${from} and ${position.sql} <= $${filters.length + 5}::${position.type}
       order by ${position.sql} limit $4) as chunk`,
    [...values, limit, ...filters, last],
  );
  return row ?? { rows: 0, last: null, text: null };
}

/** The filters that are given, in an order of their own: statements differ by them. */
const conditions: readonly [keyof ExportFilter, (placeholder: string) => string][] = [
  ['customer', (p) => `customer_id = ${p}`],
  ['charge', (p) => `charge_id = ${p}`],
  ['status', (p) => `status = ${p}`],
  ['type', (p) => `type = ${p}`],
  ['from', (p) => `id >= ${p}`],
  ['before', (p) => `id < ${p}`],
];

/** The rows behind `after`; `$4` is left for the limit. */
function rowsOf(scope: ExportScope, after: string | null): { from: string; values: unknown[] } {
  const { table, position } = exportTables[scope.request.resource];
  const given = conditions.filter(([name]) => scope.request.filter[name] !== undefined);
  const filters = given.map(([, condition], index) => ` and ${condition(`$${index + 5}`)}`);
  return {
    from: `from ${table} where account_id = $1
      and pg_visible_in_snapshot(created_xid, (select snapshot from operations where id = $2))
      and ${position.sql} > $3::${position.type}${filters.join('')}`,
    values: [scope.accountId, scope.operationId, after ?? position.first],
  };
}

function filterValues(filter: ExportFilter): unknown[] {
  return conditions.flatMap(([name]) => filter[name] ?? []);
}

/** Tells the statements of different filters apart. */
function shapeOf({ request: { resource, filter } }: ExportScope): string {
  const given = conditions.filter(([name]) => filter[name] !== undefined).map(([name]) => name);
  return [resource, ...given].join('-');
}
