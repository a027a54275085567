import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createDatabase, type Database } from '#db/knex.ts';
import { migrate } from '#db/migrate.ts';
import { findLastRelease } from '../releases/last-release.ts';
import { createTestDatabase } from '../support/stack/app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = readdirSync(`${root}/db/migrations`).toSorted();

describe('The migrations', () => {
  let url: string;
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    ({ url } = database);
    drop = () => database.drop();
    db = createDatabase(url, 1);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  it('have a number of their own each', () => {
    const numbers = files.map((file) => Number(/^(\d{4})_[a-z_]+\.ts$/.exec(file)?.[1]));
    assert.equal(new Set(numbers).size, files.length);
    assert.equal(numbers[0], 1);
  });

  it('are recorded in order by name without suffix', async () => {
    const rows = await db('knex_migrations').orderBy('id').select('name');
    assert.deepEqual(
      rows.map(({ name }) => `${name}.ts`),
      files,
    );
  });

  it('refuse a database of a release unknown here', async () => {
    await db('knex_migrations').insert({ name: '0002_charges', batch: 1, migration_time: new Date() });
    await assert.rejects(migrate(url), /has the migration 0002_charges, which this release does not know/);
    await db('knex_migrations').where({ name: '0002_charges' }).delete();
    await migrate(url);
  });

  it('stay as they are once a release has them', () => {
    const release = findLastRelease(root);
    const paths = ['db/schema', 'db/migrations'];
    const changed = (since: string) =>
      execFileSync('git', ['diff', '--name-only', '--diff-filter=a', since, '--', ...paths], {
        cwd: root,
        encoding: 'utf8',
      });
    assert.equal(release === null ? '' : changed(release), '');
  });
});
