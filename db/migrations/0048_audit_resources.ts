import type { Knex } from 'knex';

/** An index is made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/** Who did something to a resource, such as who made a refund. An index that a failed migration left is invalid. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`drop index concurrently if exists audit_entries_resource`);
  await knex.raw(`
    create index concurrently audit_entries_resource on audit_entries (resource_id, id) where resource_id is not null`);
}
