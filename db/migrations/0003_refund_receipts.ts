import type { Knex } from 'knex';

/** An index is made beside what runs, which no transaction can do. */
export const config = { transaction: false };

/** What the processor told of a refund, for support and the buyer's bank (`domain/cards/receipt.ts`). Each step may be repeated. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- as it is shown; null: made by a release before
    alter table refunds add column if not exists receipt json`);
  await knex.raw(`
    -- Refunds by the processor's own reference, which a support desk reads in the processor's dashboard.
    create index concurrently if not exists refunds_processor_reference
      on refunds (account_id, (receipt->'processor'->>'reference'), id) where receipt is not null`);
}
