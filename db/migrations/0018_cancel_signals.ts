import type { Knex } from 'knex';

/** When the sweep last signalled a cancel, so that it does so ever less often. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table charges add column cancel_hastened_at timestamptz`);
  await knex.raw(`alter table operations add column cancel_hastened_at timestamptz`);
}
