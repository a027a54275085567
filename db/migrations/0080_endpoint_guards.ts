import type { Knex } from 'knex';

/**
 * The version of the set of an account's webhook endpoints. A request that adds one, or has one deliver to another URL,
 * reads it before it counts, so that requests at the same time cannot exceed the limits together.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table accounts add column webhook_endpoints_version integer not null default 0`);
}
