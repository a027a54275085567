-- Customers and the cards they keep on file.

-- A customer of an account.
create table customers (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id) on delete cascade,
  name text,
  email text,
  description text,
  metadata json not null default '{}',
  default_payment_method text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  version integer not null default 1,
  -- Of a deleted customer nothing is kept but its id.
  constraint customers_erased check (deleted_at is null or (name is null and email is null and description is null
    and metadata::text = '{}' and default_payment_method is null))
);
-- The customers of an account, newest first: the id carries the time.
create index customers_account on customers (account_id, id) where deleted_at is null;
-- The customers with an e-mail address.
create index customers_account_email on customers (account_id, email, id)
  where email is not null and deleted_at is null;

-- A card on file.
create table payment_methods (
  id text collate "C" primary key,
  customer_id text collate "C" not null references customers (id) on delete cascade,
  -- A processor with cards on file is never deleted. Null: the built-in one.
  processor_id text collate "C" constraint payment_methods_processor references processors (id),
  -- what the processor knows the card by; never shown
  processor_token text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null check (exp_year between 2000 and 9999),
  created_at timestamptz not null default clock_timestamp(),
  -- The cards of a customer, in the order of ids; and the foreign key below.
  unique (customer_id, id)
);

-- The default is a card of the customer, and no longer than it is attached.
alter table customers add constraint customers_default_payment_method
  foreign key (id, default_payment_method) references payment_methods (customer_id, id);
