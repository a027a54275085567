import type { Knex } from 'knex';

/**
 * A row of the log of requests may stand for several that were refused alike. The release before inserts rows for one each.
 * A constant default does not rewrite the table.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`alter table requests add column if not exists count integer not null default 1`);
}
