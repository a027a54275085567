import type { Knex } from 'knex';

/**
 * Which cluster the transaction ids in `created_xid` and `snapshot` are from. A dump, logical replication and a copy
 * take them along to clusters where they mean nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    create function system_identifier() returns text stable language sql
    as 'select c.system_identifier::text from pg_control_system() c'`);
  // No row: nobody knows, until a command has made the rows visible to all.
  await knex.raw(`
    create table xid_origin (
      only_row boolean primary key default true check (only_row),
      system_identifier text not null default system_identifier(),
      recorded_at timestamptz not null default clock_timestamp()
    )`);
  await knex.raw(`insert into xid_origin default values`);
  // null: a snapshot of before, which is over, or one that means nothing here
  await knex.raw(`alter table operations add column snapshot_of text collate "C"`);
  await knex.raw(`alter table operations alter column snapshot_of set default system_identifier()`);
  await knex.raw(`update operations set snapshot_of = default where done_at is null`);

  // A snapshot is taken only where it tells the rows apart. "for key share" makes whoever takes the row away wait.
  await knex.raw(`
    create function require_own_xids() returns trigger language plpgsql as $$
    begin
      perform from xid_origin o where o.system_identifier = system_identifier() for key share;
      if not found then
        raise 'The transaction ids of the rows are from another cluster: run npm run admin -- database adopt'
          using errcode = 'XIDS1';
      end if;
      return null;
    end $$`);
  await knex.raw(`
    create trigger operations_own_xids after insert on operations for each row
    when (new.type in ('export', 'webhook_replay')) execute function require_own_xids()`);

  await knex.raw(`
    create function operation_snapshot(operation_id text) returns pg_snapshot stable language plpgsql as $$
    declare
      found_snapshot pg_snapshot;
    begin
      select o.snapshot into found_snapshot from operations o
      where o.id = operation_id and o.snapshot_of = system_identifier();
      if not found then
        raise 'The snapshot of % is from another cluster', operation_id using errcode = 'XIDS2';
      end if;
      return found_snapshot;
    end $$`);
}
