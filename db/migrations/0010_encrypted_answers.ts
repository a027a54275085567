import type { Knex } from 'knex';

/** Answers that show a secret, and the filter of events by type. */
export async function up(knex: Knex): Promise<void> {
  // Encrypted: the body is AES-256-GCM under SECRETS_KEY, its place is 'idempotency_keys/<claim id>'.
  await knex.raw(`alter table idempotency_keys add column answer_encrypted boolean not null default false`);
  await knex.raw(`create index events_account_type on events (account_id, type, sequence)`);
}
