import type { Knex } from 'knex';

/** Processors that accounts choose, and which of them each payment went to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    )`);
  await knex.raw(`
    create table processor_secrets (
      id text collate "C" primary key,
      processor_id text collate "C" not null references processors (id) on delete cascade,
      -- encrypted; signs notifications of the processor
      secret bytea not null,
      created_at timestamptz not null default clock_timestamp()
    )`);
  await knex.raw(`create index processor_secrets_processor on processor_secrets (processor_id)`);
  await knex.raw(`
    create table account_processors (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      processor_id text collate "C" not null references processors (id),
      -- the first one that takes the currency takes a new charge
      position integer not null,
      -- null: all
      currencies text[] check (cardinality(currencies) > 0),
      primary key (account_id, processor_id)
    )`);
  await knex.raw(`create index account_processors_processor on account_processors (processor_id)`);

  // Null: the built-in processor of PROCESSOR_URL, as all rows of older releases. Old rows need no check.
  await knex.raw(`
    alter table charges
      add column processor_id text collate "C",
      add column processor_ref text collate "C",
      add column processor_attempt integer not null default 1,
      add column capture_attempt integer not null default 1`);
  await knex.raw(`
    alter table charges
      add constraint charges_processor foreign key (processor_id) references processors (id) not valid,
      add constraint charges_processor_ref check (length(processor_ref) between 1 and 255) not valid`);
  await knex.raw(`
    alter table refunds
      add column processor_attempt integer not null default 1,
      -- not sent again before then
      add column send_after timestamptz`);
  await knex.raw(`alter table payment_methods add column processor_id text collate "C"`);
  await knex.raw(`
    alter table payment_methods add constraint payment_methods_processor
    foreign key (processor_id) references processors (id) not valid`);

  // The claim decides the processor, and its first reference is kept: money moves under that one only.
  await knex.raw(`
    create function keep_processor() returns trigger language plpgsql as $$
    begin
      raise exception 'charge % stays with its processor', old.id
        using errcode = 'check_violation', constraint = 'charges_processor_kept';
    end $$`);
  await knex.raw(`
    create trigger charges_processor_kept before update of processor_id, processor_ref on charges
    for each row when (old.processor_id is distinct from new.processor_id
      or (old.processor_ref is not null and old.processor_ref is distinct from new.processor_ref))
    execute function keep_processor()`);

  // The processors' ledgers as reconciliation has read them so far, page by page.
  await knex.raw(`
    create table processor_books (
      -- empty: the built-in processor
      processor_id text collate "C" primary key,
      -- where the next reading begins; null: at the beginning
      position text collate "C",
      read_at timestamptz
    )`);
  await knex.raw(`
    create table processor_movements (
      processor_id text collate "C" not null,
      -- the position that the page was read after; empty: the first. A page that is read again replaces its rows
      page text collate "C" not null,
      kind text not null,
      key text collate "C" not null,
      charge_key text collate "C" not null,
      amount bigint not null
    )`);
  await knex.raw(`create index processor_movements_page on processor_movements (processor_id, page)`);
  await knex.raw(`create index processor_movements_charge on processor_movements (charge_key)`);
  await knex.raw(`create index processor_movements_key on processor_movements (key)`);
}
