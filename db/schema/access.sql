-- Accounts, the programs that act for them, and what their tokens are checked with.
-- Ids are compared byte by byte (collate "C"): they carry their time, so their order is the order in time.

-- A merchant. It owns its payments, clients, members and webhook endpoints; they are deleted with it.
create table accounts (
  id text collate "C" primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- the version that events and webhooks are shown in, and requests that name none
  api_version text not null default '2026-11-01',
  created_at timestamptz not null default now(),

  -- null: the service's default
  rate_limit_rps integer check (rate_limit_rps > 0),
  rate_limit_burst integer check (rate_limit_burst > 0),
  max_open_operations integer check (max_open_operations > 0),

  -- who takes the first steps of a charge; null: as the deployment says
  charge_execution text check (charge_execution in ('workflow', 'inline')),
  -- how long an authorization can be captured
  authorization_ttl_ms bigint not null default 604800000 check (authorization_ttl_ms > 0),
  -- how long a charge of unknown outcome is asked for before it is voided
  unknown_timeout_ms bigint not null default 600000 check (unknown_timeout_ms > 0),
  -- how long a charge that never left is sent, if it can be
  pending_timeout_ms bigint not null default 86400000 check (pending_timeout_ms > 0),
  -- how long a buyer has to confirm a charge
  action_ttl_ms bigint not null default 3600000 check (action_ttl_ms > 0),
  refund_reversible_ms bigint not null default 3600000 check (refund_reversible_ms > 0),
  refund_settlement_ms bigint not null default 86400000,

  -- the wait before each attempt, in order; null: the service's default
  webhook_retry_schedule_ms bigint[]
    check (cardinality(webhook_retry_schedule_ms) between 1 and 50 and 0 <= all (webhook_retry_schedule_ms)),
  -- an endpoint that fails for so long is disabled
  webhook_disable_after_ms bigint not null default 432000000 check (webhook_disable_after_ms > 0),
  -- The version of the account's set of endpoints. A request that adds one, or changes a URL, reads it before it counts.
  -- So requests at the same time cannot exceed the limits together.
  webhook_endpoints_version integer not null default 0,

  -- A settled refund is never reversed.
  constraint accounts_settlement_after_reversal check (refund_settlement_ms >= refund_reversible_ms)
);

-- The number of the account's last event. It has a row of its own, since each effect updates it; with room beside it, the
-- update touches no index.
create table account_sequences (
  account_id text collate "C" primary key references accounts (id) on delete cascade,
  sequence bigint not null default 0
) with (fillfactor = 50);

create function create_account_sequence() returns trigger language plpgsql as $$
begin
  insert into account_sequences (account_id) values (new.id) on conflict do nothing;
  return new;
end $$;
-- Each account has a sequence from its beginning, so no effect has to make one.
create trigger accounts_have_a_sequence after insert on accounts
  for each row execute function create_account_sequence();

-- A program that gets tokens from the issuer.
create table oauth_clients (
  id text collate "C" primary key,
  account_id text collate "C" references accounts (id) on delete cascade,
  name text not null,
  -- account: acts for its account; operator: for the service; console: for those who are signed in
  kind text not null default 'account' check (kind in ('account', 'operator', 'console')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  scopes text[] not null default '{}',
  -- hex SHA-256: the secrets are 256 random bits, so a slow hash would add nothing
  secret_hash text,
  -- the secret before the last rotation, as long as it still counts
  previous_secret_hash text,
  previous_secret_expires_at timestamptz,
  -- public keys that its assertions verify with, each with its algorithm (RFC 7523)
  jwks jsonb,
  -- whether it is given refresh tokens
  refresh_tokens boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- A client acts for its account and no other, or for none.
  constraint oauth_clients_kind_account check ((kind = 'account') = (account_id is not null)),
  -- A secret that was replaced always stops counting.
  constraint oauth_clients_previous_secret check ((previous_secret_hash is null) = (previous_secret_expires_at is null))
);
-- The clients of an account; and the foreign key, when the account is deleted.
create index oauth_clients_account on oauth_clients (account_id);
-- There is one console at most.
create unique index oauth_clients_console on oauth_clients (kind) where kind = 'console';

create function count_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := clock_timestamp();
  return new;
end $$;
-- Each change of a client counts, so a change based on an older version is refused.
create trigger oauth_clients_version before update on oauth_clients
  for each row execute function count_client_version();

-- The keys that sign tokens, in turn.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- the private JWK, AES-256-GCM under SECRETS_KEY
  private_key bytea not null,
  created_at timestamptz not null default now(),
  -- It is published before, so that every verifier knows it by then. The key before signs until then.
  signs_from timestamptz not null default now(),
  -- it signs no token from then on, and verifies until it is deleted
  retired_at timestamptz
);

-- Assertions that clients proved themselves with. Each is good for one request.
create table client_assertions (
  client_id text collate "C" not null references oauth_clients (id) on delete cascade,
  -- SHA-256 of its jti
  jti_hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, jti_hash)
);
-- Deletes the expired ones.
create index client_assertions_expiry on client_assertions (expires_at);

-- Tokens, sessions and clients that are revoked before their tokens expire. Each API process reads the changes.
create table revocations (
  -- 'token/' and a jti, or 'client/' or 'session/' and an id
  subject text collate "C" primary key,
  -- of a client: its tokens issued before then; null: all
  issued_before timestamptz,
  -- what is revoked has expired by then anyway
  expires_at timestamptz not null,
  changed_at timestamptz not null default clock_timestamp(),
  -- The transaction that changed the row last. A process that read while it was under way reads the row again.
  changed_xid xid8 not null default pg_current_xact_id()
);
-- What changed since a process last read.
create index revocations_changed_xid on revocations (changed_xid);
-- Deletes the expired ones.
create index revocations_expiry on revocations (expires_at);

create function note_revocation_change() returns trigger language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
-- No statement can change a revocation unseen.
create trigger revocations_change before insert or update on revocations
  for each row execute function note_revocation_change();

-- The token bucket of an account, from which API processes lease. It is unlogged, since a lease must not wait for the disk.
-- After a crash of Postgres every bucket is full, no more.
create unlogged table rate_limits (
  account_id text collate "C" primary key references accounts (id) on delete cascade,
  -- how many were in the bucket at refilled_at
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- what the last lease took, for the statement that took it to return
  granted integer not null
) with (fillfactor = 50);

-- The same of a client at the issuer.
create unlogged table client_rate_limits (
  client_id text collate "C" primary key references oauth_clients (id) on delete cascade,
  tokens double precision not null,
  refilled_at timestamptz not null,
  granted integer not null
) with (fillfactor = 50);
