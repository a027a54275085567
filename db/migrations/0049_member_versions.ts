import type { Knex } from 'knex';

/** Members get a version, so that a change can be based on what was read. A trigger counts, for the release before too. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`
    alter table members
      add column version integer not null default 1,
      add column updated_at timestamptz not null default now()`);
  await knex.raw(`
    create function count_member_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      new.updated_at := clock_timestamp();
      return new;
    end $$`);
  await knex.raw(`
    create trigger members_version before update on members for each row
    execute function count_member_version()`);
}
