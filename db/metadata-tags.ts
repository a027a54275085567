import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { prepared, type Database } from './knex.ts';
import {
  equalsAny,
  searchPage,
  type Condition,
  type Filters,
  type Found,
  type IdRange,
  type Page,
} from './pages.ts';

/**
 * Lists filtered by metadata. Each key and value of a row has a tag, in the order of ids, so that a page is read in its
 * order whether few rows have the value or all of them. Triggers keep the tags (`db/schema/metadata.sql`).
 */

/** Keys with the values that a row must have, all of them. */
export type MetadataFilter = Readonly<Record<string, string>>;

/** A list of rows with metadata: a table under the alias `c`. */
export interface TaggedList {
  name: string;
  columns: string;
  table: 'charges' | 'refunds' | 'customers';
  /** How the ids of its rows begin. */
  prefix: string;
  /** (Default: `c`) */
  alias?: string;
}

/** Rows that one page looks through. Each is read by its id. */
const mostScanned = 10_000;

/** Searches one page of an account's rows, newest first: those with the metadata, if it is given. */
export function searchResources<Row extends QueryResultRow>(
  db: Database,
  list: TaggedList,
  { accountId, metadata }: { accountId: string; metadata: MetadataFilter | undefined },
  filters: Filters,
  range: IdRange,
  page: Page,
): Promise<Found<Row>> {
  const { name, columns, table, alias = 'c' } = list;
  if (metadata) return searchTaggedPage(db, list, { accountId, metadata }, filters, range, page);
  const all = { name, select: `select ${columns} from ${table} ${alias}`, table: `${table} ${alias}` };
  return searchPage<Row>(db, all, filters, range, page);
}

/** Searches one page of the rows that have the metadata. The filters of the list are checked on them. */
export async function searchTaggedPage<Row extends QueryResultRow>(
  db: Database,
  { name, columns, table, prefix, alias = 'c' }: TaggedList,
  { accountId, metadata }: { accountId: string; metadata: MetadataFilter },
  { indexed = [], anyOf, checked = [] }: Filters,
  { from = prefix, before = `${prefix}~` }: IdRange,
  page: Page,
  scanned = mostScanned,
): Promise<Found<Row>> {
  const range = { from, before };
  const tags = Object.entries(metadata).map(([key, value]) => toTag(accountId, key, value));
  const list = {
    name: `${name}-by-metadata`,
    select: `select ${columns} from ${taggedRows(table, alias)}`,
    table: 'metadata_tags t',
    order: 't.id',
    id: 't.id',
  };
  const others = [...indexed, ...equalsAny(anyOf?.column ?? '', anyOf?.values), ...checked];
  const filters = {
    always: [['t.tag =', await findRarest(db, tags, range)]],
    checked: [
      [`${alias}.metadata::jsonb @>`, JSON.stringify(metadata)],
      // Two accounts may have a tag in common by chance, and a tag may be left of a change.
      [`${alias}.account_id =`, accountId],
      ...others.map(([comparison, value]): Condition => [`${alias}.${comparison}`, value]),
    ],
  } as const;
  // Nearly each row of the only tag is one of the page, so there is nothing to search.
  const isSearch = tags.length > 1 || others.some(([, value]) => value !== undefined);
  return searchPage<Row>(db, list, filters, range, page, isSearch ? scanned : null);
}

/**
 * Returns the rows of a table by their tags. `offset 0` keeps the planner from reading all rows of the account first: it
 * does not know how few of them have the tag.
 */
export function taggedRows(table: TaggedList['table'], alias: string): string {
  return `metadata_tags t cross join lateral (select * from ${table} where id = t.id offset 0) ${alias}`;
}

/** How many rows of a tag are counted at most. */
const countedAtMost = 1_000;

/** Returns the tag that leads to the fewest rows; the others are checked on these. */
async function findRarest(
  db: Database,
  tags: readonly Buffer[],
  { from, before }: Required<IdRange>,
): Promise<Buffer> {
  const [first, ...others] = tags;
  if (!first) throw new Error('A filter by metadata names a key at least');
  if (others.length === 0) return first;
  const [rarest] = await prepared<{ tag: Buffer }>(
    db,
    'find-rarest-tag',
    `select wanted.tag from unnest($1::bytea[]) as wanted (tag) cross join lateral (
       select count(*) as rows from (
         select from metadata_tags t where t.tag = wanted.tag and t.id >= $2 and t.id < $3 limit ${countedAtMost}
       ) found
     ) counted order by counted.rows limit 1`,
    [tags, from, before],
  );
  return rarest?.tag ?? first;
}

/** Like `metadata_tag` in Postgres. */
function toTag(accountId: string, key: string, value: string): Buffer {
  return createHash('sha256').update(`${accountId} ${key}=${value}`).digest().subarray(0, 8);
}
