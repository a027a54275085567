import type { Knex } from 'knex';

/** What operators look at: the runs of reconciliation with their differences, and figures of the processes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table reconciliations (
      id text collate "C" primary key,
      status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
      -- whether rows that are behind are repaired
      repair boolean not null,
      -- the caller and its Idempotency-Key; null: it ran by its schedule
      requested_by text collate "C",
      idempotency_key text collate "C",
      -- the run of its workflow, so that another attempt finds its row
      run_id text collate "C" unique,
      created_at timestamptz not null default clock_timestamp(),
      started_at timestamptz,
      ended_at timestamptz,
      charges_compared bigint,
      refunds_compared bigint,
      movements_read bigint,
      -- processors whose ledger could not be read
      unread text[] not null default '{}',
      -- how many differences there are, and how many of them were repaired; at most 10,000 are kept
      differences integer,
      repaired integer,
      check ((requested_by is null) = (idempotency_key is null)),
      check ((status in ('succeeded', 'failed')) = (ended_at is not null)),
      check (status <> 'succeeded' or (differences is not null and repaired is not null)),
      unique (requested_by, idempotency_key)
    )`);
  await knex.raw(`
    create table reconciliation_differences (
      reconciliation_id text collate "C" not null references reconciliations (id) on delete cascade,
      -- the order in which they were found
      position integer not null,
      code text not null,
      -- a charge or a refund, which may have no row
      resource_id text collate "C" not null,
      detail text not null,
      repaired boolean not null,
      primary key (reconciliation_id, position)
    )`);
  await knex.raw(`
    create table service_figures (
      minute timestamptz not null,
      -- a process: its name and a random part
      process text collate "C" not null,
      -- queues, calls of processors and requests in this minute
      figures json not null,
      primary key (minute, process)
    )`);
}
