import assert from 'node:assert/strict';
import { onDeliveries, type CommittedDeliveries } from '#db/writes/committed-deliveries.ts';
import { commitEffect, commitEffects, type Effect } from '#db/writes/effects.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { eventPatterns, eventTypes, type EventType } from '#domain/events.ts';
import { idTime, isId } from '#domain/ids.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { eventually } from '../support/eventually.ts';

/** What an effect's statement does for endpoints; in a database of its own, where nobody delivers anything. */
describe('An effect with an event', () => {
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
    account = await insertAccount();
  });

  async function insertAccount(): Promise<string> {
    const id = newId('account');
    await db('accounts').insert({ id, name: 'Test' });
    await db('customers').insert({
      id: `cus_of_${id}`,
      account_id: id,
      created_at: now(),
      updated_at: now(),
    });
    return id;
  }

  async function insertEndpoint(events: string[], columns: object = {}): Promise<string> {
    const id = newId('webhookEndpoint');
    const row = { id, account_id: account, url: 'https://shop.example/', events, api_version: '2026-11-01' };
    await db('webhook_endpoints').insert({ ...row, created_at: now(), updated_at: now(), ...columns });
    return id;
  }

  /** An effect of the least kind. */
  async function tell(type: EventType, more: Partial<Effect> = {}): Promise<string> {
    const id = newId('event');
    const sql = 'update customers set version = version + 1 where id = $1 returning id, account_id';
    const event = { id, type, resourceId: '', object: {} };
    const change = { name: 'touch', sql, values: [`cus_of_${account}`] };
    assert.equal(await commitEffect(db, change, { event, ...more }), true);
    return id;
  }

  const findDeliveries = async (event: string): Promise<string[]> =>
    (await db('webhook_deliveries').where({ event_id: event }).orderBy('endpoint_id')).map(
      (row) => row.endpoint_id,
    );

  it('makes a delivery for each subscribed endpoint alone', async () => {
    const endpoints = new Map<string, string>();
    for (const pattern of eventPatterns) endpoints.set(pattern, await insertEndpoint([pattern]));
    await insertEndpoint(['*'], { status: 'disabled', disabled_reason: 'requested' });
    const over = { status: 'disabled', disabled_reason: 'requested', deleted_at: now() };
    await insertEndpoint(['*'], over);
    const own = account;
    account = await insertAccount();
    await insertEndpoint(['*']);
    account = own;
    for (const type of eventTypes) {
      const patterns = ['*', `${type.split('.')[0]}.*`, type];
      const wanted = patterns.map((pattern) => endpoints.get(pattern) ?? '').toSorted();
      assert.deepEqual(await findDeliveries(await tell(type)), wanted, type);
    }
  });

  it('makes one delivery for an endpoint with overlapping types', async () => {
    const endpoint = await insertEndpoint(['*', 'charge.*', 'charge.failed']);
    assert.deepEqual(await findDeliveries(await tell('charge.failed')), [endpoint]);
  });

  it('writes them in one transaction, with the event’s sequence', async () => {
    await insertEndpoint(['*']);
    const event = await tell('customer.updated');
    const { rows } = await db.raw<{ rows: Record<string, string | number>[] }>(
      `select d.id, d.xmin = e.xmin as together, d.sequence = e.sequence as same, d.type, d.status, d.attempts,
         d.next_attempt_at <= clock_timestamp() as due, d.account_id
       from webhook_deliveries d join events e on e.id = d.event_id where e.id = ?`,
      [event],
    );
    const [{ id, ...rest } = { id: '' }] = rows;
    assert.deepEqual(rest, {
      together: true,
      same: true,
      type: 'customer.updated',
      status: 'pending',
      attempts: 0,
      due: true,
      account_id: account,
    });
    assert.ok(isId('webhookDelivery', String(id)), String(id));
    assert.equal(idTime(String(id)), idTime(event));
  });

  it('makes none where the change is not made', async () => {
    await insertEndpoint(['*']);
    const change = {
      name: 'touch',
      sql: 'update customers set version = version + 1 where id = $1 returning id, account_id',
      values: ['cus_none'],
    };
    const event = { id: newId('event'), type: 'customer.updated' as const, resourceId: '', object: {} };
    assert.equal(await commitEffect(db, change, { event }), false);
    assert.deepEqual([await findDeliveries(event.id), news], [[], []]);
  });

  it('gives each delivery random bits of its own', async () => {
    for (let i = 0; i < 20; i += 1) await insertEndpoint(['*']);
    const event = await tell('customer.updated');
    const rows: { id: string }[] = await db('webhook_deliveries').where({ event_id: event });
    const random = rows.map(({ id }) => id.slice(-16));
    assert.equal(new Set(random).size, 20);
    for (let place = 0; place < 16; place += 1) {
      assert.ok(new Set(random.map((letters) => letters[place])).size > 5, `letter ${place} varies`);
    }
  });

  it('is sent only to the endpoint it is for', async () => {
    const endpoint = await insertEndpoint(['refund.*'], { awake: true });
    await insertEndpoint(['*']);
    const onlyTo = { endpointId: endpoint, deliveryId: newId('webhookDelivery') };
    const event = await tell('endpoint.test', { onlyTo });
    assert.deepEqual(await findDeliveries(event), [endpoint]);
    assert.deepEqual(news, [{ endpoints: [endpoint], woken: [endpoint] }]);
  });

  it('wakes sleeping endpoints only, not awake or parked ones', async () => {
    const asleep = await insertEndpoint(['*']);
    const awake = await insertEndpoint(['*'], { awake: true });
    const parked = await insertEndpoint(['*'], { parked_until: now() });
    await insertEndpoint(['refund.*']);
    await tell('charge.succeeded');
    assert.deepEqual(news, [{ endpoints: [asleep, awake, parked].toSorted(), woken: [asleep] }]);
    await tell('charge.succeeded');
    assert.deepEqual(news[1]?.woken, [], 'it is awake by now');
  });

  it('numbers the events of many rows without gaps', async () => {
    const endpoint = await insertEndpoint(['customer.updated']);
    const ids = ['a', 'b', 'c', 'd'].map((letter) => `cus_${letter}_${account}`);
    const [first = '', silent = '', last = '', missing = ''] = ids;
    const times = { created_at: now(), updated_at: now() };
    for (const id of [last, silent, first])
      await db('customers').insert({ id, account_id: account, ...times });
    const sql =
      'update customers set version = version + 1 where id = any ($1::text[]) returning id, account_id';
    const build = (id: string, type: EventType) => ({
      id,
      event: { id: newId('event'), type, resourceId: id, object: { of: id } },
    });
    const effects = [
      build(missing, 'customer.updated'),
      build(first, 'customer.updated'),
      { id: silent },
      build(last, 'customer.created'),
    ];
    const moved = await commitEffects(db, { name: 'touch-many', sql, values: [ids] }, effects);
    assert.deepEqual(moved, new Set([first, silent, last]));
    const events = await db('events').where({ account_id: account }).orderBy('sequence');
    assert.deepEqual(
      events.map((event) => [event.sequence, event.type, event.resource_id, event.object]),
      [
        [1, 'customer.updated', first, { of: first }],
        [2, 'customer.created', last, { of: last }],
      ],
    );
    const deliveries = await db('webhook_deliveries').where({ account_id: account });
    assert.deepEqual(
      deliveries.map((delivery) => [delivery.endpoint_id, delivery.event_id, delivery.sequence]),
      [[endpoint, events[0]?.id, 1]],
    );
    // The next one follows.
    await tell('customer.updated');
    assert.equal((await db('events').where({ account_id: account, sequence: 3 })).length, 1);
  });

  it('says nothing where the account has no endpoint', async () => {
    await tell('charge.succeeded');
    assert.deepEqual(news, []);
  });

  it('wakes no endpoint that another effect woke meanwhile', async () => {
    const endpoint = await insertEndpoint(['*']);
    const other = await db.transaction();
    await other('webhook_endpoints').where({ id: endpoint }).update({ awake: true });
    const told = tell('charge.succeeded');
    await eventually('it waits for the endpoint', async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity
         where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows.length === 1;
    });
    await other.commit();
    await told;
    assert.deepEqual(news, [{ endpoints: [endpoint], woken: [] }]);
  });

  it('wakes an endpoint once, of many at once', async () => {
    const many = () => Promise.all(Array.from({ length: 40 }, () => tell('charge.succeeded')));
    // Opens the pool's connections, so that the next ones do come at once.
    await many();
    const ids = [
      await insertEndpoint(['*']),
      await insertEndpoint(['charge.*']),
      await insertEndpoint(['*']),
    ];
    await many();
    const woken = news.flatMap((told) => told.woken);
    assert.deepEqual(woken.toSorted(), ids.toSorted());
    assert.equal(news.length, 40);
    const [row] = await db('webhook_deliveries').where({ account_id: account }).count();
    assert.equal(Number(row?.['count']), 120);
  });
});

const now = () => new Date();
