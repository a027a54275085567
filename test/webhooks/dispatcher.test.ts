import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import { Dispatcher } from '#webhooks/dispatcher.ts';
import type { TurnEnd } from '#webhooks/turn.ts';
import { createSender } from '#webhooks/send.ts';
import { takeTurn } from '#db/webhooks/webhook-turns.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { accept, startReceiver, type Receiver } from '../support/stack/receiver.ts';
import { endpointRow, subscribe, type Subscription } from '../support/resources/subscriptions.ts';

const timeoutMs = 15_000;

/** Of a dispatcher in the place of the worker, which is stopped. */
describe('The delivering of a process', function () {
  this.timeout(60_000);
  let env: Environment;
  let receiver: Receiver;
  let merchant: Merchant;
  let dispatcher: Dispatcher;
  let drained: string[];
  const made: Subscription[] = [];
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    await env.stack.part('worker').stop();
  });
  after(() => env.stack.part('worker').start());
  beforeEach(async () => {
    receiver = await startReceiver();
    merchant = await createMerchant();
    drained = [];
    dispatcher = new Dispatcher({
      db: env.db,
      log: { warn: () => undefined, error: () => undefined },
      sender: createSender({ guard: createAddressGuard({ allowLoopback: true }), timeoutMs }),
      secretsKey: [{ id: '', key: Buffer.from(env.stack.secrets.secretsKey, 'base64') }],
      slots: 20,
      timeoutMs,
      onAttempt: () => undefined,
    });
    dispatcher.onDrained = ({ endpointId }) => void drained.push(endpointId);
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

  async function deliver({ id }: Subscription): Promise<TurnEnd> {
    const turn = await takeTurn(env.db, id, randomUUID());
    const until = Date.now() + 30_000;
    return dispatcher.deliver(turn!, { until, restAt: until });
  }

  it('releases idle ones early when slots run low', async () => {
    const ended: string[] = [];
    const endpoints = await Promise.all(Array.from({ length: 30 }, () => subscribed()));
    const begin = (count: number, name: string) => {
      for (const endpoint of endpoints.splice(0, count))
        void deliver(endpoint).then(({ why }) => ended.push(`${name}: ${why}`));
    };
    const endedAs = (name: string) => ended.filter((end) => end === `${name}: idle`).length;
    const areIdleFor = (ms: number, since = Date.now()) =>
      eventually(`they are idle for ${ms} ms`, () => Date.now() - since > ms);
    begin(10, 'long idle');
    await areIdleFor(2_500);
    assert.deepEqual(ended, []);
    begin(5, 'fresh');
    await areIdleFor(300);
    begin(1, 'fresh');
    await eventually('the others go', () => endedAs('long idle') === 10);
    assert.equal(ended.length, 10, ended.join());
    begin(14, 'more');
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
    const end = await deliver(endpoint);
    assert.equal(end.why, 'bounded');
    // Its workflow sleeps until the process has stopped sending, and what it sent last has ended.
    assert.ok(end.underWayMs > 30_000 + timeoutMs - 2_000, `${end.underWayMs} ms`);
    await eventually('the attempt ends', () => drained.length === 1);
    const first = (await endpointRow(env, endpoint)).turn_id;
    assert.equal(await dispatcher.goOn(endpoint.id), true);
    await eventually('the next one arrives', () => endpoint.raw().length === 2);
    assert.notEqual((await endpointRow(env, endpoint)).turn_id, first);
    await eventually('that ends', () => drained.length === 2);
    const another = randomUUID();
    await takeTurn(env.db, endpoint.id, another);
    assert.equal(await dispatcher.goOn(endpoint.id), true);
    assert.equal((await endpointRow(env, endpoint)).turn_id, another);
    assert.equal(endpoint.raw().length, 2);
    // Nor when it is to stop: then its workflow is to be woken, for another process.
    dispatcher.stop();
    assert.equal(await dispatcher.goOn(endpoint.id), false);
  });

  it('reads for a turn that began while the one before read', async () => {
    const endpoint = await subscribed();
    assert.equal((await merchant.send('POST', '/v1/customers', { name: 'Zoë' })).status, 201);
    const locking = await env.db.transaction();
    try {
      await locking.raw('lock table webhook_deliveries in access exclusive mode');
      const before = deliver(endpoint);
      await eventually('its read waits', () => readsThatWait(env));
      void deliver(endpoint);
      assert.equal((await before).why, 'changed');
    } finally {
      await locking.rollback();
    }
    // Well before that turn is over, at which the next one would read.
    await eventually('the event arrives', () => endpoint.raw().length === 1, 10_000);
  });
});

async function readsThatWait({ db }: Environment): Promise<boolean> {
  const [waiting] = await db('pg_locks')
    .where({ granted: false, relation: db.raw(`'webhook_deliveries'::regclass`) })
    .limit(1);
  return waiting !== undefined;
}
