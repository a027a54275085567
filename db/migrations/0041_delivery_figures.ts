import type { Knex } from 'knex';

/** Attempts at deliveries counted by minute, endpoint, result and latency, in the statement that records them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table delivery_figures (
      endpoint_id text collate "C" not null,
      -- minutes are kept for 48 h, and become hours then
      step text not null check (step in ('minute', 'hour')),
      -- the step's beginning
      at timestamptz not null,
      -- 'delivered', the status of the answer, or why there was none
      result text not null,
      -- the attempt took at most 2^(n / 2) ms
      latency_step smallint not null,
      count bigint not null check (count > 0),
      primary key (endpoint_id, at, step, result, latency_step)
    ) with (fillfactor = 70)`);
  await knex.raw(`create index delivery_figures_step on delivery_figures (step, at)`);
}
