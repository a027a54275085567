import type { Knex } from 'knex';

/** The index is made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/** A page of a timeline reads what is on it: rows by the time of their first entry. May be repeated after a failure. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists charge_timeline_in_time');
  // As text, since a cast to a time is none that an index can have: ISO 8601 in UTC sorts as the times do.
  await knex.raw(`
    create index concurrently charge_timeline_in_time
    on charge_timeline (charge_id, ((entries -> 0 ->> 'at') collate "C"))`);
}
