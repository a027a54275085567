import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { environment, type Environment } from '../support/environment.ts';
import { createMerchant } from '../support/merchant.ts';
import { restore } from '../support/stages.ts';

describe('POST /processor/notifications, of the processes that serve', () => {
  let env: Environment;
  before(async function () {
    this.timeout(120_000);
    env = await environment();
  });
  afterEach(() => restore(env));

  /** As the processor tells it. */
  function notify(key: string): Promise<Response> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = JSON.stringify({ key });
    const mac = createHmac('sha256', env.stack.secrets.processorSecret).update(`${timestamp}.${body}`);
    return fetch(`${env.stack.apiUrl}/processor/notifications`, {
      method: 'POST',
      headers: { 'processor-timestamp': timestamp, 'processor-signature': `v1=${mac.digest('hex')}` },
      body,
    });
  }

  it('hears news of what is over, so that they are not told again', async () => {
    const { id } = (await (await createMerchant()).charge()).body;
    assert.equal((await notify(id)).status, 204);
  });

  it('hears news of what it does not know', async () => {
    assert.equal((await notify('ch_unknown')).status, 204);
  });

  it('answers 503 while the database is away, so that they are told again', async () => {
    await env.stack.part('postgres').kill();
    assert.equal((await notify('ch_unknown')).status, 503);
  });
});
