import assert from 'node:assert/strict';
import { endOperation } from '#db/operations/operation-ends.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { createTestDatabase } from '../support/stack/app.ts';

describe('The end of an operation', () => {
  let db: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 2);
    await db('accounts').insert({ id: 'acct_a', name: 'Test' });
  });
  after(async () => {
    await db.destroy();
    await drop();
  });

  it('is refused where its state does not allow it', async () => {
    await db('operations').insert({
      id: 'op_a',
      account_id: 'acct_a',
      claim_id: 'cl_a',
      workflow_id: 'a',
      type: 'export',
      status: 'running',
      request: JSON.stringify({ filter: {} }),
      api_version: '2026-11-01',
      path: '/',
      trace_id: 'x',
      created_at: new Date(),
    });
    const deps = { db, publicUrl: 'http://127.0.0.1' };
    // Nobody asked for it.
    const cancelled = endOperation(deps, 'op_a', { status: 'cancelled', result: null });
    await assert.rejects(cancelled, /op_a is running: it cannot end as cancelled/);
    assert.deepEqual(await endOperation(deps, 'op_a', { status: 'failed', code: 'operation_failed' }), {
      status: 'failed',
    });
  });
});
