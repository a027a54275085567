import type { Knex } from 'knex';

/** Whether a reconciliation examined each possible difference. The release before leaves it out. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table reconciliations add column complete boolean`);
}
