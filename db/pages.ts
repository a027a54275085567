import type { QueryResultRow } from 'pg';
import { prepared, type Database } from './knex.ts';

/** Ids in [from, before): a range of time, since an id carries its time. */
export interface IdRange {
  from?: string | undefined;
  before?: string | undefined;
}

/** At most `limit` rows, behind the position `after`: that of the last row of the page before. */
export interface Page<Position = string> {
  limit: number;
  after: Position | null;
}

/** The order of a list: newest first, or oldest first. */
export type Direction = 'desc' | 'asc';

/** A comparison without its value, and the value; without a value the list is not narrowed by it. */
export type Condition = readonly [
  comparison: string,
  value: string | number | Buffer | readonly string[] | null | undefined,
];

/** Returns the conditions under which `column` has one of the values; none without values. One value keeps an index's order. */
export function equalsAny(column: string, values: readonly string[] | undefined): Condition[] {
  const [one, ...others] = values ?? [];
  return [
    [`${column} =`, others.length === 0 ? one : undefined],
    [`${column} = any`, others.length === 0 ? undefined : values],
  ];
}

/**
 * Reads one page of a list. Each combination of conditions is a prepared statement of its own.
 * So Postgres plans it for its index.
 *
 * @param list.name unique to `select` and `direction`.
 * @param list.order the column that holds positions. (Default: `id`)
 * @param list.id the column of ids. (Default: `id`)
 * @param list.direction (Default: `desc`, newest first)
 * @param list.offset rows to pass over. (Default: none)
 */
export function readPage<Row extends QueryResultRow>(
  db: Database,
  list: { name: string; select: string; order?: string; id?: string; direction?: Direction; offset?: number },
  narrowedBy: readonly Condition[],
  { from, before }: IdRange,
  { limit, after }: Page<string | number>,
): Promise<Row[]> {
  const { order = 'id', id = 'id', direction = 'desc', offset = 0 } = list;
  const range: Condition[] = [
    [`${id} >=`, from],
    [`${id} <`, before],
    [`${order} ${direction === 'desc' ? '<' : '>'}`, after],
  ];
  const conditions = [...narrowedBy, ...range];
  const given = conditions.filter(([, value]) => value !== null && value !== undefined);
  const name = `${list.name}-${conditions.map((condition) => Number(given.includes(condition))).join('')}`;
  const where = given.map(([comparison], index) => `${comparison} ($${index + 1})`).join(' and ');
  const values = [...given.map(([, value]) => value), limit, offset];
  const bounds = `limit $${values.length - 1} offset $${values.length}`;
  const text = `${list.select} where ${where} order by ${order} ${direction} ${bounds}`;
  return prepared<Row>(db, name, text, values);
}
