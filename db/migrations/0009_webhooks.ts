import type { Knex } from 'knex';

/** Where merchants are told of events, and what became of telling them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table accounts
      -- the wait before each attempt, in order; null: the service's default
      add column webhook_retry_schedule_ms bigint[]
        check (cardinality(webhook_retry_schedule_ms) between 1 and 50 and 0 <= all (webhook_retry_schedule_ms)),
      add column webhook_disable_after_ms bigint not null default 432000000 check (webhook_disable_after_ms > 0)`);
  await createEndpoints(knex);
  await createDeliveries(knex);
  await createDeliveryIds(knex);
}

async function createEndpoints(knex: Knex): Promise<void> {
  // Its row is updated by each turn of its workflow, hence the room for updates beside it.
  await knex.raw(`
    create table webhook_endpoints (
      id text collate "C" primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      url text not null,
      -- types and patterns: 'charge.succeeded', 'charge.*', '*'
      events text[] not null,
      status text not null default 'enabled' check (status in ('enabled', 'disabled')),
      disabled_reason text check (disabled_reason in ('requested', 'failing', 'gone')),
      description text,
      metadata json not null default '{}',
      api_version text not null,
      ordering text not null default 'none' check (ordering in ('none', 'fifo')),
      failing_since timestamptz,
      -- {at, status_code, message}
      last_failure json,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      version integer not null default 1,
      -- somebody has signalled its workflow, or is about to: set with the deliveries, cleared before its last read
      awake boolean not null default false,
      -- it fails, and its workflow sleeps until then: new deliveries do not wake it
      parked_until timestamptz,
      last_turn_at timestamptz,
      -- open deliveries with an id below are cancelled, though their rows may not say so yet
      cancelled_before text collate "C",
      check ((status = 'disabled') = (disabled_reason is not null)),
      check (deleted_at is null or status = 'disabled')
    ) with (fillfactor = 70)`);
  // Newest first; the effects' statement reads it too.
  await knex.raw(
    `create index webhook_endpoints_account on webhook_endpoints (account_id, id) where deleted_at is null`,
  );
  // The sweep's: those that still have to cancel what they cannot deliver any more.
  await knex.raw(
    `create index webhook_endpoints_cancelling on webhook_endpoints (id) where cancelled_before is not null`,
  );

  await knex.raw(`
    create table webhook_secrets (
      id text collate "C" primary key,
      endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
      -- 'whsec_…', AES-256-GCM under SECRETS_KEY, its place is 'webhook_secrets/<id>'
      secret bytea not null,
      created_at timestamptz not null,
      -- null: the one that new receivers are given
      expires_at timestamptz
    )`);
  await knex.raw(
    `create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null`,
  );
  await knex.raw(`create index webhook_secrets_endpoint on webhook_secrets (endpoint_id)`);
}

/**
 * A charge pays for the rows of its deliveries, so that they hold little, refer to nothing and have few indexes.
 * There is none by event: the id of a delivery carries the time of its event's, so that it is found by a range of ids.
 */
async function createDeliveries(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_deliveries (
      id text collate "C" primary key,
      account_id text collate "C" not null,
      endpoint_id text collate "C" not null,
      event_id text collate "C" not null,
      -- of the event
      sequence bigint not null,
      type text not null,
      status text not null default 'pending'
        check (status in ('pending', 'retrying', 'delivered', 'dead_letter', 'cancelled')),
      attempts smallint not null default 0,
      -- null: it is over
      next_attempt_at timestamptz,
      is_replay boolean not null default false,
      -- the delivery that was sent again; null also of a replay to an endpoint that was not subscribed then
      replay_of text collate "C",
      updated_at timestamptz not null default clock_timestamp(),
      check ((status in ('pending', 'retrying')) = (next_attempt_at is not null))
    ) partition by range (id)`);
  // What was never tried, in the order of the events: a million of them on a dead endpoint are not moved as it fails.
  await knex.raw(
    `create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, sequence) where status = 'pending'`,
  );
  await knex.raw(
    `create index webhook_deliveries_retrying on webhook_deliveries (endpoint_id, next_attempt_at)
     where status = 'retrying'`,
  );
  // Lists, with a status or (as the five of them, merged) without.
  await knex.raw(`create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, status, id)`);
  await knex.raw(`create table webhook_deliveries_default partition of webhook_deliveries default`);

  // Partitioned by their delivery's id, so that they go with it.
  await knex.raw(`
    create table webhook_attempts (
      delivery_id text collate "C" not null,
      -- counts from 1
      number smallint not null,
      at timestamptz not null,
      -- null: there was no answer
      status_code smallint,
      latency_ms integer not null,
      -- why there was none, or why the answer is a failure; null: delivered
      error text,
      -- the first 1 KiB of the answer
      response_body bytea,
      primary key (delivery_id, number)
    ) partition by range (delivery_id)`);
  await knex.raw(`create table webhook_attempts_default partition of webhook_attempts default`);
}

/**
 * Ids of deliveries are made in the statement that finds out how many there are: the time of the event's id, and
 * 80 fresh random bits. 12 random bytes are 16 letters of base 64, of which each two become one of Crockford's base 32.
 * The first 6 bytes of a random UUID are random altogether. One expression, so that it becomes part of the statement.
 */
async function createDeliveryIds(knex: Knex): Promise<void> {
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const randomBytes = 'substr(uuid_send(gen_random_uuid()), 1, 6)';
  await knex.raw(`
    create function new_webhook_delivery_id(event_id text) returns text language sql volatile parallel safe as $$
      select 'wd_' || substr(event_id, 5, 10) ||
        translate(encode(${randomBytes} || ${randomBytes}, 'base64'), '${base64}', '${base32.repeat(2)}')
    $$`);
}
