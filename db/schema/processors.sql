-- Processors that accounts choose, what they tell, and their ledgers as reconciliation reads them.
-- The built-in processor of PROCESSOR_URL has no row. Elsewhere null names it, or an empty text where it is part of a key.

-- A processor that an operator set up.
create table processors (
  id text collate "C" primary key,
  -- the kind of its adapter, such as 'sandbox'
  kind text not null,
  name text not null,
  mode text not null check (mode in ('test', 'live')),
  -- the account at the processor that the key belongs to; a new key must name the same
  external_account text not null,
  -- null: the kind's own
  url text,
  -- settings of its kind, as names and texts
  options json not null default '{}',
  -- encrypted
  key bytea not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default clock_timestamp(),
  -- grows with every change, of its webhook secrets too
  version integer not null default 1
);

-- The secrets that a processor signs its notifications with.
create table processor_secrets (
  id text collate "C" primary key,
  processor_id text collate "C" not null references processors (id) on delete cascade,
  -- encrypted
  secret bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
-- The secrets of a processor; and the foreign key.
create index processor_secrets_processor on processor_secrets (processor_id);

-- Which processors an account uses. The first one that takes the currency takes a new charge.
create table account_processors (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  -- A processor in use is never deleted.
  processor_id text collate "C" not null references processors (id),
  position integer not null,
  -- null: all
  currencies text[] check (cardinality(currencies) > 0),
  primary key (account_id, processor_id)
);
-- The accounts of a processor; and the foreign key.
create index account_processors_processor on account_processors (processor_id);

-- What a processor told of charges and refunds that wait for it. It is stored before it is answered, so an outage of
-- Temporal loses none of it.
create table processor_notifications (
  -- the processor's own: one that is told again keeps it
  id text collate "C" primary key check (length(id) between 1 and 255),
  -- ours: the charge or refund that has news
  key text collate "C" not null check (length(key) between 1 and 255),
  received_at timestamptz not null default clock_timestamp(),
  -- when its run was last woken
  woken_at timestamptz,
  -- when the processor was asked after it came, or nothing was open any more
  delivered_at timestamptz
);
-- The sweep's: undelivered ones, oldest first.
create index processor_notifications_due on processor_notifications (received_at) where delivered_at is null;
-- The news of a charge or refund.
create index processor_notifications_open on processor_notifications (key, received_at) where delivered_at is null;
-- Deletes old ones.
create index processor_notifications_received on processor_notifications (received_at);

-- How far the ledger of a processor was read, page by page.
create table processor_books (
  -- empty: the built-in processor
  processor_id text collate "C" primary key,
  -- where the next reading begins; null: at the beginning
  position text collate "C",
  read_at timestamptz
);

-- The entries of the ledgers, as they were read.
create table processor_movements (
  processor_id text collate "C" not null,
  -- the position that the page was read after; empty: the first. A page that is read again replaces its rows
  page text collate "C" not null,
  kind text not null,
  key text collate "C" not null,
  charge_key text collate "C",
  -- the processor's reference of the payment, where the charge is not known: a refund that was made elsewhere
  payment_ref text collate "C",
  amount bigint not null,
  -- Each entry can be compared with a payment.
  constraint processor_movements_charge_known check (charge_key is not null or payment_ref is not null)
);
-- Replaces a page.
create index processor_movements_page on processor_movements (processor_id, page);
-- The entries of a charge.
create index processor_movements_charge on processor_movements (charge_key);
-- The entries of a refund.
create index processor_movements_key on processor_movements (key);
