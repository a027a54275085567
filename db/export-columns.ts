import type { ApiVersion } from '#domain/versions/version-change.ts';

/** The columns of an export's lines, in SQL. Postgres makes the lines, so a million rows cost this process nothing. */

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
  /** Makes a line of many rows: what is grouped by, which holds the position. Its columns are sums. (Default: of one) */
  groupBy?: string;
  /** The order of rows, ascending, and where a chunk continues. It never changes. */
  position: { sql: string; type: 'text' | 'bigint'; first: string };
  /** The value of `object`; `null`: the resource has none. */
  object: string | null;
  columns: (version: ApiVersion) => readonly Column[];
}

export function plain(name: string, sql = name): Column {
  return { name, kind: 'plain', sql };
}

export function text(name: string, sql = name): Column {
  return { name, kind: 'text', sql };
}

export function integer(name: string, sql = name): Column {
  return { name, kind: 'integer', sql };
}

export function time(name: string, sql = name): Column {
  return { name, kind: 'time', sql };
}

export function json(name: string, sql = `${name}::text`): Column {
  return { name, kind: 'json', sql };
}

export function orNull(column: Column): Column {
  return { ...column, isNullable: true };
}

/** A failure: in CSV a cell for the code, and one for the message. */
export function failure(): Column {
  return {
    ...json('failure'),
    cells: [
      orNull(plain('failure_code', `(failure->>'code')`)),
      text('failure_message', `(failure->>'message')`),
    ],
  };
}

/**
 * Writes a time like `Date.prototype.toISOString`, without its `Z`: milliseconds are cut off, not rounded. `to_json` leaves out zeros at
 * the end, so a microsecond behind the milliseconds keeps them. `to_char` takes twice as long. Only for times since 2000.
 */
export function timeText(sql: string): string {
  const inUtc = `timestamp '2000-01-01' + (${sql} - timestamptz '2000-01-01 00:00:00.0005Z')`;
  return `substr(to_json((${inUtc})::timestamp(3) + interval '1 us')::text, 2, 23)`;
}
