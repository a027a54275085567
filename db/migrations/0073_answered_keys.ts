import type { Knex } from 'knex';

/** A key that was answered late keeps its claim for a day from then on, as {@link ./0017_kept_claims.ts} has it since its begin. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace trigger begun_claims_are_kept before delete on idempotency_keys for each row
    when (old.begun_at is not null
      and greatest(old.created_at, old.answered_at) > clock_timestamp() - interval '24 hours'
      and current_setting('payments.retention', true) is distinct from 'on')
    execute function refuse_to_free_claim()`);
}
