import assert from 'node:assert/strict';
import { createDatabase, type Database } from '#db/knex.ts';
import { adoptRows, ownsTransactionIds, tablesWithXids } from '#db/xid-origin.ts';
import { createTestDatabase } from '../support/stack/app.ts';

describe('Transaction ids in rows', () => {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 2);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  const insertOperation = (type: string) =>
    db('operations').insert({
      id: `op_${type}`,
      account_id: 'acct_a',
      claim_id: `cl_${type}`,
      workflow_id: type,
      type,
      request: '{}',
      api_version: '2026-11-01',
      path: '/',
      trace_id: 'x',
      created_at: new Date(),
    });

  it('are kept by no table that adopting leaves out', async () => {
    const { rows } = await db.raw<{ rows: { kept: string }[] }>(
      `select c.relname || '.' || a.attname as kept
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where a.atttypid in ('xid8'::regtype, 'pg_snapshot'::regtype) and c.relkind in ('r', 'p')
         and not c.relispartition and c.relnamespace = 'public'::regnamespace
       order by 1`,
    );
    const known = [
      ...tablesWithXids.map((table) => `${table}.created_xid`),
      'operations.snapshot',
      // Each process reads all revocations as it starts; a foreign id costs another reading of its row.
      'revocations.changed_xid',
    ];
    assert.deepEqual(
      rows.map(({ kept }) => kept),
      known.toSorted(),
    );
  });

  it('let no export begin while they are foreign', async () => {
    await db('accounts').insert({ id: 'acct_a', name: 'Test' });
    await db('xid_origin').update({ system_identifier: 'another cluster' });
    assert.equal(await ownsTransactionIds(db), false);
    for (const type of ['export', 'webhook_replay']) {
      await assert.rejects(insertOperation(type), { code: 'XIDS1' });
    }
    await insertOperation('charge_batch');
  });

  it('are those of this cluster once adopted', async () => {
    await adoptRows(db);
    assert.equal(await ownsTransactionIds(db), true);
    await insertOperation('export');
    const open = await db('operations').where('id', 'op_charge_batch').first('snapshot_of');
    assert.equal(open.snapshot_of, null, 'the snapshot of before tells nothing');
    await assert.rejects(db.raw(`select operation_snapshot('op_charge_batch')`), { code: 'XIDS2' });
    await db.raw(`select operation_snapshot('op_export')`);
  });
});
