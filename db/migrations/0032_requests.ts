import type { Knex } from 'knex';

/**
 * What callers asked for, for 7 days: writes, and everything that was refused. Written beside the requests, so a row may be
 * missing (`api/middleware/request-log.ts`). It refers to nothing and has few indexes, since rows are made all the time.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table requests (
      -- carries the time of the answer; in this order retention deletes
      id text collate "C" primary key,
      account_id text collate "C" not null,
      trace_id text collate "C" not null,
      client_id text collate "C" not null,
      method text not null,
      -- the template: paths hold what callers type
      route text not null,
      resource_id text collate "C",
      status smallint not null,
      -- of the problem
      code text,
      idempotency_key text,
      is_replayed boolean not null,
      duration_ms real not null
    )`);
  await knex.raw(`create index requests_account on requests (account_id, id)`);
  await knex.raw(`create index requests_trace on requests (trace_id, account_id, id)`);
}
