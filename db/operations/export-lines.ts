import type { ExportFormat } from '#domain/operations/exports.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { timeText, type Column, type ExportTable } from '../export-columns.ts';

/**
 * Builds a line of an export in SQL from its columns.
 */

/** The expressions of a line, and the options of `COPY`. */
export interface LineSql {
  select: string;
  options: string;
  lineEnd: string;
  /** Whether the line is one text, with its end, and sent as binary: Postgres looks for nothing to quote. */
  isBinary: boolean;
}

/** Builds the line of a table. */
export function buildLine(
  { object, columns }: ExportTable,
  format: ExportFormat,
  version: ApiVersion,
): LineSql {
  if (format === 'csv')
    return { select: csvCells(columns(version)), options: 'format csv', lineEnd: '\r\n', isBinary: false };
  return {
    select: join(jsonLine(object, columns(version))),
    options: 'format binary',
    lineEnd: '',
    isBinary: true,
  };
}

/** Returns the first line of the file. NDJSON has none. */
export function buildHeader({ columns }: ExportTable, format: ExportFormat, version: ApiVersion): string {
  if (format === 'ndjson') return '';
  const names = toCells(columns(version)).map(({ name }) => name);
  return `${names.join(',')}\r\n`;
}

/** A part of a line: constant text or a value. */
type Piece = { literal: string } | { sql: string };

function jsonLine(object: string | null, columns: readonly Column[]): Piece[] {
  const members = columns.flatMap((column, index) =>
    jsonMember(`${index === 0 ? '{' : ','}"${column.name}":`, column),
  );
  return [...members, { literal: object === null ? '}\n' : `,"object":"${object}"}\n` }];
}

function jsonMember(name: string, { kind, sql, isNullable }: Column): Piece[] {
  const ifNull = { of: sql, text: `${name}null` };
  switch (kind) {
    case 'integer':
      return [{ literal: name }, { sql }];
    case 'boolean':
      return [{ literal: name }, { sql: `case when ${sql} then 'true' else 'false' end` }];
    case 'plain':
      return around(`${name}"`, sql, '"', isNullable && ifNull);
    case 'time':
      return around(`${name}"`, timeText(sql), 'Z"', isNullable && ifNull);
    case 'text':
      return around(name, `to_json(${sql})::text`, '', ifNull);
    case 'json':
      // Line ends can only be between the tokens, where they mean nothing.
      return [
        { literal: name },
        { sql: `coalesce(replace(replace(${sql}, e'\\n', ' '), e'\\r', ' '), 'null')` },
      ];
  }
}

/** Puts constant text around a value. `ifNull` says what a line has instead if an expression is null, which is looked at first. */
function around(
  before: string,
  sql: string,
  after: string,
  ifNull: { of: string; text: string } | false | undefined,
): Piece[] {
  if (!ifNull) return [{ literal: before }, { sql }, { literal: after }];
  const present = [before && literal(before), sql, after && literal(after)].filter(Boolean).join(' || ');
  return [{ sql: `case when ${ifNull.of} is null then ${literal(ifNull.text)} else ${present} end` }];
}

/** Returns the cells of a CSV line. Postgres adds quotes where RFC 4180 asks for them. */
function csvCells(columns: readonly Column[]): string {
  return toCells(columns).map(csvValue).join(', ');
}

function csvValue({ kind, sql }: Column): string {
  switch (kind) {
    case 'boolean':
      return `case when ${sql} then 'true' else 'false' end`;
    case 'time':
      return `(${timeText(sql)} || 'Z')`;
    case 'text':
      return unlessFormula(sql);
    case 'json':
      // A semicolon is only in strings, where the escape means the same.
      return `replace(${sql}, ';', '\\u003b')`;
    default:
      return sql;
  }
}

/** A spreadsheet reads a cell that begins with one of these as a formula (OWASP, CSV Injection): = + - @, tab, LF, CR; full width too. */
const formulaSigns = [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0a, 0x0d, 0xff1d, 0xff0b, 0xff0d, 0xff20].join(', ');

/**
 * Another locale, or a paste, begins a cell after a semicolon, a tab or a line end, with quotes and blanks. Quotes around
 * the whole cell do not help there.
 */
const cellInside = `'([;\\t\\r\\n][\\s"]*)([=+@\uff1d\uff0b\uff0d\uff20-])'`;

/** Puts an apostrophe before text that a spreadsheet would read as a formula. */
function unlessFormula(sql: string): string {
  const inside = `case when ${sql} ~ '[;\\t\\r\\n]' then regexp_replace(${sql}, ${cellInside}, '\\1''\\2', 'g') else ${sql} end`;
  return `case when ascii(${sql}) in (${formulaSigns}) then '''' else '' end || ${inside}`;
}

function toCells(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => column.cells ?? [column]);
}

/**
 * Joins the pieces by `||`, as a balanced tree: each byte is copied a few times. `concat` takes longer, since it makes text of
 * each argument anew.
 */
function join(pieces: readonly Piece[]): string {
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
    parts.push(`(${piece.sql})::text`);
  }
  endText();
  return toTree(parts);
}

function toTree(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0] ?? '';
  const middle = parts.length >> 1;
  return `(${toTree(parts.slice(0, middle))} || ${toTree(parts.slice(middle))})`;
}

function literal(text: string): string {
  return `e'${text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;
}
