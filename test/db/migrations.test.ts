import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createDatabase } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';

const files = readdirSync(new URL('../../db/migrations/', import.meta.url)).toSorted();

describe('The migrations', () => {
  it('have a number of their own each', () => {
    const numbers = files.map((file) => Number(/^(\d{4})_[a-z_]+\.ts$/.exec(file)?.[1]));
    assert.equal(new Set(numbers).size, files.length);
    assert.equal(numbers[0], 1);
  });

  it('are recorded in order by name without suffix', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    try {
      const rows = await db('knex_migrations').orderBy('id').select('name');
      assert.deepEqual(
        rows.map(({ name }) => `${name}.ts`),
        files,
      );
    } finally {
      await db.destroy();
      await database.drop();
    }
  });
});
