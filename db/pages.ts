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

/** The rows of a list, and their order. */
export interface List {
  /** Unique to `select` and `direction`. */
  name: string;
  select: string;
  /** The column that holds positions. (Default: `id`) */
  order?: string;
  /** The column of ids. (Default: `id`) */
  id?: string;
  /** (Default: `desc`, newest first) */
  direction?: Direction;
  /** Rows to pass over. (Default: none) */
  offset?: number;
}

/** Rows whose column has any of the values. Each value has its range of an index, and the ranges are merged. */
export interface Slices {
  column: string;
  values: readonly string[];
}

/**
 * Reads one page of a list. Each combination of conditions is a prepared statement of its own.
 * So Postgres plans it for its index.
 */
export function readPage<Row extends QueryResultRow>(
  db: Database,
  list: List,
  narrowedBy: readonly Condition[],
  range: IdRange,
  page: Page<string | number>,
  slices?: Slices,
): Promise<Row[]> {
  const { order = 'id', direction = 'desc', offset = 0 } = list;
  const { name, where, values } = toWhere(list, narrowedBy, range, page, slices);
  const [limit, passedOver] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const text = `${list.select} where ${where} order by ${order} ${direction} limit ${limit}`;
  const merged = slices && `select s.* from ${sliced(text)} order by s.${order} ${direction} limit ${limit}`;
  return prepared<Row>(db, name, `${merged ?? text} offset ${passedOver}`, [...values, page.limit, offset]);
}

/** The rows that `text` selects for each slice. */
const sliced = (text: string) => `unnest($1::text[]) as slice (value) cross join lateral (${text}) s`;

/** Returns the conditions as SQL, their values, and a name for each combination of them. The values of slices come first. */
function toWhere(
  { name, order = 'id', id = 'id', direction = 'desc' }: List,
  narrowedBy: readonly Condition[],
  { from, before }: IdRange,
  { after }: Pick<Page<string | number>, 'after'>,
  slices?: Slices,
): { name: string; where: string; values: unknown[] } {
  const conditions: Condition[] = [
    ...narrowedBy,
    [`${id} >=`, from],
    [`${id} <`, before],
    [`${order} ${direction === 'desc' ? '<' : '>'}`, after],
  ];
  const given = conditions.filter(isGiven);
  const first = slices ? 2 : 1;
  const terms = given.map(([comparison], index) => `${comparison} ($${index + first})`);
  if (slices) terms.unshift(`${slices.column} = slice.value`);
  const shape = conditions.map((condition) => Number(isGiven(condition))).join('');
  return {
    name: `${name}-${shape}${slices ? `-${slices.column}` : ''}`,
    where: terms.join(' and '),
    values: [...(slices ? [slices.values] : []), ...given.map(([, value]) => value)],
  };
}

const isGiven = ([, value]: Condition) => value !== null && value !== undefined;

/** Rows that one page looks through, where no index has all of its filters. */
export const mostScanned = 20_000;

/** Rows of a page, and where the next one goes on although this one may not be full. */
export interface Found<Row, Position = string> {
  rows: Row[];
  /** The position of the last row that was looked at; `null` if all were. */
  scannedTo: Position | null;
}

/** The filters of a list, each with a value or without one. */
export interface Filters {
  /** Of every page. An index holds them, alone and before each of `indexed`. */
  always: readonly Condition[];
  /** The first one with a value leads to the rows. The others are checked on these. */
  indexed?: readonly Condition[];
  /** Leads to the rows where none of `indexed` has a value. */
  anyOf?: { column: string; values: readonly string[] | undefined };
  /** They are checked on the rows. */
  checked?: readonly Condition[];
}

/**
 * Reads one page of a list whose filters have no index together. Rows are looked for among the next 20,000 of the one
 * index that leads to them. So a rare value costs no more than that, and no index for each filter costs every row.
 *
 * @param list.table where positions are read, with its alias.
 * @param scanned the most rows that are looked at; `null`: all, where nearly each of them is one of the page.
 */
export async function searchPage<Row extends QueryResultRow, Position extends string | number = string>(
  db: Database,
  list: List & { table: string },
  { always, indexed = [], anyOf, checked = [] }: Filters,
  range: IdRange,
  page: Page<Position>,
  scanned: number | null = mostScanned,
): Promise<Found<Row, Position>> {
  const leading = indexed.find(isGiven);
  const slices = leading ? undefined : toSlices(anyOf);
  const isLedByValue = !leading && !slices;
  const others = equalsAny(anyOf?.column ?? '', anyOf?.values);
  const led = [
    ...always,
    ...indexed.map((condition) => only(condition, condition === leading)),
    ...others.map((condition) => only(condition, isLedByValue)),
  ];
  const rest = [
    ...indexed.map((condition) => only(condition, condition !== leading)),
    ...others.map((condition) => only(condition, leading !== undefined)),
    ...checked,
  ];
  const scannedTo =
    scanned !== null && rest.some(isGiven)
      ? await findScanEnd<Position>(db, list, led, range, page, slices, scanned)
      : null;
  const { order = 'id', direction = 'desc' } = list;
  const within: Condition = [`${order} ${direction === 'desc' ? '>=' : '<='}`, scannedTo];
  return { rows: await readPage<Row>(db, list, [...led, ...rest, within], range, page, slices), scannedTo };
}

/** Returns the condition, or the same without its value. */
const only = ([comparison, value]: Condition, isMeant: boolean): Condition => [
  comparison,
  isMeant ? value : undefined,
];

/** One value needs no slices: it is a condition like others. */
function toSlices(anyOf: Filters['anyOf']): Slices | undefined {
  const { column, values } = anyOf ?? {};
  return column !== undefined && values && values.length > 1 ? { column, values } : undefined;
}

/** Returns the position of the last of the next `scanned` rows; `null` if there are fewer. */
async function findScanEnd<Position extends string | number>(
  db: Database,
  list: List & { table: string },
  led: readonly Condition[],
  range: IdRange,
  { after }: Page<Position>,
  slices: Slices | undefined,
  scanned: number,
): Promise<Position | null> {
  const { order = 'id', direction = 'desc' } = list;
  const { name, where, values } = toWhere(list, led, range, { after }, slices);
  const bounds = `order by ${order} ${direction} limit 1 offset $${values.length + 1}`;
  const text = `select ${order} as position from ${list.table} where ${where} ${bounds}`;
  // Behind the nearest end, one of the slices was not looked at.
  const nearest = direction === 'desc' ? 'max' : 'min';
  const ends = slices && `select ${nearest}(s.position) as position from ${sliced(text)}`;
  const each = Math.max(1, Math.floor(scanned / (slices?.values.length ?? 1)));
  const [end] = await prepared<{ position: Position | null }>(db, `end-of-${name}`, ends ?? text, [
    ...values,
    each - 1,
  ]);
  return end?.position ?? null;
}
