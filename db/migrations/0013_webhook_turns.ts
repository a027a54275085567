import type { Knex } from 'knex';

/** Which turn delivers for an endpoint. */
export async function up(knex: Knex): Promise<void> {
  // Taken by each turn, and asked for by its reads: one that was given up on (its worker stalled, say) and is still
  // there reads nothing any more. It costs an update a turn, where a claim on each delivery would double its writes.
  await knex.raw(`alter table webhook_endpoints add column turn_id text`);
}
