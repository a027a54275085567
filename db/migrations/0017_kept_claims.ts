import type { Knex } from 'knex';

/**
 * A claim that has begun keeps its key and its resource, and is deleted by retention only: one key, one resource.
 *
 * Nothing on the way of a charge fires these triggers: it never deletes a claim that has begun, nor sets these columns
 * of one. A worker of an earlier release, which frees the key of a charge that it voids, is refused; its run goes on
 * with a worker of this one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function refuse_to_free_claim() returns trigger language plpgsql as $$
    begin
      -- an account takes everything along that it owns
      if tg_op = 'DELETE' and not exists (select from accounts where id = old.account_id) then
        return old;
      end if;
      raise exception 'The claim % has begun: it keeps its key until its retention is over', old.claim_id
        using errcode = 'restrict_violation', constraint = 'begun_claims_are_kept';
    end $$`);
  await knex.raw(`
    create trigger begun_claims_are_kept before delete on idempotency_keys for each row
    when (old.begun_at is not null
      and old.created_at > clock_timestamp() - interval '24 hours'
      -- for as long as the setting says, which may be less: db/writes/idempotency-keys.ts
      and current_setting('payments.retention', true) is distinct from 'on')
    execute function refuse_to_free_claim()`);
  await knex.raw(`
    create trigger begun_claims_keep_their_resource
    before update of account_id, endpoint, key, claim_id, fingerprint, resource_id on idempotency_keys for each row
    when (old.begun_at is not null and (old.account_id, old.endpoint, old.key, old.claim_id, old.fingerprint, old.resource_id)
      is distinct from (new.account_id, new.endpoint, new.key, new.claim_id, new.fingerprint, new.resource_id))
    execute function refuse_to_free_claim()`);
}
