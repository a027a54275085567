import type { Knex } from 'knex';

/** Accounts, the clients that act for them, and the keys that sign their tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table accounts (
      id text collate "C" primary key,
      name text not null,
      status text not null default 'active' check (status in ('active', 'disabled')),
      api_version text not null default '2026-11-01',
      -- null: the service's default
      rate_limit_rps integer check (rate_limit_rps > 0),
      rate_limit_burst integer check (rate_limit_burst > 0),
      authorization_ttl_ms bigint not null default 604800000 check (authorization_ttl_ms > 0),
      unknown_timeout_ms bigint not null default 600000 check (unknown_timeout_ms > 0),
      created_at timestamptz not null default now()
    )`);

  // The counter has a row of its own: it is updated once an effect, and stays small and hot-updatable.
  await knex.raw(`
    create table account_sequences (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      sequence bigint not null default 0
    ) with (fillfactor = 50)`);
  await knex.raw(`
    create function create_account_sequence() returns trigger language plpgsql as $$
    begin
      insert into account_sequences (account_id) values (new.id) on conflict do nothing;
      return new;
    end $$`);
  await knex.raw(`
    create trigger accounts_have_a_sequence after insert on accounts
    for each row execute function create_account_sequence()`);

  await knex.raw(`
    create table oauth_clients (
      id text collate "C" primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      name text not null,
      status text not null default 'active' check (status in ('active', 'disabled')),
      -- hex SHA-256: the secrets are 256 random bits, so a slow hash would add nothing
      secret_hash text,
      scopes text[] not null default '{}',
      created_at timestamptz not null default now()
    )`);
  await knex.raw(`create index oauth_clients_account on oauth_clients (account_id)`);

  await knex.raw(`
    create table signing_keys (
      kid text primary key,
      public_jwk jsonb not null,
      -- the private JWK, AES-256-GCM under SECRETS_KEY
      private_key bytea not null,
      created_at timestamptz not null default now(),
      -- no token is signed with it from then on; it still verifies until it is deleted
      retired_at timestamptz
    )`);
}
