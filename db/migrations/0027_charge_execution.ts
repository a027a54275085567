import type { Knex } from 'knex';

/** Charges whose first steps an API process takes by itself, without a workflow. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table accounts
    -- null: as the deployment says
    add column charge_execution text check (charge_execution in ('workflow', 'inline'))`);
  // Until then an API process takes the steps of the charge. Null: its workflow does.
  await knex.raw('alter table charges add column leased_until timestamptz');
}
