import { toColumn } from '../columns.ts';

/**
 * The rows that a statement is given, as a table of it: one row or many, under one text. One row has a parameter for each
 * column, which costs Postgres least. Many are one parameter, of JSON.
 */

/** The columns of the table in camelCase, with their types. */
export type InputColumns = Readonly<Record<string, string>>;

/** Values by column. (Default: null) */
export type InputRow = Readonly<Record<string, unknown>>;

/**
 * Returns the table, for a `from` clause.
 *
 * @param first the number of its first parameter.
 */
export function inputTable(columns: InputColumns, isMany: boolean, first: number): string {
  const typed = Object.entries(columns).map(([name, type]) => ({ name: toColumn(name), type }));
  if (isMany)
    return `json_to_recordset($${first}::json) as x(${typed.map(({ name, type }) => `${name} ${type}`).join(', ')})`;
  return `(select ${typed.map(({ name, type }, n) => `$${first + n}::${type} as ${name}`).join(', ')}) as x`;
}

/** Returns the parameters of the table. */
export function inputValues(columns: InputColumns, isMany: boolean, rows: readonly InputRow[]): unknown[] {
  const names = Object.keys(columns);
  if (!isMany) return names.map((name) => toParameter(rows[0]?.[name]));
  const members = names.map((name) => ({ name, column: toColumn(name) }));
  const toJson = (row: InputRow) =>
    Object.fromEntries(members.map(({ name, column }) => [column, toMember(row[name])]));
  return [JSON.stringify(rows.map(toJson))];
}

/** The driver would make an array of Postgres of a list. */
function toParameter(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null);
}

/** Bytes are hexadecimal, as Postgres reads them. A member that would be null is left out: it costs time to read. */
function toMember(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : (value ?? undefined);
}
