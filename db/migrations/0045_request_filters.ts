import type { Knex } from 'knex';

/** Indexes of a table with many rows are made beside the work that goes on. */
export const config = { transaction: false };

/**
 * The log of requests says which members of a body were wrong and which person asked, and is searched by key and by code.
 * Few requests are refused, so the index of codes is small. What is left null was written by the release before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table requests
      -- [{pointer, code}] of a body that was refused; never a value
      add column if not exists errors json,
      add column if not exists member_id text collate "C"`);
  await createIndex(knex, 'requests_key', 'idempotency_key');
  await createIndex(knex, 'requests_code', 'code');
}

/** An index that a failed migration left is invalid, so it is made again. */
async function createIndex(knex: Knex, name: string, column: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(
    `create index concurrently ${name} on requests (account_id, ${column}, id) where ${column} is not null`,
  );
}
