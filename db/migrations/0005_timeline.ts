import type { Knex } from 'knex';

/** What a charge's workflow did, step by step. */
export async function up(knex: Knex): Promise<void> {
  // No foreign key: an entry is written with a move of its charge, and checking it would cost every charge.
  await knex.raw(`
    create table charge_timeline (
      charge_id text collate "C" not null,
      -- the order of writing; counts for all accounts, hence never shown
      id bigint generated always as identity,
      at timestamptz not null,
      type text not null,
      -- codes and amounts only
      detail json not null,
      primary key (charge_id, id)
    )`);
}
