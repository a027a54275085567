import type { Knex } from 'knex';

/** The token buckets of accounts. */
export async function up(knex: Knex): Promise<void> {
  // Unlogged, since a lease must not wait for the disk: after a crash of Postgres every bucket is full, no more.
  await knex.raw(`
    create unlogged table rate_limits (
      account_id text collate "C" primary key references accounts (id) on delete cascade,
      -- what was in the bucket at refilled_at
      tokens double precision not null,
      refilled_at timestamptz not null,
      -- what the last lease took; only there to be returned by the statement that took it
      granted integer not null
    ) with (fillfactor = 50)`);
}
