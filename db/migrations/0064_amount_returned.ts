import type { Knex } from 'knex';

/** The change of the table is quick, and the check reads it beside the work that goes on. */
export const config = { transaction: false };

/**
 * What the processor took back of a charge after it had paid it. The release before leaves it out. Each step may be
 * repeated after a failure.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = '2s'`);
    await transaction.raw(`
      alter table charges
        add column if not exists amount_returned bigint not null default 0,
        drop constraint if exists charges_returned,
        add constraint charges_returned check (amount_returned between 0 and amount_captured) not valid`);
  });
  await knex.raw(`alter table charges validate constraint charges_returned`);
}
