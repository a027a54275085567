import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { scopes as allScopes } from '#domain/scopes.ts';
import type { Part } from '#local/stack.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { row as batchRow, submitBatch } from '../../support/resources/charge-batches.ts';
import { untilDone } from '../../support/resources/exports.ts';
import { createMerchant, addClient, type Merchant } from '../../support/resources/merchant.ts';
import { startReceiver, type Receiver } from '../../support/stack/outside/receiver.ts';

const preload = fileURLToPath(new URL('../../support/stack/shift-clock.mjs', import.meta.url));
const shifted = (ms: number) => ({ NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: String(ms) });

/** Postgres' clock is the service's: a machine whose clock is wrong, or jumps, changes nothing. */
describe('Processes whose clocks are ten minutes apart', () => {
  let env: Environment;
  let slow: { part: Part; url: string };
  let fast: { part: Part; url: string };
  let worker: Part;
  let merchant: Merchant;
  let receiver: Receiver;

  before(async () => {
    env = await environment();
    const { stack } = env;
    await stack.part('worker').stop();
    [slow, fast, worker] = await Promise.all([
      stack.addApi(shifted(-600_000)),
      stack.addApi({ ...shifted(600_000), SYNC_WINDOW_MS: '3000' }),
      stack.addWorker(shifted(-600_000)),
    ]);
    receiver = await startReceiver();
    merchant = await createMerchant();
  });
  after(async () => {
    await receiver.close();
    await Promise.all([slow.part, fast.part, worker].map((part) => part.stop()));
    await env.stack.part('worker').start();
  });

  const register = () =>
    merchant.send<{ secret: string }>('POST', '/v1/webhook-endpoints', {
      url: receiver.url,
      events: ['charge.succeeded'],
    });
  /** An hour ahead, and the next time back. */
  const jump = ({ pid }: Part) => process.kill(pid ?? assert.fail('it does not run'), 'SIGUSR2');

  const isNow = (time: string | null) =>
    assert.ok(Math.abs(Date.parse(time ?? '') - Date.now()) < 30_000, `${time} is not now`);

  for (const name of ['slow', 'fast'] as const) {
    const api = () => ({ slow, fast })[name];

    it(`take a token of another at the ${name} API`, async () => {
      const { status } = await merchant.get('/v1/charges', { url: api().url });
      assert.equal(status, 200);
    });

    it(`take a token of the ${name} API elsewhere`, async () => {
      const other = await addClient(merchant, allScopes, api().url);
      const { status } = await other.get('/v1/charges');
      assert.equal(status, 200);
    });

    it(`write the true time into charges (${name} API)`, async () => {
      const { status, body } = await merchant.charge({}, { url: api().url });
      assert.equal(status, 201);
      isNow(body.created);
      isNow(body.captured_at);
    });
  }

  it('let an authorization expire no sooner than promised', async () => {
    const { body } = await merchant.charge({ capture_method: 'manual' });
    const left = Date.parse(body.expires_at ?? '') - Date.now();
    assert.ok(Math.abs(left - 7 * 86_400_000) < 30_000, body.expires_at ?? '');
    const { body: read } = await merchant.get(`/v1/charges/${body.id}`);
    assert.equal(read.status, 'requires_capture');
  });

  it('sign webhooks so that a receiver takes them', async () => {
    const { body } = await register();
    await merchant.charge();
    await eventually('the event came', () => receiver.received.length > 0);
    const [{ body: payload, headers }] = receiver.received as [(typeof receiver.received)[0]];
    // It refuses what is more than five minutes from its own clock.
    assert.ok(new Webhook(body.secret).verify(payload, headers as Record<string, string>));
  });

  it('bring batches to their end', async () => {
    const { body } = await submitBatch(merchant, [batchRow()]);
    assert.equal((await untilDone(merchant, body.id)).status, 'succeeded');
  });

  it('answer within the window when one jumps back', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 500 });
    jump(fast.part);
    const began = performance.now();
    const answer = own.charge({ payment_method: 'tok_silent' }, { url: fast.url });
    await eventually('it has begun', () => env.db('charges').where('account_id', own.accountId).first('id'));
    jump(fast.part);
    assert.equal((await answer).status, 504);
    assert.ok(performance.now() - began < 30_000, 'its caller waited for too long');
  });

  it('take tokens and deliver when they jump by an hour', async () => {
    await register();
    for (const _there of ['ahead', 'back']) {
      for (const part of [slow.part, fast.part, worker]) jump(part);
      const before = receiver.received.length;
      assert.equal((await merchant.charge({}, { url: fast.url })).status, 201);
      assert.equal((await merchant.get('/v1/charges', { url: slow.url })).status, 200);
      await eventually('the event came', () => receiver.received.length > before);
    }
  });

  it('take what the processor tells of a charge', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_async' }, { url: fast.url });
    await eventually('it is decided', async () => {
      const read = await merchant.get(`/v1/charges/${body.id}`, { url: slow.url });
      return read.body.status === 'succeeded';
    });
  });
});
