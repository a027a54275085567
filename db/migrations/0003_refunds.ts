import type { Knex } from 'knex';

/** Refunds, and how long an account's can be reversed and take to settle. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table accounts
      add column refund_reversible_ms bigint not null default 3600000 check (refund_reversible_ms > 0),
      add column refund_settlement_ms bigint not null default 86400000,
      -- what is settled is settled for good
      add check (refund_settlement_ms >= refund_reversible_ms)`);

  await knex.raw(`
    create table refunds (
      id text collate "C" primary key,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      charge_id text collate "C" not null references charges (id) on delete cascade,
      claim_id text collate "C" not null unique,
      workflow_id text collate "C" not null,
      amount bigint not null check (amount between 1 and 99999999999),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      status text not null check (status in ('pending', 'processed', 'settled', 'failed', 'reversed')),
      reason text check (reason in ('duplicate', 'fraudulent', 'requested_by_customer')),
      metadata json not null default '{}',
      failure json,
      processor_pending boolean not null default false,
      processor_fault text,
      reversal_claim_id text collate "C",
      reversible_until timestamptz,
      settles_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null default clock_timestamp(),
      version integer not null default 1,
      -- which transaction made the row: exports show what was there when they were asked for
      created_xid xid8 not null default pg_current_xact_id(),
      -- when the sweep last saw that a workflow runs for it
      checked_at timestamptz,
      check ((status = 'failed') = (failure is not null)),
      check ((status in ('pending', 'failed')) = (reversible_until is null)),
      check ((reversible_until is null) = (settles_at is null)),
      check (settles_at >= reversible_until),
      check (reversal_claim_id is null or status in ('processed', 'reversed')),
      check (reversal_claim_id is not null or status <> 'reversed')
    )`);
  // Newest first, and the filter by time: the id carries the time.
  await knex.raw(`create index refunds_account on refunds (account_id, id)`);
  await knex.raw(`create index refunds_account_status on refunds (account_id, status, id)`);
  await knex.raw(`create index refunds_account_charge on refunds (account_id, charge_id, id)`);
  // For the foreign key, when an account is deleted with its charges.
  await knex.raw(`create index refunds_charge on refunds (charge_id)`);
  await knex.raw(
    `create index refunds_open on refunds (checked_at nulls first) where status in ('pending', 'processed')`,
  );
  await knex.raw(
    `create index refunds_open_workflow on refunds (workflow_id) where status in ('pending', 'processed')`,
  );
  await knex.raw(`create index refunds_pending on refunds (id) where status = 'pending'`);
}
