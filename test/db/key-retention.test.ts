import assert from 'node:assert/strict';
import { createDatabase, type Database } from '#db/knex.ts';
import { deleteExpiredClaims, type Expiry } from '#db/writes/key-retention.ts';
import { newId } from '#db/new-id.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { readPlan } from '../support/plans.ts';
import { seedExpiredKeys } from '../support/resources/maintenance-rows.ts';

const dayMs = 24 * 60 * 60_000;
const atOnce = 5_000;

/** Retention of keys beside many open authorizations, in a database of its own, where nothing else runs. */
describe('Retention of many keys', () => {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 1);
    const accountId = newId('account');
    await db('accounts').insert({ id: accountId, name: 'Test' });
    // The older ones are open: each turn of before read all of them, for each batch.
    await seedExpiredKeys(db, accountId, { open: 30_000, closed: 10_000 });
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  async function turn(which: 'fresh' | 'kept'): Promise<Expiry & { statements: number }> {
    const sum = { read: 0, deleted: 0, statements: 0 };
    for (;;) {
      const { read, deleted } = await deleteExpiredClaims(db, which, dayMs, atOnce);
      sum.read += read;
      sum.deleted += deleted;
      sum.statements += 1;
      if (read < atOnce) return sum;
    }
  }

  it('reads each key once, however many are open', async () => {
    assert.deepEqual(await turn('fresh'), { read: 40_000, deleted: 10_000, statements: 9 });
    assert.deepEqual(await turn('fresh'), { read: 0, deleted: 0, statements: 1 });
    assert.deepEqual(await turn('kept'), { read: 0, deleted: 0, statements: 1 });
  });

  it('deletes a kept key once its charge is closed', async () => {
    await db.raw(
      `update charges set status = 'succeeded', amount_captured = amount, captured_at = now() - interval '25 hours'
       where id in ('ch_1', 'ch_2', 'ch_3')`,
    );
    // Its end is too young.
    await db.raw(
      `update charges set status = 'succeeded', amount_captured = amount, captured_at = now() where id = 'ch_5'`,
    );
    await db('idempotency_keys')
      .whereIn('resource_id', ['ch_1', 'ch_2', 'ch_3', 'ch_4', 'ch_5'])
      .update({ kept_until: new Date(Date.now() - 1_000) });
    assert.deepEqual(await turn('kept'), { read: 5, deleted: 3, statements: 1 });
    assert.equal((await db('idempotency_keys').whereIn('resource_id', ['ch_4', 'ch_5'])).length, 2);
  });

  for (const [which, index] of [
    ['fresh', 'idempotency_keys_retained'],
    ['kept', 'idempotency_keys_kept'],
  ] as const) {
    it(`reads ${which} keys along an index of theirs`, async () => {
      await deleteExpiredClaims(db, which, dayMs, 1);
      const plan = await readPlan(db, `delete-expired-claims-${which}`);
      assert.match(plan, new RegExp(`Index Scan using ${index} on .*\\n *Index Cond: `));
      assert.doesNotMatch(plan, /Sort/);
    });
  }
});
