import type { Knex } from 'knex';

/** How far an operation is whose work is in the rows it writes, and not in a file. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table operations add column checkpoint bigint`);
}
