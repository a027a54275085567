import type { Knex } from 'knex';

/** How far the results of operations are written, so that another worker goes on where one stopped. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table operation_uploads (
      operation_id text collate "C" primary key references operations (id) on delete cascade,
      blob_key text collate "C" not null,
      -- what the blob store calls the upload
      upload_id text not null,
      content_type text not null,
      -- rows to be written, and the position of the last of them, as found when it began
      total bigint not null check (total >= 0),
      last_position text collate "C",
      -- the attempt that may add parts: whoever takes the upload over sets its own
      attempt uuid not null,
      -- never used before by any attempt, so that a late one overwrites nothing
      next_part integer not null default 1,
      created_at timestamptz not null default clock_timestamp()
    )`);
  await knex.raw(`
    create table operation_parts (
      operation_id text collate "C" not null references operation_uploads (operation_id) on delete cascade,
      number integer not null check (number > 0),
      -- in this part
      rows bigint not null check (rows >= 0),
      -- up to and with which row all is written
      position text collate "C" not null,
      size bigint not null check (size >= 0),
      -- what the blob store calls this part
      etag text not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (operation_id, number)
    )`);
}
