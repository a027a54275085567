import assert from 'node:assert/strict';
import { settleRows } from '#db/operations/charge-batch-effects.ts';
import { findCharge } from '#db/payments/charges.ts';
import { onDeliveries, type CommittedDeliveries } from '#db/writes/committed-deliveries.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { replayChunk } from '#db/webhooks/webhook-replays.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { eventually } from '../support/eventually.ts';
import { openCharge, openOperation } from '../support/resources/maintenance-rows.ts';

/**
 * The endpoints that statements with many deliveries wake. `effects.test.ts` has the statements with one delivery. The
 * database is the test's own, so nobody delivers anything.
 */
describe('The waking of an endpoint', () => {
  let db: Database;
  let drop: () => Promise<void>;
  let news: CommittedDeliveries[];
  let account: string;
  before(async () => {
    const database = await createTestDatabase();
    drop = () => database.drop();
    db = createDatabase(database.url, 10);
    onDeliveries(db, (told) => void news.push(told));
  });
  after(async () => {
    await db.destroy();
    await drop();
  });
  beforeEach(async () => {
    news = [];
    account = newId('account');
    await db('accounts').insert({ id: account, name: 'Test' });
  });

  async function insertEndpoint(columns: object = {}): Promise<string> {
    const id = newId('webhookEndpoint');
    const row = { id, account_id: account, url: 'https://shop.example/', events: ['*'], ...columns };
    await db('webhook_endpoints').insert({
      ...row,
      api_version: '2026-11-01',
      created_at: now(),
      updated_at: now(),
    });
    return id;
  }

  /** Replays the two events that there are to the endpoint. */
  async function replay(endpointId: string): Promise<void> {
    const events = [1, 2].map((sequence) => ({
      id: newId('event'),
      account_id: account,
      sequence,
      type: 'charge.succeeded',
      resource_id: 'ch_1',
      object: '{}',
      created_at: now(),
    }));
    await db('events').insert(events);
    const operationId = await openOperation(db, account, { type: 'webhook_replay' });
    const fitting = { from: 'evt_', before: 'evt_~', types: ['*'], status: null, dryRun: false };
    const scope = { operationId, accountId: account, request: { endpointId, ...fitting } };
    const chunk = await replayChunk(db, scope, { after: 0, checkpoint: null, limit: 10 });
    assert.deepEqual(chunk, { replayed: 2, last: 2, isEnabled: true, isHeld: true });
  }

  /** Settles two rows of a batch; every endpoint of the account is told. */
  async function settle(): Promise<void> {
    const operationId = await openOperation(db, account, { type: 'charge_batch' });
    const rows = await Promise.all([0, 1].map((row) => succeeded(row, operationId)));
    assert.deepEqual(await settleRows(db, operationId, rows), new Set([0, 1]));
  }

  async function succeeded(row: number, operationId: string) {
    const id = await openCharge(db, account, { charge_batch_id: operationId });
    const read = await findCharge(db, account, id);
    assert.ok(read);
    const moved = { ...read, status: 'succeeded' as const, amountCaptured: 500, capturedAt: now() };
    const event = { id: newId('event'), type: 'charge.succeeded' as const, resourceId: id, object: {} };
    return { row, read, moved, effect: { event }, status: 201, error: null };
  }

  const findDeliveries = (endpoint: string) => db('webhook_deliveries').where({ endpoint_id: endpoint });

  const wakers: [what: string, tell: (endpoint: string) => Promise<void>][] = [
    ['a replay', replay],
    ['rows of a batch', settle],
  ];
  for (const [what, tell] of wakers) {
    it(`is done once by ${what}, where it sleeps`, async () => {
      const endpoint = await insertEndpoint();
      await tell(endpoint);
      assert.deepEqual(news, [{ endpoints: [endpoint], woken: [endpoint] }]);
      assert.equal((await findDeliveries(endpoint)).length, 2);
      assert.equal((await db('webhook_endpoints').where({ id: endpoint }).first()).awake, true);
    });

    it(`is not done by ${what}, where it is awake`, async () => {
      const endpoint = await insertEndpoint({ awake: true });
      await tell(endpoint);
      assert.deepEqual(news, [{ endpoints: [endpoint], woken: [] }]);
    });

    it(`is not done by ${what} when another did meanwhile`, async () => {
      const endpoint = await insertEndpoint();
      const other = await db.transaction();
      try {
        await other('webhook_endpoints').where({ id: endpoint }).update({ awake: true });
        const told = tell(endpoint);
        await eventually('it waits for the endpoint', isAnyBlocked);
        await other.commit();
        await told;
      } finally {
        if (!other.isCompleted()) await other.rollback();
      }
      assert.deepEqual(news, [{ endpoints: [endpoint], woken: [] }]);
      assert.equal((await findDeliveries(endpoint)).length, 2);
    });
  }

  it('is not done by batch rows while parked', async () => {
    const endpoint = await insertEndpoint({ parked_until: now() });
    await settle();
    assert.deepEqual(news, [{ endpoints: [endpoint], woken: [] }]);
  });

  async function isAnyBlocked(): Promise<boolean> {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows.length > 0;
  }
});

const now = () => new Date();
