import type { Knex } from 'knex';

/** Claims on idempotency keys, charges, and the events that tell of them. */
export async function up(knex: Knex): Promise<void> {
  // Never partitioned by time: a key could then be claimed twice.
  await knex.raw(`
    create table idempotency_keys (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      -- method and route template, 'POST /v1/charges'
      endpoint text collate "C" not null,
      key text collate "C" not null,
      claim_id text collate "C" not null unique,
      -- SHA-256 of method, concrete path and canonical body
      fingerprint bytea not null,
      -- the valid request, for begin; emptied once it is answered
      request jsonb,
      resource_id text collate "C" not null,
      api_version text not null,
      -- the concrete path and the trace, for an answer that is a problem document
      path text not null,
      trace_id text not null,
      -- not begun by then, it never begins
      start_by timestamptz not null,
      begun_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      answered_at timestamptz,
      answer_status smallint,
      answer_headers jsonb,
      answer_body bytea,
      primary key (account_id, endpoint, key),
      check ((answered_at is null) = (answer_status is null)),
      check ((answered_at is null) = (answer_body is null)),
      check (answered_at is null or begun_at is not null)
    )`);
  await knex.raw(
    `create index idempotency_keys_not_begun on idempotency_keys (start_by) where begun_at is null`,
  );
  await knex.raw(`create index idempotency_keys_created on idempotency_keys (created_at)`);
  await knex.raw(`create index idempotency_keys_key on idempotency_keys (account_id, key)`);

  await knex.raw(`
    create table charges (
      id text collate "C" primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      claim_id text collate "C" not null unique,
      workflow_id text collate "C" not null,
      amount bigint not null check (amount between 1 and 99999999999),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      status text not null check (status in ('pending', 'requires_capture', 'succeeded', 'failed', 'cancelled')),
      capture_method text not null check (capture_method in ('automatic', 'manual')),
      amount_captured bigint not null default 0,
      amount_refunded bigint not null default 0,
      customer_id text collate "C",
      payment_method text not null,
      processor_token text not null,
      description text,
      statement_descriptor text,
      metadata json not null default '{}',
      failure json,
      processor_pending boolean not null default false,
      processor_fault text,
      capture_claim_id text collate "C",
      capture_amount bigint,
      void_reason text check (void_reason in ('cancelled', 'expired', 'unresolved')),
      created_at timestamptz not null,
      updated_at timestamptz not null default clock_timestamp(),
      captured_at timestamptz,
      cancel_requested_at timestamptz,
      cancelled_at timestamptz,
      expires_at timestamptz,
      version integer not null default 1,
      -- which transaction made the row: exports show what was there when they were asked for
      created_xid xid8 not null default pg_current_xact_id(),
      -- when the sweep last saw that a workflow runs for it
      checked_at timestamptz,
      check (amount_captured between 0 and amount),
      check (amount_refunded between 0 and amount_captured),
      check (capture_amount between 1 and amount),
      check ((capture_claim_id is null) = (capture_amount is null)),
      check ((status = 'succeeded') = (amount_captured > 0)),
      check ((status = 'failed') = (failure is not null)),
      check ((status = 'cancelled') = (cancelled_at is not null)),
      check (status <> 'requires_capture' or expires_at is not null)
    )`);
  // Newest first, and the filter by time: the id carries the time.
  await knex.raw(`create index charges_account on charges (account_id, id)`);
  await knex.raw(`create index charges_account_status on charges (account_id, status, id)`);
  await knex.raw(
    `create index charges_account_customer on charges (account_id, customer_id, id) where customer_id is not null`,
  );
  await knex.raw(
    `create index charges_open on charges (checked_at nulls first) where status in ('pending', 'requires_capture')`,
  );
  await knex.raw(
    `create index charges_open_workflow on charges (workflow_id) where status in ('pending', 'requires_capture')`,
  );
  await knex.raw(
    `create index charges_cancelling on charges (cancel_requested_at)
     where status in ('pending', 'requires_capture') and cancel_requested_at is not null`,
  );

  // Partitioned by the time in the id, so that old events are dropped and not deleted.
  await knex.raw(`
    create table events (
      id text collate "C" primary key,
      account_id text collate "C" not null,
      sequence bigint not null,
      type text not null,
      resource_id text collate "C" not null,
      -- the resource after what happened, in the current API version
      object json not null,
      created_at timestamptz not null,
      created_xid xid8 not null default pg_current_xact_id()
    ) partition by range (id)`);
  await knex.raw(`create index events_account_sequence on events (account_id, sequence)`);
  await knex.raw(`create index events_resource on events (resource_id)`);
  await knex.raw(`create table events_default partition of events default`);
}
