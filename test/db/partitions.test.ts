import assert from 'node:assert/strict';
import { ulid } from 'ulid';
import { ensurePartitions } from '#db/partitions.ts';
import { formatId, type IdKind } from '#domain/ids.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { runMaintenance, scheduleId } from '../support/resources/maintenance.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

describe('Weeks of events, deliveries and attempts', () => {
  let env: Environment;
  let merchant: Merchant;
  /** The starts of weeks of long ago, of which each test takes the next one. */
  let weeks: number[];
  /** It would drop the weeks of a test that begins. */
  const schedule = () => env.temporal.schedule.getHandle(scheduleId('retention'));
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    await schedule().pause('by a test');
  });
  after(() => schedule().unpause('by a test'));
  beforeEach(async () => {
    const first = Math.floor((Date.now() - 90 * dayMs) / weekMs) * weekMs;
    await ensurePartitions(env.db, new Date(first));
    weeks = [0, 1, 2, 3, 4].map((n) => first + n * weekMs);
  });

  const idAt = (kind: IdKind, time: number) => formatId(kind, ulid(time + dayMs));
  const suffix = (week: number) => new Date(week).toISOString().slice(0, 10).replaceAll('-', '');
  /** The tables that still have the week. */
  const findTables = async (week: number): Promise<string[]> => {
    const rows = await env
      .db('pg_class')
      .where('relname', 'like', `%_${suffix(week)}`)
      .andWhere('relkind', 'r');
    return rows.map(({ relname: name }) => String(name).slice(0, -9)).toSorted();
  };
  const all = ['events', 'webhook_attempts', 'webhook_deliveries'];
  let sequence = 0;

  async function addEvent(week: number): Promise<string> {
    const id = idAt('event', week);
    sequence -= 1;
    const { accountId: account_id } = merchant;
    const told = { type: 'charge.succeeded', resource_id: 'ch_x', object: {}, created_at: new Date(week) };
    await env.db('events').insert({ id, account_id, sequence, ...told });
    return id;
  }
  async function addDelivery(week: number, eventId: string, status: string): Promise<string> {
    const id = idAt('webhookDelivery', week);
    const ids = { id, account_id: merchant.accountId, endpoint_id: 'we_gone', event_id: eventId, sequence };
    // Far ahead, so that nobody makes it.
    const next = status === 'retrying' ? { next_attempt_at: new Date(Date.now() + dayMs) } : {};
    await env.db('webhook_deliveries').insert({ ...ids, type: 'charge.succeeded', status, ...next });
    const attempt = { delivery_id: id, number: 1, at: new Date(week), latency_ms: 1 };
    await env.db('webhook_attempts').insert(attempt);
    return id;
  }
  const closed = (id: string) =>
    env.db('webhook_deliveries').where({ id }).update({ status: 'delivered', next_attempt_at: null });

  it('are dropped once all rows are 30 days old', async () => {
    const [week] = weeks as [number];
    await addDelivery(week, await addEvent(week), 'delivered');
    const young = Math.floor((Date.now() - 29 * dayMs) / weekMs) * weekMs;
    await ensurePartitions(env.db, new Date(young));
    assert.deepEqual(await findTables(week), all);
    const { partitionsDropped } = await runMaintenance(env, 'retention');
    assert.ok(partitionsDropped >= 3, `${partitionsDropped}`);
    for (const old of weeks) assert.deepEqual(await findTables(old), []);
    assert.deepEqual(await findTables(young), all);
  });

  it('stay while one of their deliveries is open', async () => {
    const [week, other] = weeks as [number, number];
    const delivery = await addDelivery(week, await addEvent(week), 'retrying');
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findTables(week), all);
    assert.deepEqual(await findTables(other), []);
    await closed(delivery);
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findTables(week), []);
  });

  it('keep the events of replays that are open', async () => {
    const [week] = weeks as [number];
    const replay = await addDelivery(Date.now() - dayMs, await addEvent(week), 'retrying');
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findTables(week), ['events']);
    await closed(replay);
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findTables(week), []);
  });

  it('are deleted after a reader ends, without blocking writes', async () => {
    const [week] = weeks as [number];
    const reader = await env.db.transaction();
    try {
      await reader('events').where({ id: 'evt_x' });
      const maintenance = runMaintenance(env, 'retention');
      const slowest = await slowestWrite(maintenance);
      // One that waited for the reader would wait as long as the reader does.
      assert.ok(slowest < 10_000, `a write took ${slowest} ms`);
      assert.deepEqual(await findTables(week), ['events']);
    } finally {
      await reader.rollback();
    }
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findTables(week), []);
  });

  /** Writes events until `work` is done. */
  async function slowestWrite(work: Promise<unknown>): Promise<number> {
    const done = work.then(() => true);
    let slowest = 0;
    for (;;) {
      const startedAt = Date.now();
      assert.equal((await merchant.send('POST', '/v1/customers', { name: 'Zoë' })).status, 201);
      slowest = Math.max(slowest, Date.now() - startedAt);
      if (await Promise.race([done, Promise.resolve(false)])) return slowest;
    }
  }
});
