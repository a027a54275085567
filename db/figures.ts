import { prepared, type Database } from './knex.ts';

/**
 * Tables of figures: sums by minute and key. Minutes become hours when they are old, and old hours are deleted. Only
 * {@link addFigures} writes sums, so that figures grow in one way.
 */
export interface FigureTable {
  name: string;
  /** The columns of the key, beside the step and its beginning. */
  keys: readonly string[];
  sums: readonly string[];
}

/** Charges by what became of them. */
export const chargeFigures: FigureTable = {
  name: 'charge_figures',
  keys: ['account_id', 'currency', 'outcome', 'reason'],
  sums: ['count', 'amount'],
};

/** Attempts at deliveries, by result and latency. */
export const deliveryFigures: FigureTable = {
  name: 'delivery_figures',
  keys: ['endpoint_id', 'result', 'latency_step'],
  sums: ['count'],
};

/** All tables of figures. */
export const figureTables: readonly FigureTable[] = [chargeFigures, deliveryFigures];

/**
 * Returns the SQL that adds rows up, and adds them to the figures. It takes keys in their order: two writers then wait for
 * each other in one order.
 *
 * @param from rows with a time `at`, the columns of the key, and those of the sums.
 */
export function addFigures({ name, keys, sums }: FigureTable, step: 'minute' | 'hour', from: string): string {
  const grouped = [`date_trunc('${step}', at, 'UTC')`, ...keys];
  return `
    insert into ${name} as f (step, at, ${[...keys, ...sums].join(', ')})
    select '${step}', ${[...grouped, ...sums.map((sum) => `sum(${sum})`)].join(', ')} from ${from}
    group by ${grouped.join(', ')} order by ${grouped.join(', ')}
    on conflict (at, step, ${keys.join(', ')})
    do update set ${sums.map((sum) => `${sum} = f.${sum} + excluded.${sum}`).join(', ')}`;
}

/** Turns minutes that began before `before` into hours, at most `limit` rows. Returns how many there were. */
export async function foldFigures(
  db: Database,
  table: FigureTable,
  before: Date,
  limit: number,
): Promise<number> {
  const { name, keys, sums } = table;
  const [row] = await prepared<{ folded: number }>(
    db,
    `fold-${name}`,
    `with folded as (
       delete from ${name} where ctid = any(array(
         select ctid from ${name} where step = 'minute' and at < date_trunc('hour', $1::timestamptz, 'UTC')
         order by at limit $2 for update skip locked))
       returning at, ${[...keys, ...sums].join(', ')}
     ), added as (${addFigures(table, 'hour', 'folded')})
     select count(*) as folded from folded`,
    [before, limit],
  );
  return row?.folded ?? 0;
}

/** Deletes at most `limit` rows of hours that began before `before`. Returns their number. */
export async function deleteOldHours(
  db: Database,
  { name }: FigureTable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from ${name} where ctid = any(array(
       select ctid from ${name} where step = 'hour' and at < ? order by at limit ?))`,
    [before, limit],
  );
  return rowCount;
}
