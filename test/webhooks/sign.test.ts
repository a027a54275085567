import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { sign, signingKey } from '#webhooks/sign.ts';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const body = Buffer.from('{"id":"evt_1","type":"charge.succeeded","name":"Zoë"}');

describe('A signature of a delivery', () => {
  it('is the one of the Standard Webhooks vector', () => {
    const headers = sign(
      [signingKey('whsec_plJ3nmyCDGBKInavdOK15jsl')],
      'msg_loFOjxBNrRLzqYUf',
      new Date(1_731_705_121_000),
      Buffer.from('{"event_type":"ping","data":{"success":true}}'),
    );
    assert.deepEqual(headers, {
      'webhook-id': 'msg_loFOjxBNrRLzqYUf',
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    });
  });

  it('is accepted by the standardwebhooks library', () => {
    const own = secret();
    const headers = sign([signingKey(own)], 'evt_1', new Date(), body);
    assert.deepEqual(new Webhook(own).verify(body, { ...headers }), JSON.parse(body.toString()));
  });

  it('holds for each live secret alone', () => {
    const [newer, older, other] = [secret(), secret(), secret()];
    const headers = sign([newer, older].map(signingKey), 'evt_1', new Date(), body);
    for (const live of [newer, older]) new Webhook(live).verify(body, { ...headers });
    assert.throws(() => new Webhook(other).verify(body, { ...headers }), /No matching signature/);
  });

  it('does not hold for another body, id or time', () => {
    const own = secret();
    const headers = { ...sign([signingKey(own)], 'evt_1', new Date(), body) };
    const verifier = new Webhook(own);
    const past = String(Number(headers['webhook-timestamp']) - 1);
    assert.throws(() => verifier.verify(`${body.toString()} `, headers), /No matching/);
    assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_2' }), /No matching/);
    assert.throws(() => verifier.verify(body, { ...headers, 'webhook-timestamp': past }), /No matching/);
  });

  it('is refused once it is older than the tolerance', () => {
    const own = secret();
    const headers = sign([signingKey(own)], 'evt_1', new Date(Date.now() - 301_000), body);
    assert.throws(() => new Webhook(own).verify(body, { ...headers }), /too old/);
  });
});
