import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { Webhooks, WebhookSignatureError } from '#client/src/index.ts';
import { sign, signingKey } from '#webhooks/sign.ts';

const secret = `whsec_${Buffer.from('a secret of twenty-four').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('another of twenty-fours').toString('base64')}`;
const now = new Date('2026-11-01T12:00:00.000Z');
const event = {
  id: 'evt_1',
  type: 'charge.succeeded',
  data: { object: { id: 'ch_1', description: 'Schön' } },
};
const body = JSON.stringify(event);
const webhooks = new Webhooks();

const deliver = (keys = [secret], at = now) => ({
  ...sign(keys.map(signingKey), 'evt_1', at, Buffer.from(body)),
});

describe('A delivery, unwrapped by the client', () => {
  it('is its event, from text or from bytes', () => {
    for (const received of [body, Buffer.from(body), new TextEncoder().encode(body)])
      assert.deepEqual(webhooks.unwrap(received, deliver(), secret, { now }), event);
  });

  it('has its headers as any server gives them', () => {
    assert.deepEqual(webhooks.unwrap(body, new Headers(deliver()), secret, { now }), event);
    const lists = Object.fromEntries(Object.entries(deliver()).map(([name, value]) => [name, [value]]));
    assert.deepEqual(webhooks.unwrap(body, lists, secret, { now }), event);
  });

  it('may be signed with either secret of a rotation', () => {
    assert.deepEqual(webhooks.unwrap(body, deliver([otherSecret, secret]), secret, { now }), event);
    assert.deepEqual(webhooks.unwrap(body, deliver(), [otherSecret, secret], { now }), event);
  });

  it('is signed as other libraries sign', () => {
    const signature = new Webhook(secret).sign('evt_1', now, body);
    const headers = { ...deliver(), 'webhook-signature': signature };
    assert.deepEqual(webhooks.unwrap(body, headers, secret, { now }), event);
  });

  const refused: [why: string, received: string, headers: object, secret: string | string[]][] = [
    ['its body was changed', body.replace('ch_1', 'ch_2'), deliver(), secret],
    ['its id was changed', body, { ...deliver(), 'webhook-id': 'evt_2' }, secret],
    ['its time was changed', body, { ...deliver(), 'webhook-timestamp': '1793534401' }, secret],
    ['its time is no number', body, { ...deliver(), 'webhook-timestamp': 'now' }, secret],
    ['its signature is of another secret', body, deliver([otherSecret]), secret],
    ['it has no signature', body, { ...deliver(), 'webhook-signature': undefined }, secret],
    ['its signature is of another version', body, { ...deliver(), 'webhook-signature': 'v2,abc' }, secret],
    ['it is too old', body, deliver([secret], new Date(now.getTime() - 301_000)), secret],
    ['it is from the future', body, deliver([secret], new Date(now.getTime() + 301_000)), secret],
    ['its receiver has no secret', body, deliver(), []],
    ['its receiver’s secret is none', body, deliver(), 'whsec_'],
  ];
  for (const [why, received, headers, with_] of refused) {
    it(`is refused where ${why}`, () => {
      const unwrap = () => webhooks.unwrap(received, headers as Record<string, string>, with_, { now });
      assert.throws(unwrap, WebhookSignatureError);
    });
  }
});
