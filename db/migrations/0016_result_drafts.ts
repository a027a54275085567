import type { Knex } from 'knex';

/** Files that are written under names of their own and not told of yet, so that none is forgotten. */
export async function up(knex: Knex): Promise<void> {
  // No foreign key: what an operation that is gone has left is still to be deleted.
  await knex.raw(`
    create table result_drafts (
      blob_key text collate "C" primary key,
      -- what the blob store calls the upload; null: not begun yet, as far as is known
      upload_id text,
      operation_id text collate "C" not null,
      begun_at timestamptz not null default clock_timestamp()
    )`);
  await knex.raw(`create index result_drafts_begun on result_drafts (begun_at)`);
}
