import type { Knex } from 'knex';

/** The token buckets of clients at the issuer, and revocations that are read once. */
export async function up(knex: Knex): Promise<void> {
  // As rate_limits is for accounts.
  await knex.raw(`
    create unlogged table client_rate_limits (
      client_id text collate "C" primary key references oauth_clients (id) on delete cascade,
      tokens double precision not null,
      refilled_at timestamptz not null,
      granted integer not null
    ) with (fillfactor = 50)`);

  // The transaction that changed the row last: who read while it was under way reads its rows the next time.
  await knex.raw(`
    alter table revocations add column changed_xid xid8 not null default pg_current_xact_id()`);
  await knex.raw(`create index revocations_changed_xid on revocations (changed_xid)`);
  // By a trigger, since the code before this migration changes rows too.
  await knex.raw(`
    create function note_revocation_change() returns trigger language plpgsql as $$
    begin
      new.changed_xid := pg_current_xact_id();
      return new;
    end $$`);
  await knex.raw(`
    create trigger revocations_change before insert or update on revocations
    for each row execute function note_revocation_change()`);
}
