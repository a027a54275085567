import type { Knex } from 'knex';

/** Operations: work that outlives its request. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table operations (
      id text collate "C" primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      claim_id text collate "C" not null unique,
      workflow_id text collate "C" not null,
      type text not null check (type in ('export', 'charge_batch', 'webhook_replay')),
      status text not null default 'queued'
        check (status in ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')),
      -- what was asked for
      request json not null,
      api_version text not null,
      -- the path it was submitted at and its trace, for the problem document of one that fails
      path text not null,
      trace_id text not null,
      -- what was there when it was submitted: rows whose created_xid is visible in it
      snapshot pg_snapshot not null default pg_current_snapshot(),
      completed bigint not null default 0 check (completed >= 0),
      total bigint check (total >= 0),
      -- a problem document
      error json,
      -- {key, contentType, size, sha256}: a file in the blob store
      result json,
      created_at timestamptz not null,
      updated_at timestamptz not null default clock_timestamp(),
      started_at timestamptz,
      cancel_requested_at timestamptz,
      done_at timestamptz,
      version integer not null default 1,
      -- when the sweep last saw that a workflow runs for it
      checked_at timestamptz,
      check (total is null or completed <= total),
      check ((status in ('succeeded', 'failed', 'cancelled')) = (done_at is not null)),
      check ((status in ('failed', 'cancelled')) = (error is not null)),
      check (status <> 'succeeded' or result is not null),
      check (status not in ('cancelling', 'cancelled') or cancel_requested_at is not null)
    )`);
  // Newest first, and the filter by time: the id carries the time.
  await knex.raw(`create index operations_account on operations (account_id, id)`);
  await knex.raw(`create index operations_account_type on operations (account_id, type, id)`);
  await knex.raw(`create index operations_account_status on operations (account_id, status, id)`);
  const isOpen = `status in ('queued', 'running', 'cancelling')`;
  await knex.raw(`create index operations_open on operations (checked_at nulls first) where ${isOpen}`);
  await knex.raw(`create index operations_open_workflow on operations (workflow_id) where ${isOpen}`);
  await knex.raw(
    `create index operations_cancelling on operations (cancel_requested_at) where status = 'cancelling'`,
  );
  await knex.raw(`create index operations_done on operations (done_at) where done_at is not null`);
}
