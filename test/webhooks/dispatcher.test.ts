import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deliverDue } from '#activities/webhooks/webhook-endpoints.ts';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { Dispatcher } from '#webhooks/dispatcher.ts';
import type { LeaseEnd } from '#webhooks/lease.ts';
import { createSender } from '#webhooks/send.ts';
import { takeLease } from '#db/webhooks/endpoint-leases.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { accept, refuse, startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import {
  deliveriesTo,
  endpointRow,
  subscribe,
  untilSettled,
  type Subscription,
} from '../support/resources/subscriptions.ts';

const timeoutMs = 15_000;

/** Of a dispatcher in the place of the worker, which is stopped. */
describe('The delivering of a process', () => {
  let env: Environment;
  let receiver: Receiver;
  let merchant: Merchant;
  let dispatcher: Dispatcher;
  const made: Subscription[] = [];
  before(async () => {
    env = await environment();
    await env.stack.part('worker').stop();
  });
  after(() => env.stack.part('worker').start());
  beforeEach(async () => {
    receiver = await startReceiver();
    merchant = await createMerchant();
    dispatcher = new Dispatcher({
      db: env.db,
      log: { warn: () => undefined, error: () => undefined },
      sender: createSender({ guard: createAddressGuard({ allowLoopback: true }), timeoutMs }),
      secretsKey: [{ id: '', key: Buffer.from(env.stack.secrets.secretsKey, 'base64') }],
      slots: 20,
      timeoutMs,
      onAttempt: () => undefined,
    });
  });
  afterEach(async () => {
    dispatcher.stop();
    dispatcher.close();
    // Nothing of them is left for the worker.
    for (const { id } of made.splice(0)) await merchant.send('DELETE', `/v1/webhook-endpoints/${id}`);
    await receiver.close();
  });

  async function subscribed(body: Record<string, unknown> = {}): Promise<Subscription> {
    const endpoint = await subscribe(merchant, receiver, body);
    made.push(endpoint);
    return endpoint;
  }

  async function deliver({ id }: Subscription, holdsSlot = true): Promise<LeaseEnd> {
    const lease = await takeLease(env.db, id, randomUUID());
    const until = Date.now() + 30_000;
    return dispatcher.deliver(lease!, { until, restAt: until, holdsSlot });
  }

  it('releases idle ones early when slots run low', async () => {
    const ended: string[] = [];
    const endpoints = await Promise.all(Array.from({ length: 36 }, () => subscribed()));
    const begin = (count: number, name: string) => {
      for (const endpoint of endpoints.splice(0, count))
        void deliver(endpoint).then(({ reason }) => ended.push(`${name}: ${reason}`));
    };
    const endedAs = (name: string) => ended.filter((end) => end === `${name}: idle`).length;
    const areIdleFor = (ms: number, since = Date.now()) =>
      eventually(`they are idle for ${ms} ms`, () => Date.now() - since > ms);
    begin(10, 'long idle');
    await areIdleFor(2_500);
    assert.deepEqual(ended, []);
    const freshSince = Date.now();
    begin(5, 'fresh');
    await areIdleFor(300);
    begin(1, 'fresh');
    await eventually('the others go', () => endedAs('long idle') === 10);
    // After a second the fresh ones are idle for long, too.
    if (Date.now() - freshSince < 1_000) assert.equal(ended.length, 10, ended.join());
    begin(20, 'more');
    await eventually('the fresh ones go', () => endedAs('fresh') === 6);
  });

  it('resumes after its lease ends, unless another took over', async () => {
    const endpoint = await subscribed({ ordering: 'fifo' });
    receiver.answer(
      (received, response) => void setTimeout(() => accept(received, response), 1_300),
      endpoint.path,
    );
    for (let n = 0; n < 3; n += 1)
      assert.equal((await merchant.send('POST', '/v1/customers', { name: 'Zoë' })).status, 201);
    const deps = { db: env.db, dispatcher, idleTimeoutMs: 30_000, client: env.temporal };
    const session = deliverDue(deps, { endpointId: endpoint.id, idleMs: 0 });
    await eventually('the first one arrives', () => endpoint.raw().length === 1);
    // The session has its lease until its attempt was under way for a second; then the process takes another.
    const first = (await endpointRow(env, endpoint)).turn_id;
    const result = await session;
    assert.equal(result.state, 'on_turn');
    // Its workflow sleeps until the process has stopped sending, and its last attempt has ended.
    assert.ok(result.resumeInMs! > 20_000 + timeoutMs, `${result.resumeInMs} ms`);
    await eventually('the next one arrives', () => endpoint.raw().length === 2);
    assert.notEqual((await endpointRow(env, endpoint)).turn_id, first);
    const another = randomUUID();
    await takeLease(env.db, endpoint.id, another);
    dispatcher.notify([endpoint.id]);
    await untilSettled(env, endpoint, 3);
    dispatcher.notify([endpoint.id]);
    assert.equal((await endpointRow(env, endpoint)).turn_id, another);
  });

  it('stops resuming when the process stops', async () => {
    const endpoint = await subscribed({ ordering: 'fifo' });
    receiver.answer(
      (received, response) => void setTimeout(() => accept(received, response), 1_300),
      endpoint.path,
    );
    for (let n = 0; n < 3; n += 1)
      assert.equal((await merchant.send('POST', '/v1/customers', { name: 'Zoë' })).status, 201);
    const lease = await takeLease(env.db, endpoint.id, randomUUID());
    const until = Date.now() + 30_000;
    const resumed = dispatcher.deliver(lease!, { until, restAt: until, holdsSlot: false });
    await eventually('an attempt is under way', () => endpoint.raw().length === 1);
    dispatcher.stop();
    assert.equal((await resumed).reason, 'over');
    assert.equal(endpoint.raw().length, 1);
    const delivered = (await deliveriesTo(env, endpoint)).filter(({ status }) => status === 'delivered');
    assert.equal(delivered.length, 1);
  });

  it('reads for a lease that began during a read', async () => {
    const endpoint = await subscribed();
    assert.equal((await merchant.send('POST', '/v1/customers', { name: 'Zoë' })).status, 201);
    const locking = await env.db.transaction();
    try {
      await locking.raw('lock table webhook_deliveries in access exclusive mode');
      const before = deliver(endpoint);
      await eventually('its read waits', () => doesTableWait(env, 'webhook_deliveries'));
      void deliver(endpoint);
      assert.equal((await before).reason, 'changed');
    } finally {
      await locking.rollback();
    }
    // Well before that turn is over, at which the next one would read.
    await eventually('the event arrives', () => endpoint.raw().length === 1);
  });

  it('finds a replay of an older event behind newer ones', async () => {
    const endpoint = await subscribed();
    const waiting: (() => void)[] = [];
    receiver.answer(
      (received, response) => void waiting.push(() => accept(received, response)),
      endpoint.path,
    );
    const create = () => merchant.send('POST', '/v1/customers', { name: 'Zoë' });
    await create();
    const [old] = await deliveriesTo(env, endpoint);
    // With a slot, it would end a second after its attempt began.
    void deliver(endpoint, false);
    const arrived = (count: number) => eventually(`${count} arrived`, () => endpoint.raw().length === count);
    const answerAll = () => waiting.splice(0).forEach((answer) => answer());
    await arrived(1);
    answerAll();
    await untilSettled(env, endpoint, 1);
    await create();
    dispatcher.notify([endpoint.id]);
    await arrived(2);
    // While an attempt is under way, a read looks at newer events only.
    assert.equal((await merchant.send('POST', `/v1/webhook-deliveries/${old?.id}:replay`, {})).status, 202);
    dispatcher.notify([endpoint.id]);
    await create();
    dispatcher.notify([endpoint.id]);
    await arrived(3);
    answerAll();
    await arrived(4);
    answerAll();
    await untilSettled(env, endpoint, 4);
    assert.equal(endpoint.raw()[3]?.headers['webhook-id'], old?.event_id);
  });

  describe('in order', () => {
    const waitMs = 200;
    let endpoint: Subscription;
    let refuseFirst: () => void;
    beforeEach(async () => {
      merchant = await createMerchant({ webhook_retry_schedule_ms: [waitMs, waitMs] });
      endpoint = await subscribed({ ordering: 'fifo' });
      receiver.answer((received, response) => {
        if (endpoint.raw().length > 1) return accept(received, response);
        refuseFirst = () => refuse(500)(received, response);
      }, endpoint.path);
    });

    const create = () => merchant.send('POST', '/v1/customers', { name: 'Zoë' });

    function retryIsDue(since = Date.now()): Promise<boolean> {
      return eventually('the retry is due', () => Date.now() - since > 2 * waitMs);
    }

    /** It took all of them, each for the first time in the order of sequences. It refused the first that came. */
    async function assertOrder(count: number): Promise<void> {
      await untilSettled(env, endpoint, count);
      const taken = endpoint.received().slice(1);
      const sequences = [...new Set(taken.map(({ sequence }) => sequence))];
      assert.deepEqual(
        sequences,
        Array.from({ length: count }, (_, at) => at + 1),
      );
    }

    it('waits for a failure that another lease left', async () => {
      for (let n = 0; n < 3; n += 1) await create();
      void deliver(endpoint);
      await eventually('the first one arrives', () => endpoint.raw().length === 1);
      const locking = await env.db.transaction();
      try {
        await locking.raw('lock table webhook_deliveries in share mode');
        refuseFirst();
        await eventually('its record waits', () => doesTableWait(env, 'webhook_deliveries'));
        void deliver(endpoint);
        await retryIsDue();
        dispatcher.notify([endpoint.id]);
      } finally {
        await locking.rollback();
      }
      await assertOrder(3);
    });

    it('forgets a read that began before a failure', async () => {
      await create();
      void deliver(endpoint);
      await eventually('the first one arrives', () => endpoint.raw().length === 1);
      await create();
      const readingEvents = await env.db.transaction();
      const recording = await env.db.transaction();
      try {
        await readingEvents.raw('lock table events in access exclusive mode');
        await recording.raw('lock table webhook_deliveries in share mode');
        dispatcher.notify([endpoint.id]);
        await eventually('the read waits', () => doesTableWait(env, 'events'));
        refuseFirst();
        await eventually('the record waits', () => doesTableWait(env, 'webhook_deliveries'));
        await readingEvents.rollback();
        await retryIsDue();
        dispatcher.notify([endpoint.id]);
      } finally {
        await readingEvents.rollback();
        await recording.rollback();
      }
      await assertOrder(2);
    });
  });
});

async function doesTableWait({ db }: Environment, table: string): Promise<boolean> {
  const [waiting] = await db('pg_locks')
    .where({ granted: false, relation: db.raw('?::regclass', [table]) })
    .limit(1);
  return waiting !== undefined;
}
