import type { ExportFormat, ExportResource } from '../domain/exports.ts';
import type { ApiVersion } from '../domain/versions/index.ts';
import { exportTables, type Column } from './export-columns.ts';

/**
 * A line of an export as one SQL expression, made of the table of columns.
 */

/** Ends with its line feed. */
export function lineOf(resource: ExportResource, format: ExportFormat, version: ApiVersion): string {
  const { object, columns } = exportTables[resource];
  return format === 'csv' ? csvLine(columns(version)) : jsonLine(object, columns(version));
}

/** The first line of the file; none in NDJSON. */
export function headerOf(resource: ExportResource, format: ExportFormat, version: ApiVersion): string {
  if (format === 'ndjson') return '';
  const names = cellsOf(exportTables[resource].columns(version)).map(({ name }) => name);
  return `${names.join(',')}\r\n`;
}

function jsonLine(object: string | null, columns: readonly Column[]): string {
  const members = columns.map(({ name, ...column }, index) => [
    literal(`${index === 0 ? '{' : ','}"${name}":`),
    jsonValue(column),
  ]);
  const rest = object === null ? '' : `,"object":"${object}"`;
  return `concat(${[...members.flat(), literal(`${rest}}\n`)].join(', ')})`;
}

function jsonValue({ kind, sql }: Omit<Column, 'name'>): string {
  switch (kind) {
    case 'integer':
      return sql;
    case 'boolean':
      return `case when ${sql} then 'true' else 'false' end`;
    case 'plain':
      return `coalesce('"' || (${sql}) || '"', 'null')`;
    case 'text':
      return `coalesce(to_json(${sql})::text, 'null')`;
    case 'time':
      return `coalesce('"' || ${timeText(sql)} || '"', 'null')`;
    case 'json':
      // Line feeds in it can only stand between its tokens.
      return `coalesce(translate(${sql}, e'\\n\\r', '  '), 'null')`;
  }
}

/** RFC 4180. */
function csvLine(columns: readonly Column[]): string {
  const cells = cellsOf(columns).flatMap((column, index) =>
    index === 0 ? [csvValue(column)] : [`','`, csvValue(column)],
  );
  return `concat(${[...cells, `e'\\r\\n'`].join(', ')})`;
}

function csvValue({ kind, sql }: Column): string {
  switch (kind) {
    case 'boolean':
      return `case when ${sql} then 'true' else 'false' end`;
    case 'time':
      return timeText(sql);
    case 'text':
      return csvText(sql);
    case 'json':
      return `'"' || replace(${sql}, '"', '""') || '"'`;
    default:
      return sql;
  }
}

/**
 * Quoted where RFC 4180 asks for it; and what a spreadsheet would take for a formula gets an apostrophe before it
 * (OWASP, CSV Injection).
 */
function csvText(sql: string): string {
  const quoted = `'"' || case when (${sql}) ~ '^[=+@\\t\\r-]' then '''' else '' end || replace(${sql}, '"', '""') || '"'`;
  return `case when (${sql}) ~ '[",\\r\\n]|^[=+@\\t-]|^$' then ${quoted} else ${sql} end`;
}

function cellsOf(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => column.cells ?? [column]);
}

/** As `Date.prototype.toISOString` writes it: milliseconds, cut off and not rounded. */
function timeText(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function literal(text: string): string {
  return `e'${text.replaceAll('\n', '\\n')}'`;
}
