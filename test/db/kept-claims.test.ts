import assert from 'node:assert/strict';
import { deleteExpiredClaims } from '#db/writes/key-retention.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { createTestDatabase } from '../support/stack/app.ts';

/** What the schema itself says of claims, whoever asks (`db/schema/claims.sql`). */
describe('A claim that has begun', () => {
  let db: Database;
  let drop: () => Promise<void>;
  let account: string;
  let claimId: string;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 2);
  });
  after(async () => {
    await db.destroy();
    await drop();
  });
  beforeEach(async () => {
    account = newId('account');
    await db('accounts').insert({ id: account, name: 'Test' });
    claimId = await claim({ begun_at: db.raw('clock_timestamp()') });
  });

  async function claim(columns: object): Promise<string> {
    const id = newId('claim');
    await db('idempotency_keys').insert({
      account_id: account,
      endpoint: 'POST /v1/charges',
      key: id,
      claim_id: id,
      fingerprint: Buffer.alloc(32),
      request: '{}',
      resource_id: newId('charge'),
      api_version: '2026-11-01',
      path: '/v1/charges',
      trace_id: '0',
      start_by: db.raw('clock_timestamp()'),
      ...columns,
    });
    return id;
  }
  const found = (id = claimId) => db('idempotency_keys').where('claim_id', id);
  const kept = (error: { constraint?: string; message: string }) =>
    error.message.includes(`The claim ${claimId} has begun: it keeps its key`);

  it('is not deleted within its retention', async () => {
    await assert.rejects(found().delete(), kept);
    assert.equal((await found()).length, 1);
  });

  for (const change of [{ resource_id: 'ch_2' }, { claim_id: 'cl_2' }, { key: 'another' }]) {
    it(`keeps its ${Object.keys(change)[0]?.replaceAll('_', ' ')}, also where it is answered`, async () => {
      const answer = { answer_status: 402, answer_headers: '{}', answer_body: Buffer.alloc(1) };
      await found().update({ ...answer, answered_at: db.raw('clock_timestamp()') });
      await assert.rejects(found().update(change), kept);
    });
  }

  it('is deleted by retention, however short that is', async () => {
    assert.ok((await deleteExpiredClaims(db, 'fresh', 0, 100)).deleted >= 1);
    assert.equal((await found()).length, 0);
    const next = await claim({ begun_at: db.raw('clock_timestamp()') });
    await assert.rejects(found(next).delete(), /keeps its key/);
  });

  it('is deleted once it is older than a day', async () => {
    await found().update({ created_at: db.raw(`clock_timestamp() - interval '25 hours'`) });
    assert.equal(await found().delete(), 1);
  });

  it('is not deleted within a day of its answer', async () => {
    const answer = { answer_status: 402, answer_headers: '{}', answer_body: Buffer.alloc(1) };
    const created_at = db.raw(`clock_timestamp() - interval '25 hours'`);
    await found().update({ ...answer, answered_at: db.raw('clock_timestamp()'), created_at });
    await assert.rejects(found().delete(), kept);
  });

  it('is deleted together with its account', async () => {
    await db('accounts').where('id', account).delete();
    assert.equal((await found()).length, 0);
  });

  it('differs from one not begun, which can be released', async () => {
    const other = await claim({ begun_at: null });
    assert.equal(await found(other).delete(), 1);
  });
});
