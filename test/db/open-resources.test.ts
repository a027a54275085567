import assert from 'node:assert/strict';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { longestUncheckedMs, takeOpen } from '#db/open-resources.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { readPlan } from '../support/plans.ts';
import { openCharge, openRefund } from '../support/resources/maintenance-rows.ts';

type Table = 'charges' | 'refunds';

const minuteMs = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

/** The sweep's queue of open rows, in a database of its own, where nobody sweeps. */
describe('The queue of open rows', () => {
  let db: Database;
  let drop: () => Promise<void>;
  let accountId: string;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 1);
    accountId = newId('account');
    await db('accounts').insert({ id: accountId, name: 'Test' });
  });
  after(async () => {
    await db.destroy();
    await drop();
  });
  beforeEach(() => db('charges').delete());

  const insert: Record<Table, (columns: object) => Promise<string>> = {
    charges: (columns) => openCharge(db, accountId, columns),
    refunds: (columns) => openRefund(db, accountId, columns),
  };
  const taken = async (table: Table, limit: number) =>
    (await takeOpen(db, table, minuteMs, limit)).map(({ id }) => id);

  for (const table of ['charges', 'refunds'] as const) {
    it(`gives checked ${table} their turn under any load`, async () => {
      const old = await insert[table]({ updated_at: ago(10 * minuteMs), checked_at: ago(10 * minuteMs) });
      // New ones, as begin makes them: more than a turn takes, and old enough to be looked at.
      for (let n = 0; n < 30; n += 1) await insert[table]({ updated_at: ago(3_000) });
      assert.ok((await taken(table, 10)).includes(old));
    });

    it(`takes new ${table} in the order they were made`, async () => {
      const made = { updated_at: ago(5 * minuteMs), created_at: ago(5 * minuteMs) };
      const first = await insert[table]({ ...made, checked_at: ago(5 * minuteMs) });
      const second = await insert[table]({ ...made, checked_at: ago(4 * minuteMs) });
      assert.deepEqual(
        [await taken(table, 1), await taken(table, 1), await taken(table, 1)],
        [[first], [second], []],
      );
    });

    it(`tells how long ${table} wait for their turn`, async () => {
      assert.equal(await longestUncheckedMs(db, table), 0);
      await insert[table]({ updated_at: ago(9 * minuteMs), checked_at: ago(9 * minuteMs) });
      await insert[table]({ updated_at: ago(2 * minuteMs), checked_at: ago(2 * minuteMs) });
      const waits = await longestUncheckedMs(db, table);
      assert.ok(waits >= 9 * minuteMs && waits < 10 * minuteMs, `${waits} ms`);
    });

    it(`reads ${table} along their index only`, async () => {
      await takeOpen(db, table, minuteMs, 10);
      const plan = await readPlan(db, `take-open-${table}`);
      assert.match(plan, new RegExp(`Index Scan using ${table}_open on .*\\n *Index Cond: .*checked_at <`));
      assert.doesNotMatch(plan, /Sort/);
    });
  }
});
