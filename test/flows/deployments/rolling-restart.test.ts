import assert from 'node:assert/strict';
import { Pool } from 'undici';
import type { Part } from '#local/stack.ts';
import { startBalancer, untilReady, type Balancer } from '../../support/stack/outside/balancer.ts';
import { waySettings, startChargingApi, type Way } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { startChargeLoad } from '../../support/resources/charge-load.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

/** Longer than the balancer's probe takes to see it. */
const drain = { SHUTDOWN_DRAIN_MS: '1500' };

describe('A rolling restart of two APIs and two workers under load', () => {
  let env: Environment;
  let merchant: Merchant;
  let apis: { part: Part; url: string }[];
  let secondWorker: Part;
  let balancer: Balancer;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    const start = () => env.stack.addApi({ ...waySettings.eager, ...drain });
    [secondWorker, ...apis] = await Promise.all([env.stack.addWorker(), start(), start()]);
    balancer = await startBalancer(apis.map(({ url }) => url));
  });
  afterEach(() => env.clearFaults());
  after(async () => {
    await balancer.close();
    await Promise.all([...apis.map(({ part }) => part), secondWorker].map((part) => part.stop()));
  });

  const charges = () => env.db('charges').where('account_id', merchant.accountId);

  it('from workflow to inline and back, fails no request', async () => {
    const load = startChargeLoad(balancer.url, merchant.token);
    await load.goesOn('before');
    const givenBefore = [...balancer.given.values()];
    const restartApis = async (way: Way) => {
      for (const { part, url } of apis) {
        const { port: PORT } = new URL(url);
        const PUBLIC_URL = env.stack.env['PUBLIC_URL'] ?? env.stack.apiUrl;
        await part.restart({ ...waySettings[way], ...drain, PORT, PUBLIC_URL, METRICS_PORT: '' });
        await untilReady(url);
        await load.goesOn(`after an API came back ${way}`);
      }
    };
    await restartApis('inline');
    for (const worker of [env.stack.part('worker'), secondWorker]) {
      await worker.restart();
      await load.goesOn('after a worker came back');
    }
    await restartApis('eager');
    const { answers, faults } = await load.stop();
    assert.deepEqual(faults, []);
    assert.deepEqual([...answers.keys()].toSorted(), ['GET 200', 'POST 201']);
    for (const [index, given] of [...balancer.given.values()].entries())
      assert.ok(given > (givenBefore[index] ?? 0), 'both APIs served before and after');
    const all = await charges();
    assert.equal(all.length, answers.get('POST 201'), 'what was answered is what was done');
    const leased = all.filter(({ sends, leased_until: lease }) => sends > 0 && lease !== null);
    assert.ok(leased.length > 0 && leased.length < all.length, 'some were inline, some had a workflow');
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  /** @param meanwhile is called once it was told to stop. */
  async function stopWhileCharging(
    { part, url }: { part: Part; url: string },
    meanwhile: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    merchant = await createMerchant();
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 30, delay_ms: 2_500 });
    const sent = Promise.all(Array.from({ length: 30 }, () => merchant.charge({}, { url })));
    await eventually('all have begun', async () => (await charges()).length === 30);
    await Promise.all([part.stop(20_000), meanwhile()]);
    for (const { status, text } of await sent) assert.equal(status, 201, text);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  }

  it('answers all of 30 slow charges (eager), and is announced', async () => {
    const { url } = apis[0]!;
    await stopWhileCharging(apis[0]!, async () => {
      const pool = new Pool(url, { connections: 1 });
      try {
        const told = await eventually('it says that it stops', async () => {
          const { body } = await pool.request({ method: 'GET', path: '/readyz' });
          const ready = (await body.json()) as { status: string };
          return ready.status === 'stopping' && ready;
        });
        assert.deepEqual(told, { status: 'stopping', postgres: 'up', temporal: 'up' });
        const { statusCode, headers, body } = await pool.request({ method: 'GET', path: '/livez' });
        await body.dump();
        assert.deepEqual([statusCode, headers['connection']], [200, 'close']);
      } finally {
        await pool.close();
      }
    });
  });

  it('answers all of 30 slow charges (inline)', async () => {
    await stopWhileCharging(await startChargingApi(env, 'inline'));
  });
});
