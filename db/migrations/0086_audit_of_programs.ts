import type { Knex } from 'knex';

/**
 * The audit names programs too. The entry of a write with a key is made by the statement that stores its answer, whichever
 * one that is: so it is in the transaction of the change, and no way of a write can leave it out. A claim that the audit does
 * not want has no `audit_id`, and calls no function. Entries can be exported, so they keep the transaction that made them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    alter table audit_entries
      drop constraint audit_entries_actor_kind_check,
      add constraint audit_entries_actor_kind_check check (actor_kind in ('member', 'operator', 'client')) not valid,
      -- rows that exist are visible to every snapshot
      add column created_xid xid8 not null default '0'`);
  await knex.raw(`alter table audit_entries alter column created_xid set default pg_current_xact_id()`);
  await knex.raw(`
    create or replace trigger audit_entries_end_once before update on audit_entries for each row
    when (
      (old.id, old.account_id, old.actor_kind, old.actor_id, old.actor_name, old.action, old.trace_id, old.reason,
          old.address)
        is distinct from
        (new.id, new.account_id, new.actor_kind, new.actor_id, new.actor_name, new.action, new.trace_id, new.reason,
          new.address)
      or old.status is not null and (old.status, old.resource_id, old.is_replayed)
        is distinct from (new.status, new.resource_id, new.is_replayed))
    execute function refuse_to_change_audit_entry()`);

  await knex.raw(`
    create function audit_answer() returns trigger language plpgsql as $$
    begin
      insert into audit_entries
        (id, account_id, actor_kind, actor_id, actor_name, action, resource_id, trace_id, status)
      select new.audit_id, new.account_id, case when c.id is null then 'member' else 'client' end, new.actor_id,
        coalesce(c.name, m.name), new.action,
        -- a refusal made nothing, unless it names what it made, as a decline does
        case when new.answer_status < 400 or position(convert_to(new.resource_id, 'UTF8') in new.answer_body) > 0
          then new.resource_id
          else substring(new.path from '/([a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25})(?![^/:?])') end,
        new.trace_id, new.answer_status
      from (values (1)) as one
      left join oauth_clients c on c.id = new.actor_id
      left join members m on m.id = new.actor_id
      -- a caller who left before the answer
      on conflict (id) do update set status = excluded.status, resource_id = excluded.resource_id
      where audit_entries.status is null;
      return null;
    end $$`);
  await knex.raw(`
    create trigger claims_are_audited_when_made after insert on idempotency_keys for each row
    when (new.audit_id is not null and new.answered_at is not null) execute function audit_answer()`);
  await knex.raw(`
    create trigger claims_are_audited after update of answered_at on idempotency_keys for each row
    when (new.audit_id is not null and new.answered_at is not null and old.answered_at is null)
    execute function audit_answer()`);
}
