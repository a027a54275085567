import assert from 'node:assert/strict';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import { subscribe, untilSettled } from '../support/resources/subscriptions.ts';

describe('What a webhook endpoint is sent', () => {
  let env: Environment;
  let receiver: Receiver;
  before(async () => {
    env = await environment();
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('uses the endpoint’s version, not the request’s or account’s', async () => {
    const merchant = await createMerchant();
    const old = await subscribe(merchant, receiver, { events: ['charge.*'], api_version: '2026-05-01' });
    const current = await subscribe(merchant, receiver, { events: ['charge.*'], api_version: '2026-11-01' });
    await merchant.charge({}, { headers: { 'api-version': '2026-05-01' } });
    await Promise.all([untilSettled(env, old, 1), untilSettled(env, current, 1)]);
    const sent = [old, current].map((endpoint) => JSON.parse(endpoint.raw()[0]?.body ?? '') as Sent);
    assert.deepEqual(
      sent.map(({ api_version: version, data: { object } }) => [
        version,
        object['status'],
        'failure' in object,
      ]),
      [
        ['2026-05-01', 'paid', false],
        ['2026-11-01', 'succeeded', true],
      ],
    );
    assert.equal(sent[0]?.id, sent[1]?.id);
  });

  it('is signed with both secrets during a rotation', async () => {
    const merchant = await createMerchant();
    const endpoint = await subscribe(merchant, receiver);
    const path = `/v1/webhook-endpoints/${endpoint.id}:rotate-secret`;
    const { body } = await merchant.send<WebhookEndpointResource>('POST', path, { overlap_seconds: 8 });
    const expiresAt = Date.parse(body.secrets[1]?.expires_at ?? '');
    await merchant.charge();
    await untilSettled(env, endpoint, 1);
    const readSignatures = (n: number) => String(endpoint.raw()[n]?.headers['webhook-signature']).split(' ');
    assert.equal(readSignatures(0).length, 2);
    // Verified with the secret that is rotated out.
    assert.equal(endpoint.received().length, 1);
    await eventually('its time has come', () => Date.now() > expiresAt);
    // The turn that knew both goes on.
    await merchant.charge();
    await untilSettled(env, endpoint, 2);
    assert.equal(readSignatures(1).length, 1);
    assert.throws(() => endpoint.received(), /No matching signature/);
  });
});

interface Sent {
  id: string;
  api_version: string;
  data: { object: Record<string, unknown> };
}
