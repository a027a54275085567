import assert from 'node:assert/strict';
import type { Part } from '#local/stack.ts';
import { startBalancer, untilReady, type Balancer } from '../../support/stack/outside/balancer.ts';
import { waySettings, startChargingApi, ways } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { startChargeLoad } from '../../support/resources/charge-load.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { restore } from '../../support/stack/stages.ts';

/** Longer than the balancer's probe takes to see it. */
const drain = { SHUTDOWN_DRAIN_MS: '1000' };

let env: Environment;
let merchant: Merchant;
const charges = () => env.db('charges').where('account_id', merchant.accountId);

describe('A rolling change from workflow to inline, and back', () => {
  let apis: { part: Part; url: string }[];
  let balancer: Balancer;
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
    const start = () => env.stack.addApi({ ...waySettings.eager, ...drain });
    apis = [await start(), await start()];
    balancer = await startBalancer(apis.map(({ url }) => url));
  });
  after(async () => {
    await balancer.close();
    await Promise.all(apis.map(({ part }) => part.stop()));
  });

  it('loses no charge, doubles none and fails none', async function () {
    this.timeout(180_000);
    const load = startChargeLoad(balancer.url, merchant.token);
    await load.goesOn('before');
    for (const way of ['inline', 'eager'] as const) {
      for (const { part, url } of apis) {
        const { port: PORT } = new URL(url);
        const PUBLIC_URL = env.stack.env['PUBLIC_URL'] ?? env.stack.apiUrl;
        await part.restart({ ...waySettings[way], ...drain, PORT, PUBLIC_URL, METRICS_PORT: '' });
        await untilReady(url);
        await load.goesOn(`after an API came back ${way}`);
      }
    }
    const { answers, faults } = await load.stop();
    assert.deepEqual(faults, []);
    assert.deepEqual([...answers.keys()].toSorted(), ['GET 200', 'POST 201']);
    const all = await charges();
    assert.equal(all.length, answers.get('POST 201'), 'what was answered is what was done');
    const leased = all.filter(({ sends, leased_until: lease }) => sends > 0 && lease !== null);
    assert.ok(leased.length > 0 && leased.length < all.length, 'some were inline, some had a workflow');
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });
});

describe('An API that is stopped while it charges', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
  });
  beforeEach(async () => {
    merchant = await createMerchant();
  });
  afterEach(() => restore(env));

  for (const way of ways) {
    it(`answers all of 30 slow charges (${way})`, async function () {
      this.timeout(120_000);
      const { part, url } = await startChargingApi(env, way);
      await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 30, delay_ms: 2_500 });
      const sent = Promise.all(Array.from({ length: 30 }, () => merchant.charge({}, { url })));
      await eventually('all have begun', async () => (await charges()).length === 30);
      await part.stop(20_000);
      for (const { status, text } of await sent) assert.equal(status, 201, text);
      await assertInvariants(env, { accountIds: [merchant.accountId] });
    });
  }
});
