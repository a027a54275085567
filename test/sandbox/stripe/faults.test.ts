import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { refused, startDialect, testKey, type Dialect } from './dialect.ts';

describe("Faults of Stripe's dialect", function () {
  let dialect: Dialect;
  let stripe: Stripe;
  /** Gives up after half a second. */
  let impatient: Stripe;
  before(async () => {
    dialect = await startDialect();
    stripe = dialect.stripe;
    impatient = dialect.client(undefined, { timeout: 500 });
  });
  after(() => dialect.stop());
  afterEach(() => assert.deepEqual(dialect.proxy.faults, [], "by Stripe's OpenAPI file"));

  const stage = (fault: object) => dialect.service.stageFault(fault);

  it('limit the rate before a key is looked at', async () => {
    const intent = await dialect.prepare();
    const options = { idempotencyKey: 'k-limited' };
    await stage({ route: 'stripe_confirm', mode: 'rate_limited', key: intent.id });
    const error = await refused(stripe.paymentIntents.confirm(intent.id, {}, options));
    assert.deepEqual([error.statusCode, error.code], [429, 'rate_limit']);
    assert.equal((await stripe.paymentIntents.confirm(intent.id, {}, options)).status, 'succeeded');
  });

  it('lock an object for a moment', async () => {
    const intent = await dialect.prepare();
    await stage({ route: 'stripe_cancel', mode: 'locked', key: intent.id });
    const error = await refused(stripe.paymentIntents.cancel(intent.id));
    assert.deepEqual([error.statusCode, error.code], [429, 'lock_timeout']);
  });

  for (const when of ['before', 'after'] as const) {
    it(`keep a 500 ${when} the effect`, async () => {
      const { id } = await dialect.pay();
      await stage({ route: 'stripe_refund', mode: 'stored_500', when, key: `k-500-${when}` });
      const refund = () => stripe.refunds.create({ payment_intent: id }, { idempotencyKey: `k-500-${when}` });
      assert.equal((await refused(refund())).statusCode, 500);
      assert.equal((await refused(refund())).statusCode, 500, 'and so for ever');
      const { data } = await stripe.refunds.list({ payment_intent: id });
      assert.equal(data.length, when === 'after' ? 1 : 0);
    });

    it(`lose an answer ${when} the effect`, async () => {
      const intent = await dialect.prepare();
      const options = { idempotencyKey: `k-lost-${when}` };
      await stage({ route: 'stripe_confirm', mode: 'timeout', when, key: intent.id });
      await refused(impatient.paymentIntents.confirm(intent.id, {}, options));
      assert.equal((await dialect.booksUnder(intent)).length, when === 'after' ? 1 : 0);
      assert.equal((await stripe.paymentIntents.confirm(intent.id, {}, options)).status, 'succeeded');
      assert.equal((await dialect.booksUnder(intent)).length, 1);
    });
  }

  it('say that another request uses the key', async () => {
    const intent = await dialect.pay('tok_visa', { capture_method: 'manual' });
    const options = { idempotencyKey: 'k-in-use' };
    await stage({ route: 'stripe_capture', mode: 'in_progress', when: 'after', key: intent.id });
    const error = await refused(stripe.paymentIntents.capture(intent.id, {}, options));
    assert.deepEqual([error.statusCode, error.code], [409, 'idempotency_key_in_use']);
    assert.equal((await stripe.paymentIntents.capture(intent.id, {}, options)).status, 'succeeded');
  });

  it('reach creates and lists by their metadata', async () => {
    const metadata = { charge: 'ch_staged' };
    await stage({ route: 'stripe_create', mode: 'unavailable', key: 'ch_staged' });
    assert.equal((await refused(dialect.prepare('tok_visa', { metadata }))).statusCode, 503);
    await stage({ route: 'stripe_list', mode: 'rate_limited' });
    assert.equal((await refused(stripe.paymentIntents.list())).statusCode, 429);
    assert.equal((await stripe.paymentIntents.list({ limit: 1 })).data.length, 1);
  });

  for (const { token, moved, answer } of [
    { token: 'tok_timeout_charged', moved: 1, answer: 'none' },
    { token: 'tok_timeout_not_charged', moved: 0, answer: 'none' },
    { token: 'tok_silent', moved: 0, answer: 'none' },
    { token: 'tok_garbage', moved: 1, answer: 'none' },
    { token: 'tok_reset', moved: 0, answer: 'none' },
    { token: 'tok_unavailable', moved: 0, answer: 503 },
  ]) {
    it(`act at the confirm for ${token}`, async () => {
      const intent = await dialect.prepare(token);
      const url = `${dialect.service.url}/v1/payment_intents/${intent.id}/confirm`;
      const headers = { authorization: `Bearer ${testKey}` };
      // The SDK sends again by itself when a connection breaks, so this is sent without it.
      const sent = fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(500) });
      const seen = await sent.then(async (reply) => (await reply.json()) && reply.status).catch(() => 'none');
      assert.equal(seen, answer);
      assert.equal((await dialect.booksUnder(intent)).length, moved);
    });
  }

  it('know who is not allowed in', async () => {
    const stranger = dialect.client('sk_test_nobody_knows_this_one');
    assert.equal((await refused(stranger.accounts.retrieveCurrent())).statusCode, 401);
    const answer = await fetch(`${dialect.proxy.url}/v1/account`);
    assert.equal(answer.status, 401);
    assert.doesNotMatch(await (await fetch(`${dialect.proxy.url}/v1/account`)).text(), /nobody_knows/);
  });

  it('answer as Stripe to what is not there', async () => {
    const error = await refused(stripe.paymentIntents.retrieve('pi_nothing'));
    assert.deepEqual([error.statusCode, error.code, error.param], [404, 'resource_missing', 'intent']);
    const unknown = await refused(dialect.prepare('tok_nonsense'));
    assert.deepEqual([unknown.statusCode, unknown.code], [404, 'resource_missing']);
  });
});
