import type { QueryResultRow } from 'pg';
import { prepared, type Database } from './knex.ts';

/** Part of what a list is narrowed to: a comparison without its value, and the value, if it is asked for. */
export type Condition = readonly [comparison: string, value: string | number | null | undefined];

/**
 * Reads one page of a list, newest first. Each combination of conditions is a statement of its own, which Postgres
 * knows from the time before; none is a statement that has to serve all of them.
 *
 * @param list.name unique to `select`.
 * @param list.order the column that rows are ordered by, from high to low.
 */
export function readPage<Row extends QueryResultRow>(
  db: Database,
  list: { name: string; select: string; order: string },
  conditions: readonly Condition[],
  limit: number,
): Promise<Row[]> {
  const given = conditions.filter(([, value]) => value !== null && value !== undefined);
  const name = `${list.name}-${conditions.map((condition) => Number(given.includes(condition))).join('')}`;
  const where = given.map(([comparison], index) => `${comparison} $${index + 1}`).join(' and ');
  const text = `${list.select} where ${where} order by ${list.order} desc limit $${given.length + 1}`;
  return prepared<Row>(db, name, text, [...given.map(([, value]) => value), limit]);
}
