import type { Knex } from 'knex';

/**
 * How many operations of an account run at once, and how many may be open: one account must not take the place of all
 * others.
 */
export async function up(knex: Knex): Promise<void> {
  // Numbered, so that a unique index bounds how many there are. What code before this has running has none.
  await knex.raw(`alter table operations add column slot smallint check (slot > 0)`);
  await knex.raw(`
    create unique index operations_slots on operations (account_id, slot)
    where slot is not null and status in ('queued', 'running', 'cancelling')`);
  await knex.raw(`create index operations_queued on operations (account_id, id) where status = 'queued'`);
  // null: the service's default
  await knex.raw(
    `alter table accounts add column max_open_operations integer check (max_open_operations > 0)`,
  );
}
