import type { Knex } from 'knex';

/** What a charge's workflow did, step by step. */
export async function up(knex: Knex): Promise<void> {
  // A row holds all that one step noted, so that a charge pays for one row; nobody asks for an entry alone.
  // No foreign key: a row is written with a move of its charge, and checking it would cost every charge.
  await knex.raw(`
    create table charge_timeline (
      charge_id text collate "C" not null,
      -- the order of writing; counts for all accounts, hence never shown
      id bigint generated always as identity,
      -- [{at, type, detail}], in order; codes and amounts only
      entries json not null,
      primary key (charge_id, id)
    )`);
}
