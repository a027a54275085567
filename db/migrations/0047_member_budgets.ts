import type { Knex } from 'knex';

/** The token buckets of members: looking at the console takes nothing from the programs of the account. */
export async function up(knex: Knex): Promise<void> {
  // As rate_limits is for accounts.
  await knex.raw(`
    create unlogged table member_rate_limits (
      member_id text collate "C" primary key references members (id) on delete cascade,
      tokens double precision not null,
      refilled_at timestamptz not null,
      granted integer not null
    ) with (fillfactor = 50)`);
}
