import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { eventually } from '../../support/eventually.ts';
import { refused, startDialect, testKey, type Dialect } from './dialect.ts';

const form = (params: Record<string, string>) => new URLSearchParams(params).toString();

/** The second account's key. */
const otherKey = 'sk_test_of_the_other_account';

describe("Idempotency keys of Stripe's dialect", () => {
  let dialect: Dialect;
  let stripe: Stripe;
  before(async () => {
    const env = { PROCESSOR_STRIPE_KEYS: `${testKey},${otherKey}:acct_other` };
    dialect = await startDialect(env);
    stripe = dialect.stripe;
  });
  after(() => dialect.stop());
  afterEach(() => assert.deepEqual(dialect.proxy.faults, [], "by Stripe's OpenAPI file"));

  async function post(path: string, params: Record<string, string>, key: string): Promise<Response> {
    const headers = {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': key,
    };
    return fetch(dialect.proxy.url + path, { method: 'POST', headers, body: form(params) });
  }
  const sent = { amount: '1999', currency: 'eur' };

  it('repeat the first answer, and say so', async () => {
    const first = await post('/v1/payment_intents', sent, 'k-repeat');
    const second = await post('/v1/payment_intents', sent, 'k-repeat');
    assert.equal(await second.text(), await first.text());
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.headers.get('original-request'), first.headers.get('request-id'));
  });

  it('repeat the answer, not the state', async () => {
    const intent = await dialect.prepare();
    const options = { idempotencyKey: 'k-state' };
    await stripe.paymentIntents.confirm(intent.id, {}, options);
    await stripe.refunds.create({ payment_intent: intent.id });
    const replayed = await stripe.paymentIntents.confirm(intent.id, {}, options);
    assert.equal(replayed.status, 'succeeded');
  });

  it('belong to a path and to the very body', async () => {
    await post('/v1/payment_intents', sent, 'k-bound');
    const other = await post('/v1/payment_intents', { ...sent, amount: '2000' }, 'k-bound');
    assert.equal(other.status, 400);
    assert.match(await other.text(), /idempotency_error/);
    const method = { type: 'card', 'card[token]': 'tok_visa' };
    assert.equal((await post('/v1/payment_methods', method, 'k-bound')).status, 400);
  });

  it('belong to an account', async () => {
    const other = dialect.client(otherKey);
    const options = { idempotencyKey: 'k-account' };
    const params = { amount: 1999, currency: 'eur' };
    const [mine, theirs] = [
      await stripe.paymentIntents.create(params, options),
      await other.paymentIntents.create(params, options),
    ];
    assert.notEqual(mine.id, theirs.id);
    assert.equal((await refused(other.paymentIntents.retrieve(mine.id))).statusCode, 404);
  });

  it('keep a decline and a refusal', async () => {
    const intent = await dialect.prepare('tok_declined');
    const path = `/v1/payment_intents/${intent.id}/confirm`;
    assert.equal((await post(path, {}, 'k-decline')).status, 402);
    const again = await post(path, {}, 'k-decline');
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [402, 'true']);
  });

  it('keep nothing of a request with wrong parameters', async () => {
    assert.equal((await post('/v1/payment_intents', { ...sent, amount: 'x' }, 'k-wrong')).status, 400);
    assert.equal((await post('/v1/payment_intents', { ...sent, nonsense: '1' }, 'k-wrong')).status, 400);
    assert.equal((await post('/v1/payment_intents', { amount: '1999' }, 'k-wrong')).status, 400);
    assert.equal((await post('/v1/payment_intents', sent, 'k-wrong')).status, 200);
  });

  for (const [token, moved] of [
    ['tok_500_charged', 1],
    ['tok_500_not_charged', 0],
  ] as const) {
    it(`keep a 500 under ${token}`, async () => {
      const intent = await dialect.prepare(token);
      const options = { idempotencyKey: `k-${token}` };
      assert.equal((await refused(stripe.paymentIntents.confirm(intent.id, {}, options))).statusCode, 500);
      assert.equal((await refused(stripe.paymentIntents.confirm(intent.id, {}, options))).statusCode, 500);
      assert.equal((await dialect.booksUnder(intent)).length, moved);
      await stripe.paymentIntents
        .confirm(intent.id, {}, { idempotencyKey: `${token}-2` })
        .catch(({ code }: Stripe.errors.StripeError) =>
          assert.equal(code, 'payment_intent_unexpected_state'),
        );
      assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'succeeded');
      assert.equal((await dialect.booksUnder(intent)).length, 1);
    });
  }

  it('are in use while their request runs', async () => {
    const intent = await dialect.prepare();
    await dialect.service.stageFault({
      route: 'stripe_confirm',
      mode: 'slow',
      delay_ms: 400,
      key: intent.id,
    });
    const options = { idempotencyKey: 'k-running' };
    const first = stripe.paymentIntents.confirm(intent.id, {}, options);
    const error = await eventually('the first is under way', () =>
      refused(stripe.paymentIntents.confirm(intent.id, {}, options)),
    );
    assert.deepEqual([error.statusCode, error.code], [409, 'idempotency_key_in_use']);
    assert.equal((await first).status, 'succeeded');
    assert.equal((await stripe.paymentIntents.confirm(intent.id, {}, options)).status, 'succeeded');
    assert.equal((await dialect.booksUnder(intent)).length, 1);
  });

  it('survive a crash together with the effect', async () => {
    const intent = await dialect.prepare();
    const options = { idempotencyKey: 'k-crash' };
    const paid = await stripe.paymentIntents.confirm(intent.id, {}, options);
    await dialect.service.crash();
    assert.deepEqual(await stripe.paymentIntents.confirm(intent.id, {}, options), paid);
    assert.equal((await dialect.booksUnder(intent)).length, 1);
  });

  it('are forgotten after the time that is set', async () => {
    const forgetful = await startDialect({ PROCESSOR_KEYS_MS: '0' });
    try {
      const intent = await forgetful.prepare();
      const options = { idempotencyKey: 'k-forgotten' };
      await forgetful.stripe.paymentIntents.confirm(intent.id, {}, options);
      const error = await refused(forgetful.stripe.paymentIntents.confirm(intent.id, {}, options));
      assert.equal(error.code, 'payment_intent_unexpected_state');
    } finally {
      await forgetful.stop();
    }
  });
});
