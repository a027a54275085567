import type { Knex } from 'knex';

/** An index is made beside what runs, which no transaction can do. */
export const config = { transaction: false };

/** Refunds that were made at the processor itself, and taken into our rows. Each step may be repeated. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- who made it: a caller of ours, or somebody at the processor
    alter table refunds add column if not exists source text not null default 'api'
      constraint refunds_source check (source in ('api', 'processor'))`);
  await knex.raw(`
    -- Each one at the processor becomes one row, whoever sees it first.
    create unique index concurrently if not exists refunds_adopted
      on refunds (charge_id, (receipt->'processor'->>'reference')) where source = 'processor'`);
  await knex.raw(`
    -- The charge of a payment that a notification names.
    create index concurrently if not exists charges_processor_ref
      on charges (processor_ref) where processor_ref is not null`);
  await knex.raw(`
    -- The entries of a payment whose charge the ledger does not name.
    create index concurrently if not exists processor_movements_payment
      on processor_movements (payment_ref) where payment_ref is not null`);
}
