import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import StripeClient from 'stripe';
import { ulid } from 'ulid';
import { formatId } from '#domain/ids.ts';
import { createStripeNotificationParser } from '#processor/stripe/notifications.ts';

const secret = 'whsec_of_the_tests';
const charge = formatId('charge', ulid());
const refund = formatId('refund', ulid());

const nowMs = 1_790_000_000_000;
const nowSeconds = nowMs / 1_000;
const parser = createStripeNotificationParser([secret], { livemode: false }, () => nowMs);

interface Posted {
  headers: Record<string, string | undefined>;
  body: Buffer;
}

const hmac = (by: string, at: number | string, body: string) =>
  createHmac('sha256', by).update(`${at}.${body}`).digest('hex');

function signed(body: string, at: number | string = nowSeconds, by = secret): Posted {
  return { headers: { 'stripe-signature': `t=${at},v1=${hmac(by, at, body)}` }, body: Buffer.from(body) };
}

function event(type: string, metadata: object | null, more: object = {}): string {
  const data = { object: { id: 'pi_1', metadata } };
  return JSON.stringify({ object: 'event', id: 'evt_1', type, livemode: false, data, ...more });
}

const parse = ({ headers, body }: Posted) => parser.parseNotification(headers, body);
const paid = event('payment_intent.succeeded', { charge });

describe('notifications of Stripe', () => {
  const taken: [string, object, string][] = [
    ['payment_intent.succeeded', { charge }, charge],
    ['payment_intent.amount_capturable_updated', { charge }, charge],
    ['charge.refunded', { charge, account: 'acct_1' }, charge],
    ['refund.updated', { refund, charge }, refund],
    ['refund.failed', { refund }, refund],
    ['charge.refund.updated', { refund }, refund],
    ['refund.created', { refund: `${charge}:void` }, charge],
  ];
  for (const [type, metadata, key] of taken) {
    it(`takes our key out of ${type}: ${key.slice(0, 2)}`, () => {
      assert.deepEqual(parse(signed(event(type, metadata))), { id: 'evt_1', key });
    });
  }

  const states: [status: string, reference: string, isLate: boolean][] = [
    ['succeeded', 'pending', false],
    ['succeeded', 'unavailable', false],
    ['succeeded', 'available', true],
    ['failed', 'pending', true],
    ['canceled', 'unavailable', true],
  ];
  for (const [status, reference_status, isLate] of states) {
    it(`is ${isLate ? '' : 'not '}late of a refund ${status}, reference ${reference_status}`, () => {
      const card = { type: 'refund', reference_status };
      const object = { id: 're_1', metadata: { refund }, status, destination_details: { card } };
      const told = { id: 'evt_1', key: refund, ...(isLate && { isLate }) };
      assert.deepEqual(parse(signed(event('refund.updated', null, { data: { object } }))), told);
    });
  }

  it('is late of no void whose reference is available', () => {
    const destination_details = { card: { reference_status: 'available' } };
    const object = { id: 're_1', metadata: { refund: `${charge}:void` }, destination_details };
    const told = { id: 'evt_1', key: charge };
    assert.deepEqual(parse(signed(event('refund.updated', null, { data: { object } }))), told);
  });

  const ignored: [string, string][] = [
    ['an unknown type', event('payout.paid', { charge })],
    ['metadata of another system', event('payment_intent.succeeded', { charge: 'order-17' })],
    ['another system without metadata', event('payment_intent.succeeded', {})],
    ['a refund made elsewhere', event('refund.updated', null)],
    ['a refund that names only its charge', event('refund.updated', { charge })],
    ['the other mode', event('payment_intent.succeeded', { charge }, { livemode: true })],
    ['an event of another shape', JSON.stringify({ object: 'event', type: 'v2.thing' })],
  ];
  for (const [what, body] of ignored) {
    it(`ignores ${what}, though rightly signed`, () => {
      assert.equal(parse(signed(body)), 'ignored');
    });
  }

  it('accepts any of several secrets and signatures', () => {
    const two = createStripeNotificationParser(['whsec_before', secret], { livemode: false }, () => nowMs);
    const { body } = signed(paid);
    const [before, now, other] = ['whsec_before', secret, 'whsec_other'].map((by) =>
      hmac(by, nowSeconds, paid),
    );
    const taken = (signatures: string) =>
      two.parseNotification({ 'stripe-signature': `t=${nowSeconds},${signatures}` }, body) !== null;
    assert.ok(taken(`v1=${before}`));
    assert.ok(taken(`v1=${other},v1=${now}`));
    assert.ok(taken(`v0=${other}, v1=${now}`));
    assert.ok(!taken(`v1=${other}`));
    assert.ok(!taken(`v0=${now}`));
  });

  it('accepts a body of 200 KiB, and none of 300', () => {
    const long = (length: number) => event('charge.updated', { charge, text: 'x'.repeat(length) });
    assert.deepEqual(parse(signed(long(200 * 1024))), { id: 'evt_1', key: charge });
    assert.equal(parse(signed(long(300 * 1024))), null);
  });

  it("takes what Stripe's own SDK has signed", () => {
    const { webhooks } = new StripeClient('sk_test_0123456789');
    const header = webhooks.generateTestHeaderString({ payload: paid, secret, timestamp: nowSeconds });
    const headers = { 'stripe-signature': header };
    assert.deepEqual(parse({ headers, body: Buffer.from(paid) }), { id: 'evt_1', key: charge });
  });

  it('takes a repeated event for the same one', () => {
    assert.deepEqual(parse(signed(paid, nowSeconds - 290)), parse(signed(paid, nowSeconds + 290)));
  });

  const refused: [string, () => Posted][] = [
    ['no signature', () => ({ ...signed(paid), headers: {} })],
    ['another secret', () => signed(paid, nowSeconds, 'whsec_other')],
    [
      'a changed byte',
      () => ({ ...signed(paid), body: Buffer.from(paid.replace('succeeded', 'succeedet')) }),
    ],
    [
      'another time',
      () => changeHeader((header) => header.replace(`t=${nowSeconds}`, `t=${nowSeconds + 1}`)),
    ],
    ['an old time', () => signed(paid, nowSeconds - 301)],
    ['a time to come', () => signed(paid, nowSeconds + 301)],
    ['a time that is no number', () => signed(paid, 'NaN')],
    ['a short signature', () => changeHeader((header) => header.slice(0, -2))],
    ['no time', () => changeHeader((header) => header.replace(/^t=\d+,/, ''))],
    ['a body that is not JSON', () => signed('{"object":')],
    ['a body that is no event', () => signed('{"object":"payment_intent"}')],
  ];
  function changeHeader(change: (header: string) => string): Posted {
    const { headers, body } = signed(paid);
    return { headers: { 'stripe-signature': change(headers['stripe-signature'] ?? '') }, body };
  }
  for (const [what, make] of refused) {
    it(`refuses a notification with ${what}`, () => {
      assert.equal(parse(make()), null);
    });
  }
});
