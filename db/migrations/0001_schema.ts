import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

/** The files of `db/schema/`, each after those that it refers to. */
const files = [
  'access',
  'members',
  'audit',
  'processors',
  'customers',
  'payments',
  'metadata',
  'claims',
  'operations',
  'webhooks',
  'operator',
];

/** Makes the schema of release 1.0.0. Nobody edits its files after that: later migrations change what they made. */
export async function up(knex: Knex): Promise<void> {
  for (const file of files) {
    const sql = await readFile(new URL(`../schema/${file}.sql`, import.meta.url), 'utf8');
    // Knex would number a question mark, also one within a text.
    await knex.raw(sql.replaceAll('?', String.raw`\?`));
  }
}
