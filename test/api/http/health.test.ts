import assert from 'node:assert/strict';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

describe('Health, while parts of the stack are away', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const ready = async () => {
    const answer = await fetch(`${env.stack.apiUrl}/readyz`);
    return {
      status: answer.status,
      body: await answer.json(),
      retryAfter: answer.headers.get('retry-after'),
    };
  };
  const isAlive = async () => (await fetch(`${env.stack.apiUrl}/livez`)).status === 200;
  const healthy = () =>
    eventually('everything is up', async () => {
      const { body } = await ready();
      return (body as { temporal: string }).temporal === 'up' && (await merchant.charge()).status === 201;
    });

  it('is ready with everything up', async () => {
    await healthy();
    assert.deepEqual(await ready(), {
      status: 200,
      body: { status: 'ready', postgres: 'up', temporal: 'up' },
      retryAfter: null,
    });
  });

  it('is ready but degraded without Temporal; reads still work', async () => {
    const { body: charge } = await merchant.charge();
    await env.stack.part('temporal').kill();
    try {
      assert.deepEqual(await ready(), {
        status: 200,
        body: { status: 'ready', postgres: 'up', temporal: 'degraded' },
        retryAfter: null,
      });
      assert.equal(await isAlive(), true);
      assert.equal((await merchant.get(`/v1/charges/${charge.id}`)).status, 200);
    } finally {
      await env.stack.part('temporal').start();
    }
    await healthy();
    assert.equal((await ready()).status, 200);
  });

  it('is alive but not ready without Postgres', async () => {
    await env.stack.part('postgres').kill();
    try {
      // Connections may outlive the server by a moment.
      const { body, retryAfter } = await eventually('it is not ready', async () => {
        const told = await ready();
        return told.status === 503 && (told.body as { temporal: string }).temporal === 'up' && told;
      });
      assert.equal(retryAfter, '1');
      assert.deepEqual(body, { status: 'unavailable', postgres: 'down', temporal: 'up' });
      assert.equal(await isAlive(), true);
    } finally {
      await env.stack.part('postgres').start();
    }
    await healthy();
    assert.equal((await ready()).status, 200);
  });
});
