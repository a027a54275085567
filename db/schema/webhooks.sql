-- Where merchants are told of events, and what became of each delivery.

-- A URL of an account. Each delivery session updates its row, hence the room for updates beside it.
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
  -- its workflow has been signalled, or is about to be: set with the deliveries, cleared before its last read
  awake boolean not null default false,
  -- it fails, and its workflow sleeps until then: new deliveries do not wake it
  parked_until timestamptz,
  -- The session that delivers. Its reads ask for it, so one that was given up reads nothing any more. It costs an update a
  -- session, where a claim on each delivery would double its writes.
  turn_id text,
  last_turn_at timestamptz,
  -- open deliveries with an id below are cancelled, though their rows may not say so yet
  cancelled_before text collate "C",
  -- A disabled endpoint says why.
  constraint webhook_endpoints_disabled check ((status = 'disabled') = (disabled_reason is not null)),
  -- Nothing is delivered to a deleted endpoint.
  constraint webhook_endpoints_deleted check (deleted_at is null or status = 'disabled')
) with (fillfactor = 70);
-- The endpoints of an account, newest first; and whom an effect makes deliveries for.
create index webhook_endpoints_account on webhook_endpoints (account_id, id) where deleted_at is null;
-- The sweep's: those that still have to cancel what they cannot deliver any more.
create index webhook_endpoints_cancelling on webhook_endpoints (id) where cancelled_before is not null;
-- Failing endpoints of all accounts, for operators: longest first.
create index webhook_endpoints_failing on webhook_endpoints (failing_since, id)
  where failing_since is not null and status = 'enabled';

-- The secrets that deliveries to an endpoint are signed with.
create table webhook_secrets (
  id text collate "C" primary key,
  endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
  -- 'whsec_…', AES-256-GCM under SECRETS_KEY, its place is 'webhook_secrets/<id>'
  secret bytea not null,
  created_at timestamptz not null,
  -- null: the one that new receivers are given
  expires_at timestamptz
);
-- An endpoint has one current secret.
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;
-- The secrets of an endpoint; and the foreign key.
create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);

-- An event for an endpoint. A charge pays for these rows, so they hold little, refer to nothing and have few indexes. There
-- is none by event: the id of a delivery carries the time of its event, so a range of ids finds it. Partitioned as events.
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
  -- An open delivery is always tried again.
  constraint webhook_deliveries_open check ((status in ('pending', 'retrying')) = (next_attempt_at is not null))
) partition by range (id);
-- Deliveries that were never tried, in the order of the events. A million of them on a dead endpoint stay as they are when
-- it fails.
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, sequence) where status = 'pending';
-- Deliveries that are due again.
create index webhook_deliveries_retrying on webhook_deliveries (endpoint_id, next_attempt_at)
  where status = 'retrying';
-- Lists of an endpoint, with a status or (as the five of them, merged) without.
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, status, id);
-- Dead letters of all accounts, for operators.
create index webhook_deliveries_dead on webhook_deliveries (id) where status = 'dead_letter';
create table webhook_deliveries_default partition of webhook_deliveries default;
-- Plans name it.
alter index webhook_deliveries_default_id_idx rename to webhook_deliveries_default_dead;

-- The attempts at a delivery. Partitioned by its id, so that they go with it.
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
) partition by range (delivery_id);
create table webhook_attempts_default partition of webhook_attempts default;

-- Makes an id in the statement that finds out how many deliveries there are: the time of the event's id, and 80 random bits.
-- 12 random bytes are 16 letters of base 64, of which each two become one of Crockford's base 32. The first 6 bytes of a
-- random UUID are all random. It is one expression, so that it becomes part of the statement.
create function new_webhook_delivery_id(event_id text) returns text language sql volatile parallel safe as $$
  select 'wd_' || substr(event_id, 5, 10) ||
    translate(encode(substr(uuid_send(gen_random_uuid()), 1, 6) || substr(uuid_send(gen_random_uuid()), 1, 6), 'base64'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
      '0123456789ABCDEFGHJKMNPQRSTVWXYZ0123456789ABCDEFGHJKMNPQRSTVWXYZ')
$$;
