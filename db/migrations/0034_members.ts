import type { Knex } from 'knex';

/**
 * People who sign in to the console. A session of theirs is a row of `refresh_families`. The release before joins clients
 * with their accounts, so it never finds a client without one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    create table members (
      id text collate "C" primary key,
      -- null: of the service, not of an account
      account_id text collate "C" references accounts (id) on delete cascade,
      name text not null check (length(name) between 1 and 100),
      -- in lower case; by it an OIDC provider's person is found at the first sign-in
      email text unique check (email = lower(email)),
      role text not null check (role in ('viewer', 'support', 'developer', 'operator')),
      status text not null default 'active' check (status in ('active', 'disabled')),
      -- who it is at the OIDC provider; null: has not signed in with it
      oidc_issuer text,
      oidc_subject text,
      created_at timestamptz not null default now(),
      check ((role = 'operator') = (account_id is null)),
      check ((oidc_issuer is null) = (oidc_subject is null)),
      unique (oidc_issuer, oidc_subject)
    )`);
  await knex.raw(`create index members_account on members (account_id, id)`);

  await knex.raw(`
    alter table oauth_clients
      alter column account_id drop not null,
      -- account: acts for its account; operator: for the service; console: for those who are signed in
      add column kind text not null default 'account' check (kind in ('account', 'operator', 'console')),
      add constraint oauth_clients_kind_account check ((kind = 'account') = (account_id is not null))`);
  await knex.raw(`create unique index oauth_clients_console on oauth_clients (kind) where kind = 'console'`);

  await knex.raw(`
    alter table refresh_families
      -- null: of a client that acts for itself
      add column member_id text collate "C" references members (id) on delete cascade,
      add column session_id text collate "C" unique,
      -- when it ends unless it is refreshed before
      add column idle_until timestamptz,
      add constraint refresh_families_session check (
        (member_id is null) = (session_id is null) and (member_id is null) = (idle_until is null))`);
  await knex.raw(
    `create index refresh_families_member on refresh_families (member_id) where member_id is not null`,
  );

  await knex.raw(`
    create table sign_in_codes (
      -- SHA-256: the codes are 256 random bits
      hash bytea primary key,
      member_id text collate "C" not null references members (id) on delete cascade,
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null,
      used_at timestamptz,
      -- the session that it began
      family_id uuid references refresh_families (id) on delete set null
    )`);
  await knex.raw(`create index sign_in_codes_member on sign_in_codes (member_id)`);
  await knex.raw(`create index sign_in_codes_family on sign_in_codes (family_id)`);
  await knex.raw(`create index sign_in_codes_expiry on sign_in_codes (expires_at)`);
}
