import type { Knex } from 'knex';

/** The trace that an event happened in, so that what is done because of it is found there too. */
export async function up(knex: Knex): Promise<void> {
  // W3C Trace Context; null: in none, or by a process of before.
  await knex.raw(`alter table events add column traceparent text`);
}
