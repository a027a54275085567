import type { Knex } from 'knex';

/**
 * A refund that was made elsewhere names its payment by the processor's reference, and the row of the charge tells the rest.
 * The release before asked the processor about each instead, and leaves the column out.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    alter table processor_movements
      alter column charge_key drop not null,
      -- the processor's reference of the payment, where the charge is not known
      add column payment_ref text collate "C",
      add constraint processor_movements_charge_known
        check (charge_key is not null or payment_ref is not null) not valid`);
}
