import type { Knex } from 'knex';

/** How many possible differences a reconciliation left to another run. The release before leaves it out. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`alter table reconciliations add column unexamined bigint`);
}
