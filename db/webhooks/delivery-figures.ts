import type { DeliveryFigure } from '#domain/figures/deliveries.ts';
import { figureSteps, type FigureRange } from '#domain/figures/steps.ts';
import { prepared, type Database } from '../knex.ts';

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
