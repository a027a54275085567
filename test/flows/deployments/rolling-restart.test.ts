import assert from 'node:assert/strict';
import { Pool } from 'undici';
import type { Part } from '#local/stack.ts';
import { startBalancer, untilReady, type Balancer } from '../../support/stack/outside/balancer.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startChargeLoad } from '../../support/resources/charge-load.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

/** Longer than the balancer's probe takes to see it. */
const drain = { SHUTDOWN_DRAIN_MS: '1000' };

describe('A rolling restart of two APIs and two workers under load', () => {
  let env: Environment;
  let merchant: Merchant;
  let apis: { part: Part; url: string }[];
  let secondWorker: Part;
  let balancer: Balancer;
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
    apis = [await env.stack.addApi(drain), await env.stack.addApi(drain)];
    secondWorker = await env.stack.addWorker();
    balancer = await startBalancer(apis.map(({ url }) => url));
  });
  after(async () => {
    await balancer.close();
    await Promise.all([...apis.map(({ part }) => part), secondWorker].map((part) => part.stop()));
  });

  it('answers every request without a 5xx or a reset', async function () {
    this.timeout(120_000);
    const load = startChargeLoad(balancer.url, merchant.token);
    await load.goesOn('before');
    const givenBefore = [...balancer.given.values()];
    for (const { part, url } of apis) {
      await part.restart();
      await untilReady(url);
      await load.goesOn('after an API came back');
    }
    for (const worker of [env.stack.part('worker'), secondWorker]) {
      await worker.restart();
      await load.goesOn('after a worker came back');
    }
    const { answers, faults } = await load.stop();
    assert.deepEqual(faults, []);
    assert.deepEqual([...answers.keys()].toSorted(), ['GET 200', 'POST 201']);
    for (const [index, given] of [...balancer.given.values()].entries())
      assert.ok(given > (givenBefore[index] ?? 0), 'both APIs served before and after');
    const [row] = await env
      .db('charges')
      .where('account_id', merchant.accountId)
      .count<{ count: number }[]>();
    assert.equal(row?.count, answers.get('POST 201'), 'what was answered is what was done');
  });

  it('is announced: one that stops is not ready', async () => {
    const { part, url } = apis[0]!;
    const stopped = part.stop();
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
      await stopped;
    }
  });
});
