import {
  addUp,
  toAttemptCount,
  type AttemptCount,
  type CountedAttempt,
  type DeliveryFigure,
} from '#domain/figures/deliveries.ts';
import { figureSteps, type FigureRange } from '#domain/figures/steps.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Attempts counted by minute. They are counted in the statement that records them (`webhook-attempts.ts`), so figures and
 * attempts never differ.
 */

/** The record of a delivery that was given up without an attempt. */
const noAttempt = 'event_expired';

/**
 * The part of the recorder's statement that counts. An attempt that is recorded again does not count again.
 *
 * Nearly always all attempts are new, and the sums are added as they are given. `recorded` has the new ones: if it lacks
 * one, each attempt is looked at by itself.
 *
 * @param sums the names of the parameters of {@link sumValues}.
 * @param all the number of attempts.
 */
export const countAttempts = (sums: readonly string[], all: string) => `
  insert into delivery_figures as f (endpoint_id, step, at, result, latency_step, count)
  select endpoint_id, 'minute', at, result, latency_step, count
  from unnest(${sums[0]}::text[], ${sums[1]}::timestamptz[], ${sums[2]}::text[], ${sums[3]}::int2[], ${sums[4]}::int8[])
    as s (endpoint_id, at, result, latency_step, count)
  where (select count(*) from recorded) = ${all}::int8
  union all
  select m.endpoint_id, 'minute', m.minute, m.result, m.latency_step, count(*)
  from recorded r join made m on m.delivery_id = r.delivery_id and m.number = r.number
  where (select count(*) from recorded) <> ${all}::int8 and m.error is distinct from '${noAttempt}'
  group by 1, 3, 4, 5
  on conflict (endpoint_id, at, step, result, latency_step) do update set count = f.count + excluded.count`;

/** Returns the sums of attempts, for {@link countAttempts}. */
export function sumValues(attempts: readonly CountedAttempt[]): unknown[] {
  const sums = addUp(attempts.filter(({ error }) => error !== noAttempt).map(toAttemptCount));
  const column = <Name extends keyof AttemptCount>(name: Name) => sums.map((sum) => sum[name]);
  return [column('endpointId'), column('at'), column('result'), column('latencyStep'), column('count')];
}

/** Returns the figures of endpoints in a range, oldest first. */
export async function readDeliveryFigures(
  db: Database,
  endpointIds: readonly string[],
  { step, from, to }: FigureRange,
): Promise<DeliveryFigure[]> {
  return prepared<DeliveryFigure>(
    db,
    'read-delivery-figures',
    `with counted as materialized (
       select date_trunc($2, at, 'UTC') as at, endpoint_id, result, latency_step, sum(count)::float8 as count
       from delivery_figures where endpoint_id = any($1::text[]) and at >= $3 and at < $4 group by 1, 2, 3, 4
     ),
     results as (
       select at, endpoint_id, json_object_agg(result, count order by result) as results
       from (select at, endpoint_id, result, sum(count) as count from counted group by 1, 2, 3) by_result group by 1, 2
     ),
     -- how many attempts took no longer than each latency step
     within as (
       select at, endpoint_id, latency_step,
         sum(sum(count)) over (partition by at, endpoint_id order by latency_step) as count,
         sum(sum(count)) over (partition by at, endpoint_id) as total
       from counted group by 1, 2, 3
     ),
     latencies as (
       select at, endpoint_id, min(latency_step) filter (where count >= total * 0.5) as p50,
         min(latency_step) filter (where count >= total * 0.95) as p95
       from within group by 1, 2
     )
     select at, endpoint_id, results, p50, p95 from results join latencies using (at, endpoint_id)
     order by at, endpoint_id`,
    [endpointIds, figureSteps[step].unit, from, to],
  );
}

/** Turns minutes that began before `before` into hours, at most `limit` rows. Returns how many there were. */
export async function foldDeliveryFigures(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await prepared<{ folded: number }>(
    db,
    'fold-delivery-figures',
    `with folded as (
       delete from delivery_figures where ctid = any(array(
         select ctid from delivery_figures where step = 'minute' and at < date_trunc('hour', $1::timestamptz, 'UTC')
         limit $2 for update skip locked))
       returning endpoint_id, at, result, latency_step, count
     ), added as (
       insert into delivery_figures as f (endpoint_id, step, at, result, latency_step, count)
       select endpoint_id, 'hour', date_trunc('hour', at, 'UTC'), result, latency_step, sum(count)
       from folded group by 1, 3, 4, 5 order by 1, 3, 4, 5
       on conflict (endpoint_id, at, step, result, latency_step) do update set count = f.count + excluded.count
     )
     select count(*) as folded from folded`,
    [before, limit],
  );
  return row?.folded ?? 0;
}

/** Deletes at most `limit` rows of hours that began before `before`. Returns their number. */
export async function deleteOldDeliveryFigures(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from delivery_figures where ctid = any(array(
       select ctid from delivery_figures where step = 'hour' and at < ? limit ?))`,
    [before, limit],
  );
  return result.rowCount;
}
