import type { Knex } from 'knex';

/**
 * Restores of the database to an earlier time. While one is not repaired, no claim is made and no row of a batch begins: a
 * retry of a lost request would move its money again. The release before knows nothing of it, and goes on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table database_restores (
      -- what was committed later is lost
      restored_to timestamptz primary key,
      recorded_at timestamptz not null default clock_timestamp(),
      -- how far the sequences of events were moved on
      sequence_gap bigint not null check (sequence_gap > 0),
      repaired_at timestamptz
    )`);
}
