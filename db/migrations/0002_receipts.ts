import type { Knex } from 'knex';

/** An index is made beside what runs, which no transaction can do. */
export const config = { transaction: false };

/** What the processor told of a payment, for receipts and support (`domain/cards/receipt.ts`). Each step may be repeated. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- as it is shown; null: nothing was told yet, or by a release before
    alter table charges add column if not exists receipt json`);
  await knex.raw(`
    -- of the processor that takes it, when it was chosen; null: by a release before
    alter table charges add column if not exists processor_kind text`);
  await knex.raw(`
    -- Charges by the processor's own reference, which a support desk reads in the processor's dashboard.
    create index concurrently if not exists charges_processor_reference
      on charges (account_id, (receipt->>'reference'), id) where receipt is not null`);
}
