import type { ExportFormat, ExportResource } from '../domain/exports.ts';
import type { ApiVersion } from '../domain/versions/index.ts';
import { exportTables, type Column } from './export-columns.ts';

/**
 * A line of an export as one SQL expression, made of the table of columns.
 */

/** Ends with its line feed. */
export function lineOf(resource: ExportResource, format: ExportFormat, version: ApiVersion): string {
  const { object, columns } = exportTables[resource];
  return concat(format === 'csv' ? csvLine(columns(version)) : jsonLine(object, columns(version)));
}

/** The first line of the file; none in NDJSON. */
export function headerOf(resource: ExportResource, format: ExportFormat, version: ApiVersion): string {
  if (format === 'ndjson') return '';
  const names = cellsOf(exportTables[resource].columns(version)).map(({ name }) => name);
  return `${names.join(',')}\r\n`;
}

/** A line is text that is always the same, and values. */
type Piece = { literal: string } | { sql: string };

function jsonLine(object: string | null, columns: readonly Column[]): Piece[] {
  const members = columns.flatMap((column, index): Piece[] => [
    { literal: `${index === 0 ? '{' : ','}"${column.name}":` },
    ...jsonValue(column),
  ]);
  return [...members, { literal: object === null ? '}\n' : `,"object":"${object}"}\n` }];
}

function jsonValue({ kind, sql, isNullable }: Column): Piece[] {
  switch (kind) {
    case 'integer':
      return [{ sql }];
    case 'boolean':
      return [{ sql: `case when ${sql} then 'true' else 'false' end` }];
    case 'plain':
      return quoted(sql, isNullable);
    case 'time':
      return quoted(timeText(sql), isNullable);
    case 'text':
      return [{ sql: `coalesce(to_json(${sql})::text, 'null')` }];
    case 'json':
      // A line feed in it can only stand between its tokens.
      return [{ sql: `coalesce(replace(${sql}, e'\\n', ' '), 'null')` }];
  }
}

/** What is always there has its quotes in the text around it: that is most of the columns, and costs nothing. */
function quoted(sql: string, isNullable: boolean | undefined): Piece[] {
  if (!isNullable) return [{ literal: '"' }, { sql }, { literal: '"' }];
  return [{ sql: `coalesce('"' || (${sql}) || '"', 'null')` }];
}

/** RFC 4180. */
function csvLine(columns: readonly Column[]): Piece[] {
  const cells = cellsOf(columns).flatMap((column, index): Piece[] => [
    { literal: index === 0 ? '' : ',' },
    { sql: csvValue(column) },
  ]);
  return [...cells, { literal: '\r\n' }];
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
 * Always in quotes, which is cheaper than to ask whether it needs them; and what a spreadsheet would take for a
 * formula, by its first character = + - @ tab or CR, gets an apostrophe before it (OWASP, CSV Injection).
 */
function csvText(sql: string): string {
  const opening = `case when ascii(${sql}) in (61, 43, 45, 64, 9, 13) then '"''' else '"' end`;
  return `${opening} || replace(${sql}, '"', '""') || '"'`;
}

function cellsOf(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => column.cells ?? [column]);
}

/** As `Date.prototype.toISOString` writes it: milliseconds, cut off and not rounded. */
function timeText(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Literals that follow each other are one argument: each costs. */
function concat(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') parts.push(literal(text));
    text = '';
  };
  for (const piece of pieces) {
    if ('literal' in piece) {
      text += piece.literal;
      continue;
    }
    endText();
    parts.push(piece.sql);
  }
  endText();
  return `concat(${parts.join(', ')})`;
}

function literal(text: string): string {
  return `e'${text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;
}
