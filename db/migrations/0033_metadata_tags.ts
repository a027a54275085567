import type { Knex } from 'knex';

/** The rows of a large table are tagged in pieces, each of which commits by itself. */
export const config = { transaction: false };

const tables = ['charges', 'refunds', 'customers'];

/** Rows of one statement. */
const taggedAtOnce = 5_000;

/**
 * Lists filtered by `metadata[key]=value`: a tag for each key and value, in the order of ids.
 *
 * Triggers write them, so that the release before tags its rows too, and no statement of a charge has another part. They
 * fire for rows with metadata alone, and for updates that name the column; steps that move money never do. Each step may
 * be repeated after a failure.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists metadata_tags (
      tag bytea not null,
      -- of the charge, the refund or the customer
      id text collate "C" not null,
      primary key (tag, id)
    )`);
  // Like toTag of db/metadata-tags.ts. What two tags have in common by chance is sorted out by whoever reads the rows.
  await knex.raw(`
    create or replace function metadata_tag(account_id text, key text, value text) returns bytea
    language sql immutable parallel safe
    as $$ select substr(sha256(convert_to(account_id || ' ' || key || '=' || value, 'UTF8')), 1, 8) $$`);
  await knex.raw(`
    create or replace function keep_metadata_tags() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from metadata_tags t using json_each_text(old.metadata) m
        where t.tag = metadata_tag(old.account_id, m.key, m.value) and t.id = old.id;
      end if;
      if tg_op <> 'DELETE' then
        insert into metadata_tags (tag, id)
        select metadata_tag(new.account_id, m.key, m.value), new.id from json_each_text(new.metadata) m
        on conflict do nothing;
      end if;
      return null;
    end $$`);
  for (const table of tables) {
    await knex.transaction((transaction) => createTriggers(transaction, table));
    await tagRows(knex, table);
  }
}

async function createTriggers(transaction: Knex, table: string): Promise<void> {
  await transaction.raw(`set local lock_timeout = '2s'`);
  const create = (name: string, when: string, condition: string) =>
    transaction.raw(`
      create or replace trigger metadata_tags_${name} after ${when} on ${table} for each row
      when (${condition}) execute function keep_metadata_tags()`);
  await create('insert', 'insert', `new.metadata::text <> '{}'`);
  await create('update', 'update of metadata', 'old.metadata::text <> new.metadata::text');
  await create('delete', 'delete', `old.metadata::text <> '{}'`);
}

/** Tags the rows that were there before the triggers. A tag that is too much, by a change meanwhile, does no harm. */
async function tagRows(knex: Knex, table: string): Promise<void> {
  let after: string | null = '';
  while (after !== null) {
    const { rows }: { rows: { last: string | null }[] } = await knex.raw(
      `with page as materialized (
         select id, account_id, metadata from ${table} where id > ? order by id limit ${taggedAtOnce}
       ), tagged as (
         insert into metadata_tags (tag, id)
         select metadata_tag(p.account_id, m.key, m.value), p.id from page p, json_each_text(p.metadata) m
         on conflict do nothing
       )
       select max(id) as last from page`,
      [after],
    );
    after = rows[0]?.last ?? null;
  }
}
