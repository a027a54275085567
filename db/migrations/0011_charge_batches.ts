import type { Knex } from 'knex';

/** The rows of charge batches, and who owns a charge while its batch works on it. */
export async function up(knex: Knex): Promise<void> {
  // No foreign key: it is set and cleared with every row of a batch, and checking it would cost each of them.
  await knex.raw(`
    alter table charges
      -- the operation that brings the charge on, instead of a workflow of its own; only until it has settled the row
      -- or handed it over
      add column charge_batch_id text collate "C"`);
  // Emptied once the operation is done: what became of a row is in its charge, its claim and the result by then. No
  // foreign key here either: 10,000 of them are written in the statement that makes their operation.
  await knex.raw(`
    create table charge_batch_rows (
      operation_id text collate "C" not null,
      -- counts from 0
      row integer not null,
      state text not null check (state in ('waiting', 'begun', 'done')),
      -- the valid charge; emptied once it is in a row of charges
      request jsonb,
      charge_id text collate "C",
      -- as POST /v1/charges would have answered
      status smallint,
      -- a problem document
      error json,
      primary key (operation_id, row),
      check ((state = 'waiting') = (request is not null)),
      check ((state = 'done') = (status is not null)),
      check (state <> 'begun' or charge_id is not null)
    )`);
  // Those that are left to do, in order.
  await knex.raw(
    `create index charge_batch_rows_left on charge_batch_rows (operation_id, state, row) where state <> 'done'`,
  );
}
