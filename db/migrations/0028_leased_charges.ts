import type { Knex } from 'knex';

/** The index is made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/** Finds open charges whose API process died. A charge that is done leaves the index. May be repeated after a failure. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists charges_leased');
  await knex.raw(`
    create index concurrently charges_leased on charges (leased_until)
    where leased_until is not null and status in ('pending', 'requires_capture')`);
}
