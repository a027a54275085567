import type { Knex } from 'knex';

/** The index is made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/**
 * A charge names the batch and the row that it was submitted in, for good. The columns may be null, so the release before
 * still runs. Each step may be repeated after a failure.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = '2s'`);
    await transaction.raw(`
      alter table charges
        -- the batch that it is a row of; charge_batch_id names it only while the batch takes the charge's steps
        add column if not exists from_batch_id text collate "C",
        -- counts from 0
        add column if not exists from_batch_row integer`);
  });
  await knex.raw(`drop index concurrently if exists charges_from_batch`);
  await knex.raw(
    `create index concurrently charges_from_batch on charges (from_batch_id, id) where from_batch_id is not null`,
  );
}
