-- People who sign in to the console, and the grants that outlive a token.

-- A person in an account, or an operator of the service. A person may be a member of several accounts.
create table members (
  id text collate "C" primary key,
  -- null: of the service, not of an account
  account_id text collate "C" references accounts (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- In the form of domain/addresses.ts. An invitation is found by it at the first sign-in.
  email_address text,
  role text not null check (role in ('viewer', 'support', 'developer', 'operator')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- who it is at the OIDC provider; null: has not signed in with it
  oidc_issuer text,
  oidc_subject text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- An operator belongs to no account, and everyone else to one.
  constraint members_operator_account check ((role = 'operator') = (account_id is null)),
  -- A subject means nothing without its issuer.
  constraint members_oidc_identity check ((oidc_issuer is null) = (oidc_subject is null))
);
-- The members of an account, in the order of ids.
create index members_account on members (account_id, id);
-- An address belongs to one member of each account.
create unique index members_account_address on members (coalesce(account_id, ''), email_address);
-- The invitations of a person at sign-in.
create index members_address on members (email_address);
-- A person at the provider is one member of each account.
create unique index members_person on members (oidc_issuer, oidc_subject, coalesce(account_id, ''));

create function count_member_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := clock_timestamp();
  return new;
end $$;
-- Each change of a member counts, so a change based on an older version is refused.
create trigger members_version before update on members
  for each row execute function count_member_version();

-- A grant with all the refresh tokens that came from it, one after another. That of a member is a session.
create table refresh_families (
  id uuid primary key,
  client_id text collate "C" not null references oauth_clients (id) on delete cascade,
  scopes text[] not null,
  -- null: of a client that acts for itself
  member_id text collate "C" references members (id) on delete cascade,
  session_id text collate "C" unique,
  created_at timestamptz not null default clock_timestamp(),
  -- when the session ends unless it is refreshed before
  idle_until timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- A session has a member, an id and an end.
  constraint refresh_families_session check (
    (member_id is null) = (session_id is null) and (member_id is null) = (idle_until is null))
);
-- Deletes the expired ones.
create index refresh_families_expiry on refresh_families (expires_at);
-- The families of a client: it has so many at most.
create index refresh_families_client on refresh_families (client_id);
-- The sessions of a member.
create index refresh_families_member on refresh_families (member_id) where member_id is not null;

-- A refresh token. It is used once; used again, its family is revoked.
create table refresh_tokens (
  -- SHA-256: the tokens are 256 random bits
  hash bytea primary key,
  family_id uuid not null references refresh_families (id) on delete cascade,
  -- the access token that came with it
  access_jti text not null,
  access_expires_at timestamptz not null,
  used_at timestamptz
);
-- Revokes a family with its access tokens; and the foreign key.
create index refresh_tokens_family on refresh_tokens (family_id);

-- A code that an operator gives to a member, to sign in once.
create table sign_in_codes (
  -- SHA-256: the codes are 256 random bits
  hash bytea primary key,
  member_id text collate "C" not null references members (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- the session that it began
  family_id uuid references refresh_families (id) on delete set null
);
-- The two foreign keys, when a member or a session is deleted.
create index sign_in_codes_member on sign_in_codes (member_id);
create index sign_in_codes_family on sign_in_codes (family_id);
-- Deletes the expired ones.
create index sign_in_codes_expiry on sign_in_codes (expires_at);

-- The token bucket of a member, as rate_limits is that of an account. Reading the console takes nothing from the programs
-- of the account.
create unlogged table member_rate_limits (
  member_id text collate "C" primary key references members (id) on delete cascade,
  tokens double precision not null,
  refilled_at timestamptz not null,
  granted integer not null
) with (fillfactor = 50);
