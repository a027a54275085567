import type { Knex } from 'knex';

/** Fair turns for open rows, and rows of which a step of the upkeep failed. */
export async function up(knex: Knex): Promise<void> {
  // A new row counts as checked when it is made. So the index by `checked_at` is one queue, in which a new row stands
  // behind those that wait already. Rows of before keep their null, and come first, once.
  for (const table of ['charges', 'refunds', 'operations']) {
    await knex.raw(`alter table ${table} alter column checked_at set default clock_timestamp()`);
  }
  await knex.raw(`
    create table upkeep_faults (
      -- the activity, such as 'restartLostCharges'
      step text not null,
      row_id text collate "C" not null,
      failures integer not null default 1 check (failures > 0),
      first_at timestamptz not null default clock_timestamp(),
      -- the step leaves the row alone until then
      retry_at timestamptz not null,
      primary key (step, row_id)
    )`);
}
