import type { Knex } from 'knex';

/**
 * What people did: a row a write, made before the write and completed after it (`api/http/audit.ts`). Clients have none.
 * It refers to nothing: it outlives members and accounts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entries (
      -- carries the time; in this order retention deletes
      id text collate "C" primary key,
      -- null: about the service, not about an account
      account_id text collate "C",
      actor_kind text not null check (actor_kind in ('member', 'operator')),
      -- null: nobody knows who, as of a sign-in that failed
      actor_id text collate "C",
      -- as it was then
      actor_name text,
      action text collate "C" not null,
      resource_id text collate "C",
      trace_id text collate "C" not null,
      -- of the answer; null: under way, or its end was not seen
      status smallint,
      is_replayed boolean not null default false,
      reason text
    )`);
  await knex.raw(`create index audit_entries_account on audit_entries (account_id, id)`);
  await knex.raw(`create index audit_entries_actor on audit_entries (actor_id, id)`);

  await knex.raw(`
    create function refuse_to_change_audit_entry() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit entry % stays as it is until its retention is over', old.id
        using errcode = 'restrict_violation', constraint = 'audit_entries_are_kept';
    end $$`);
  await knex.raw(`
    create trigger audit_entries_are_kept before delete on audit_entries for each row
    when (current_setting('payments.retention', true) is distinct from 'on')
    execute function refuse_to_change_audit_entry()`);
  await knex.raw(`
    create trigger audit_entries_end_once before update on audit_entries for each row
    when (old.status is not null
      or (old.id, old.account_id, old.actor_kind, old.actor_id, old.actor_name, old.action, old.trace_id, old.reason)
        is distinct from
        (new.id, new.account_id, new.actor_kind, new.actor_id, new.actor_name, new.action, new.trace_id, new.reason))
    execute function refuse_to_change_audit_entry()`);
}
