import { toCamelCase } from './prepared-statement.ts';

/** Columns as a statement lists them, and their values: `account_id` holds the member `accountId` of a record. */

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type Members<Columns extends string> = Columns extends `${infer First}, ${infer Rest}`
  ? Camel<First> | Members<Rest>
  : Camel<Columns>;

/** Returns the values of the columns. The driver writes objects as JSON. */
export function listValues<Columns extends string>(
  columns: Columns,
  record: Record<Members<Columns>, unknown>,
): unknown[] {
  return columns.split(', ').map((column) => (record as Record<string, unknown>)[toCamelCase(column)]);
}

/** Returns the parameters of the columns, from `$1` on. */
export const listParameters = (columns: string) =>
  columns
    .split(', ')
    .map((_column, n) => `$${n + 1}`)
    .join(', ');

/** Returns what an update sets the columns to: parameters from `$first` on. */
export const setColumns = (columns: string, first: number) =>
  columns
    .split(', ')
    .map((column, n) => `${column} = $${first + n}`)
    .join(', ');

/** Returns the name in SQL of a column in camelCase. */
export const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns changes by column, without those that are `undefined`. */
export function toRow(changes: object): Record<string, unknown> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [toColumn(name), value as unknown]));
}
