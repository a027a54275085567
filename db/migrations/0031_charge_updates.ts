import type { Knex } from 'knex';

/** Merchants may change the description of a charge that is still sent. May be null, so the release before still runs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table charges
      -- {description}: as the processor is told of an open charge whose description has changed since
      add column first_terms json`);
}
