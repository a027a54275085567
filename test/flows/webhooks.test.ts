import assert from 'node:assert/strict';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import {
  accept,
  keepSilent,
  refuse,
  startReceiver,
  type Receiver,
} from '../support/stack/outside/receiver.ts';
import { holdSettle, holdSweep, linkToTemporal, restore } from '../support/stack/stages.ts';
import {
  addBacklog,
  deliveriesTo,
  endpointRow,
  subscribe,
  untilParked,
  untilSettled,
  findWorkflow,
  type Subscription,
} from '../support/resources/subscriptions.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

/** What crashes leave behind, and what slow receivers do to others. */
describe('Deliveries', () => {
  let env: Environment;
  let receiver: Receiver;
  before(async () => {
    env = await environment();
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  afterEach(() => restore(env));

  const isRunning = async (endpoint: Subscription) =>
    findWorkflow(env, endpoint)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      );
  const untilCommitted = (endpoint: Subscription) =>
    eventually('its delivery is committed', async () => (await deliveriesTo(env, endpoint)).length === 1);
  async function sweepDelivers(endpoint: Subscription): Promise<void> {
    assert.equal(endpoint.raw().length, 0);
    await runMaintenance(env, 'sweep');
    await untilSettled(env, endpoint, 1);
    assert.equal(endpoint.received().length, 1);
  }

  describe('that nobody signalled are made by the sweep', () => {
    beforeEach(() => holdSweep(env));

    it('after the API dies between commit and signal', async () => {
      const merchant = await createMerchant();
      const endpoint = await subscribe(merchant, receiver);
      const link = await linkToTemporal(env);
      const api = await link.addApi();
      link.proxy.holdRequests();
      const customer = await merchant.send('POST', '/v1/customers', { name: 'Zoë' }, { url: api.url });
      assert.equal(customer.status, 201);
      await untilCommitted(endpoint);
      await api.part.kill();
      assert.equal((await endpointRow(env, endpoint)).awake, true);
      assert.equal(await isRunning(endpoint), false);
      await sweepDelivers(endpoint);
    });

    it('after the worker dies between commit and signal', async () => {
      const merchant = await createMerchant();
      const endpoint = await subscribe(merchant, receiver);
      const link = await linkToTemporal(env);
      await env.stack.part('worker').stop();
      const worker = await env.stack.addWorker({ TEMPORAL_ADDRESS: link.proxy.address });
      // The first step understands no answer: a worker asks again, and settles.
      await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
      const held = await holdSettle(env, merchant);
      const charge = merchant.charge();
      await held.untilBlocked();
      link.proxy.holdRequests();
      await held.release();
      await untilCommitted(endpoint);
      await worker.kill();
      await env.stack.part('worker').start();
      assert.equal((await charge).status, 201);
      assert.equal((await endpointRow(env, endpoint)).awake, true);
      assert.equal(await isRunning(endpoint), false);
      await sweepDelivers(endpoint);
    });

    it('after a commit that follows a cleared flag', async () => {
      const merchant = await createMerchant();
      const endpoint = await subscribe(merchant, receiver);
      // The effect finds it awake, and is held up before its commit; meanwhile it falls asleep.
      await env.db('webhook_endpoints').where({ id: endpoint.id }).update({ awake: true });
      const held = await holdSettle(env, merchant);
      const customer = merchant.send('POST', '/v1/customers', { name: 'Zoë' });
      await held.untilBlocked();
      await env.db('webhook_endpoints').where({ id: endpoint.id }).update({ awake: false });
      await held.release();
      assert.equal((await customer).status, 201);
      assert.equal((await endpointRow(env, endpoint)).awake, false);
      assert.equal(await isRunning(endpoint), false);
      await sweepDelivers(endpoint);
    });

    it('after the workflow of a parked endpoint was terminated', async () => {
      const merchant = await createMerchant({ webhook_retry_schedule_ms: [0, 10, 10, 3_600_000, 10] });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      await untilParked(env, endpoint);
      await findWorkflow(env, endpoint).terminate('by a test');
      receiver.answer(accept, endpoint.path);
      const attempts = endpoint.raw().length;
      // As the sweep finds it an hour later: its probe is overdue, and nobody makes it.
      const since = new Date(Date.now() - 31_000);
      await env
        .db('webhook_deliveries')
        .where({ endpoint_id: endpoint.id })
        .update({ next_attempt_at: since });
      await env
        .db('webhook_endpoints')
        .where({ id: endpoint.id })
        .update({ last_turn_at: since, parked_until: since });
      assert.equal(endpoint.raw().length, attempts);
      await runMaintenance(env, 'sweep');
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.equal(delivery?.status, 'delivered');
    });

    it('and leaves alone who is asleep or parked', async () => {
      const merchant = await createMerchant({ webhook_retry_schedule_ms: [0, 3_600_000] });
      const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      await untilParked(env, endpoint);
      await env
        .db('webhook_endpoints')
        .where({ id: endpoint.id })
        .update({ last_turn_at: new Date(0) });
      await runMaintenance(env, 'sweep');
      assert.equal(+(await endpointRow(env, endpoint)).last_turn_at, 0);
    });
  });

  it('that a caller asks for join a session at work', async () => {
    const merchant = await createMerchant();
    const endpoint = await subscribe(merchant, receiver);
    await merchant.charge();
    const [event] = await untilSettled(env, endpoint, 1);
    // The session now listens for up to ten seconds.
    for (const path of [
      `/v1/webhook-endpoints/${endpoint.id}:test`,
      `/v1/webhook-deliveries/${event?.id}:replay`,
    ]) {
      const before = endpoint.raw().length;
      assert.equal((await merchant.send('POST', path, {})).status, 202);
      await eventually(`${path} arrives`, () => endpoint.raw().length > before, 6_000);
    }
  });

  it('to a healthy endpoint pass many silent ones', async () => {
    const silent: Subscription[] = [];
    // More than the 200 sessions that a worker has at once.
    for (let n = 0; n < 5; n += 1) {
      const merchant = await createMerchant();
      const made = await Promise.all(Array.from({ length: 44 }, () => subscribe(merchant, receiver)));
      for (const { path } of made) receiver.answer(keepSilent, path);
      silent.push(...made);
      await merchant.charge();
    }
    await Promise.all(silent.map((endpoint) => addBacklog(env, endpoint, 10)));
    const isTried = () => silent.every((endpoint) => endpoint.raw().length > 0);
    await eventually('each silent one was tried', isTried);
    const merchant = await createMerchant();
    const healthy = await subscribe(merchant, receiver);
    const waits: number[] = [];
    const end = Date.now() + 5_000;
    while (Date.now() < end) {
      const before = healthy.raw().length;
      await merchant.send('POST', '/v1/customers', { name: 'Zoë' });
      const sentAt = Date.now();
      await eventually('it arrives', () => healthy.raw().length > before);
      waits.push(Date.now() - sentAt);
    }
    // Nothing of them is left for who comes next.
    const ids = silent.map(({ id }) => id);
    const disabled = { status: 'disabled', disabled_reason: 'requested' };
    await env.db('webhook_endpoints').whereIn('id', ids).update(disabled);
    const sorted = waits.toSorted((a, b) => a - b);
    const p90 = sorted[Math.floor(sorted.length * 0.9)]!;
    assert.ok(
      p90 < 2_000,
      `of ${waits.length} the 90th percentile is ${p90} ms, the last ${sorted.at(-1)} ms`,
    );
  });
});
