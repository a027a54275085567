import type { Knex } from 'knex';

/** What clients prove themselves with, the grants that outlive a token, what was revoked, and keys in turn. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table oauth_clients
      -- the secret before the last rotation, as long as it still counts
      add column previous_secret_hash text,
      add column previous_secret_expires_at timestamptz,
      -- public keys that its assertions verify with, each with its algorithm (RFC 7523)
      add column jwks jsonb,
      add column refresh_tokens boolean not null default false,
      add check ((previous_secret_hash is null) = (previous_secret_expires_at is null))`);

  // Assertions that were taken; each is good for one request.
  await knex.raw(`
    create table client_assertions (
      client_id text collate "C" not null references oauth_clients (id) on delete cascade,
      -- SHA-256 of its jti
      jti_hash bytea not null,
      expires_at timestamptz not null,
      primary key (client_id, jti_hash)
    )`);
  await knex.raw(`create index client_assertions_expiry on client_assertions (expires_at)`);

  // A family is one client credentials grant, and all the refresh tokens that came from it one after another.
  await knex.raw(`
    create table refresh_families (
      id uuid primary key,
      client_id text collate "C" not null references oauth_clients (id) on delete cascade,
      scopes text[] not null,
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`);
  await knex.raw(`create index refresh_families_expiry on refresh_families (expires_at)`);
  await knex.raw(`create index refresh_families_client on refresh_families (client_id)`);
  await knex.raw(`
    create table refresh_tokens (
      -- SHA-256: the tokens are 256 random bits
      hash bytea primary key,
      family_id uuid not null references refresh_families (id) on delete cascade,
      -- the access token that came with it
      access_jti text not null,
      access_expires_at timestamptz not null,
      used_at timestamptz
    )`);
  await knex.raw(`create index refresh_tokens_family on refresh_tokens (family_id)`);

  await knex.raw(`
    create table revocations (
      -- 'token/' and a jti, or 'client/' and an id
      subject text collate "C" primary key,
      -- of a client: its tokens issued before then; null: all
      issued_before timestamptz,
      -- what is revoked has expired by then anyway
      expires_at timestamptz not null,
      changed_at timestamptz not null default clock_timestamp()
    )`);
  // Every API process reads what changed since it last looked.
  await knex.raw(`create index revocations_changed on revocations (changed_at)`);
  await knex.raw(`create index revocations_expiry on revocations (expires_at)`);

  await knex.raw(`
    alter table signing_keys
      -- published before, so that every verifier knows it by then; the key before signs until then
      add column signs_from timestamptz not null default now()`);
}
