import assert from 'node:assert/strict';
import { ProcessorKeyError } from '#processor/port.ts';
import { createStripeProcessor } from '#processor/stripe/adapter.ts';
import { chooseUrl, readKey } from '#processor/stripe/keys.ts';

const test = 'sk_test_0123456789abcdef';
const live = 'sk_live_0123456789abcdef';
const stripe = 'https://api.stripe.com';

describe('keys of Stripe', () => {
  for (const [key, mode] of [
    [test, 'test'],
    ['rk_test_0123456789', 'test'],
    [live, 'live'],
    ['rk_live_0123456789', 'live'],
  ] as const) {
    it(`reads the mode of ${key.slice(0, 8)} from its prefix`, () => {
      assert.deepEqual(readKey(key), { mode });
    });
  }

  for (const key of [
    '',
    'sk_test_',
    'pk_live_0123456789',
    'whsec_0123456789',
    `${test}\r\nx: y`,
    `${test} `,
  ]) {
    it(`refuses ${JSON.stringify(key.slice(0, 12))} without showing it`, () => {
      assert.throws(
        () => readKey(key),
        (error) => error instanceof ProcessorKeyError && !error.message.includes('0123456789'),
      );
    });
  }

  it('sends a live key to Stripe and nowhere else', () => {
    assert.equal(chooseUrl({ key: live, url: null }), stripe);
    assert.equal(chooseUrl({ key: live, url: 'https://api.stripe.com/' }), stripe);
    for (const url of [
      'http://127.0.0.1:3000',
      'https://api.stripe.com.example',
      'http://api.stripe.com',
      'https://api.stripe.com:8443',
      'https://user@example.com/api.stripe.com',
    ]) {
      assert.throws(() => chooseUrl({ key: live, url }), ProcessorKeyError, url);
      assert.throws(() => createStripeProcessor({ key: live, url }), ProcessorKeyError, url);
    }
  });

  it('sends a test key to Stripe or to this machine', () => {
    for (const url of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
      assert.equal(chooseUrl({ key: test, url }), url);
    for (const url of ['http://127.0.0.1.example', 'https://example.com', 'http://10.0.0.1'])
      assert.throws(() => chooseUrl({ key: test, url }), ProcessorKeyError, url);
  });
});
