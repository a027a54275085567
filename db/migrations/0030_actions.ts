import type { Knex } from 'knex';

/** Indexes are made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

const open = `status in ('pending', 'requires_action', 'requires_capture')`;

/** The indexes of open charges, which now hold those that wait for their buyer too. */
const indexes: Record<string, string> = {
  charges_open: `(checked_at nulls first) where ${open}`,
  charges_open_workflow: `(workflow_id) where ${open}`,
  charges_cancelling: `(cancel_requested_at) where ${open} and cancel_requested_at is not null`,
  charges_leased: `(leased_until) where leased_until is not null and ${open}`,
};

/** Charges that ask their buyer for something. Each step may be repeated after a failure. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table accounts
    add column if not exists action_ttl_ms bigint not null default 3600000 check (action_ttl_ms > 0)`);
  await knex.raw(`
    alter table charges
      -- where the buyer comes back to; null: the charge may not ask its buyer for anything
      add column if not exists return_url text,
      -- where the buyer confirms it, and until when
      add column if not exists action_url text,
      add column if not exists action_expires_at timestamptz`);
  await replaceChecks(knex);
  for (const [name, definition] of Object.entries(indexes)) await replaceIndex(knex, name, definition);
}

/** Old rows fit the new checks, so that no statement needs to read them under a lock. */
async function replaceChecks(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table charges
      drop constraint if exists charges_status_check,
      drop constraint if exists charges_void_reason_check,
      drop constraint if exists charges_action,
      add constraint charges_status_check check (status in
        ('pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled')) not valid,
      add constraint charges_void_reason_check check (void_reason in
        ('cancelled', 'expired', 'action_expired', 'unresolved')) not valid,
      add constraint charges_action check (
        (status = 'requires_action') = (action_url is not null)
        and (action_url is null) = (action_expires_at is null)
        and (action_url is null or return_url is not null)
        and length(action_url) <= 4096) not valid`);
  for (const name of ['charges_status_check', 'charges_void_reason_check', 'charges_action'])
    await knex.raw(`alter table charges validate constraint ${name}`);
}

/** The statements of the release before fit the wider index too, so it can go on while this one replaces them. */
async function replaceIndex(knex: Knex, name: string, definition: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}_wider`);
  await knex.raw(`create index concurrently ${name}_wider on charges ${definition}`);
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`alter index ${name}_wider rename to ${name}`);
}
