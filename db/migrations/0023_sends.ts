import type { Knex } from 'knex';

/** Since when a charge may have been sent, so that what never left is not taken for unknown. */
export async function up(knex: Knex): Promise<void> {
  // No defaults: `sends is null` reads "made by a release that did not count", which may have sent it when it was made.
  await knex.raw(`
    alter table charges
      -- the first send that may have had an effect, by this clock; null: none had one
      add column sent_at timestamptz,
      -- sends that were begun, whether they came to anything or not
      add column sends integer`);
  // How long a charge that never left is sent, when it can be.
  await knex.raw(`
    alter table accounts
      add column pending_timeout_ms bigint not null default 86400000 check (pending_timeout_ms > 0)`);
}
