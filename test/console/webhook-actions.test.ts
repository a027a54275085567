import assert from 'node:assert/strict';
import { rememberSecret } from '../support/stack/leaks.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { subscribe } from '../support/resources/subscriptions.ts';
import { createWebhookEndpoint, deadUrl } from '../support/resources/webhook-endpoints.ts';
import { sharedConsole, type Visitor } from '../support/stack/console.ts';
import { startReceiver } from '../support/stack/outside/receiver.ts';

describe('The actions on webhooks of the console', function () {
  let merchant: Merchant;
  let developer: Visitor;
  before(async () => {
    merchant = await createMerchant();
    const on = await sharedConsole();
    developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
  });

  /** Takes the secret from the page that shows it. */
  function readSecret(html: string): string {
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0];
    assert.ok(secret, html);
    rememberSecret(secret);
    return secret;
  }

  it('registers an endpoint, and shows its secret once', async () => {
    const faulty = await developer.preview('/webhooks/new', { url: 'ftp://shop.example' });
    assert.equal(faulty.status, 422);
    assert.match(faulty.html, /must begin with https/);
    assert.match(faulty.html, /Choose at least one type/);
    const made = await developer.act('/webhooks/new', {
      url: deadUrl,
      events: 'charge.*,refund.failed',
      description: 'Books',
    });
    const secret = readSecret(made.html);
    assert.match(made.headers.get('cache-control') ?? '', /no-store/);
    const path = /href="(\/webhooks\/we_\w+)"/.exec(made.html)?.[1] ?? '';
    const { html } = await developer.get(path);
    assert.match(html, /charge\.\*, refund\.failed/);
    assert.ok(!html.includes(secret));
  });

  it('changes only what was changed in the form', async () => {
    const endpoint = await createWebhookEndpoint(merchant, {
      description: 'Old',
      metadata: { team: 'books' },
    });
    const path = `/webhooks/${endpoint.id}/edit`;
    const form = await developer.get(path);
    assert.match(form.html, /value="Old"/);
    const values = {
      url: endpoint.created.url,
      events: '*',
      description: 'New',
      ordering: 'none',
      api_version: '2026-11-01',
    };
    const preview = await developer.preview(path, values);
    assert.match(preview.html, /Description: Old becomes New\./);
    assert.doesNotMatch(preview.html, /URL: /);
    assert.equal((await developer.act(path, values)).status, 303);
    const { description, metadata, events } = (await endpoint.read()).body;
    assert.deepEqual([description, metadata, events], ['New', { team: 'books' }, ['*']]);
  });

  it('disables an endpoint, and enables it again', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    assert.equal((await developer.act(`/webhooks/${endpoint.id}/disable`)).status, 303);
    assert.equal((await endpoint.read()).body.status, 'disabled');
    const { html } = await developer.get(`/webhooks/${endpoint.id}`);
    assert.match(html, /disabled<\/span> on request/);
    assert.ok(!html.includes('/test"') && html.includes('/enable"'));
    assert.equal((await developer.act(`/webhooks/${endpoint.id}/enable`)).status, 303);
    assert.equal((await endpoint.read()).body.status, 'enabled');
  });

  it('makes a new secret, and shows it once', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const path = `/webhooks/${endpoint.id}/rotate`;
    const shown = await developer.act(path, { overlap_seconds: '3600' });
    const secret = readSecret(shown.html);
    assert.notEqual(secret, endpoint.created.secret);
    const { html } = await developer.get(`/webhooks/${endpoint.id}`);
    assert.equal(html.match(/whs_\w{26}<\/code>/g)?.length, 2);
    assert.match(html, /it is replaced/);
    assert.equal((await developer.preview(path, { overlap_seconds: '5' })).status, 422);
  });

  it('deletes an endpoint whose host was typed', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const path = `/webhooks/${endpoint.id}/delete`;
    const wrong = await developer.preview(path, { host: 'shop.example' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /is not the host of this endpoint/);
    const { status, headers } = await developer.act(path, { host: new URL(deadUrl).host });
    assert.deepEqual([status, headers.get('location')], [303, '/webhooks']);
    assert.equal((await endpoint.read()).status, 410);
  });

  it('sends a test event once, however often it is sent', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const path = `/webhooks/${endpoint.id}/test`;
    const { html } = await developer.get(path);
    const sealed = /name="sealed" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const sent = await Promise.all([1, 2, 3].map(() => developer.post(path, { sealed, step: 'send' })));
    const places = new Set(sent.map(({ headers }) => headers.get('location')));
    assert.deepEqual([sent.map(({ status }) => status), places.size], [[303, 303, 303], 1]);
    assert.equal((await endpoint.deliveries()).data.length, 1);
  });

  it('counts the events before it replays them', async () => {
    const receiver = await startReceiver();
    try {
      for (let n = 0; n < 2; n += 1) await merchant.charge();
      const endpoint = await subscribe(merchant, receiver, { events: ['refund.*'] });
      const path = `/webhooks/${endpoint.id}/replay`;
      const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
      assert.equal((await developer.preview(path, { since: 'yesterday' })).status, 422);
      const counted = await developer.act(path, { since, types: 'charge.succeeded' });
      assert.equal(counted.status, 303, counted.html);
      const next = counted.headers.get('location') ?? '';
      const preview = await developer.get(next);
      assert.match(preview.html, /2 events match/);
      assert.equal(endpoint.raw().length, 0, 'nothing is sent yet');
      const sealed = /name="sealed" value="([^"]+)"/.exec(preview.html)?.[1] ?? '';
      const sent = await developer.post(next, { sealed, step: 'send' });
      assert.match(sent.headers.get('location') ?? '', /^\/operations\/op_/);
      await eventually('both come', () => endpoint.received().length === 2);
      assert.match((await developer.get(`${path}/send`)).html, /Choose the events first/);
    } finally {
      await receiver.close();
    }
  });
});
