import type { Knex } from 'knex';

/** From where somebody signed in, or tried to. It is personal data, and goes with its entry when retention deletes that. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table audit_entries add column address inet`);
  await knex.raw(`
    create or replace trigger audit_entries_end_once before update on audit_entries for each row
    when (old.status is not null
      or (old.id, old.account_id, old.actor_kind, old.actor_id, old.actor_name, old.action, old.trace_id, old.reason,
          old.address)
        is distinct from
        (new.id, new.account_id, new.actor_kind, new.actor_id, new.actor_name, new.action, new.trace_id, new.reason,
          new.address))
    execute function refuse_to_change_audit_entry()`);
}
