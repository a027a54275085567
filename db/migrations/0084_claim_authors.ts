import type { Knex } from 'knex';

/**
 * A claim names who made it, so that an answer with a secret is repeated to its maker alone, and so that the audit gets its
 * entry with the answer. Claims of the release before name nobody.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    alter table idempotency_keys
      -- a client, or a member
      add column actor_id text collate "C",
      -- the entry of the audit, and what it says was done
      add column audit_id text collate "C",
      add column action text`);
}
