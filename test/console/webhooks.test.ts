import assert from 'node:assert/strict';
import { environment, type Environment } from '../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import {
  deliveriesTo,
  subscribe,
  untilSettled,
  type Subscription,
} from '../support/resources/subscriptions.ts';
import { eventually } from '../support/eventually.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';
import { accept, startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';

/** What a hostile receiver answers. */
const hostile = '</pre><script src="//evil.example"></script><a href="javascript:alert(1)">\u202e';

describe('The webhooks of the console', () => {
  let env: Environment;
  let on: TestConsole;
  let merchant: Merchant;
  let receiver: Receiver;
  let developer: Visitor;
  let endpoint: Subscription;
  let failing: Subscription;
  before(async () => {
    env = await environment();
    on = await sharedConsole();
    receiver = await startReceiver();
    merchant = await createMerchant();
    developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
    endpoint = await subscribe(merchant, receiver, { events: ['charge.*'] });
    failing = await subscribe(merchant, receiver, {
      events: ['customer.created'],
      description: '<b>mine</b> https://evil.example',
    });
    receiver.answer((_received, response) => void response.writeHead(500).end(hostile), failing.path);
    await merchant.charge();
    await merchant.send('POST', '/v1/customers', { name: 'Ada' });
    await untilSettled(env, endpoint, 1);
    await eventually('the other one fails', async () => (await firstTo(failing)).attempts > 0);
  });
  after(async () => {
    // Nothing of it is left for the worker.
    await merchant.send('DELETE', `/v1/webhook-endpoints/${failing.id}`);
    await receiver.close();
  });

  async function firstTo(to: Subscription) {
    const [delivery] = await deliveriesTo(env, to);
    assert.ok(delivery);
    return delivery;
  }

  async function see(path: string, visitor = developer): Promise<string> {
    const { status, html } = await visitor.get(path);
    assert.equal(status, 200, `${path}: ${html}`);
    return html;
  }

  it('lists endpoints, and what is not delivered', async () => {
    const html = await see('/webhooks');
    for (const { id } of [endpoint, failing]) assert.ok(html.includes(`href="/webhooks/${id}"`));
    assert.match(html, /failing/);
    const [undelivered] = html.split('id="undelivered"').slice(1);
    assert.ok(undelivered?.includes((await firstTo(failing)).id));
    assert.ok(!undelivered?.includes((await firstTo(endpoint)).id));
  });

  it('says why an endpoint fails, and what comes next', async () => {
    const html = await see(`/webhooks/${failing.id}`);
    assert.match(html, /It has failed for/);
    assert.match(html, /HTTP 500/);
    assert.match(html, /Next attempt: .*it is disabled/s);
    assert.match(html, /&lt;b>mine&lt;\/b> https:\/\/evil\.example<\/bdi>/);
    assert.doesNotMatch(html, /href="https:\/\/evil|<b>mine/);
    assert.doesNotMatch(await see(`/webhooks/${endpoint.id}`), /It has failed for/);
    assert.doesNotMatch(html, /whsec_/);
  });

  it('shows what the receiver answered as plain text', async () => {
    const html = await see(`/webhooks/deliveries/${(await firstTo(failing)).id}`);
    assert.match(html, /HTTP 500/);
    assert.ok(html.includes('&lt;/pre>&lt;script src=&quot;//evil.example&quot;>'), html);
    assert.ok(html.includes('\\u{202e}'));
    assert.doesNotMatch(html, /href="javascript|<script src="\/\/evil/);
  });

  it('shows what was sent, and how to check it', async () => {
    const delivery = await firstTo(endpoint);
    const html = await see(`/webhooks/deliveries/${delivery.id}`);
    assert.match(html, /HTTP 204, delivered/);
    for (const language of ['TypeScript', 'Python', 'Go']) assert.ok(html.includes(`<summary>${language}`));
    assert.ok(html.includes(delivery.event_id) && html.includes('WEBHOOK_SECRET'));
    assert.doesNotMatch(html, /whsec_/);
    const event = await see(`/webhooks/events/${delivery.event_id}`);
    assert.ok(event.includes(`href="/webhooks/deliveries/${delivery.id}"`));
    assert.match(event, /charge\.succeeded/);
  });

  it('narrows deliveries and events', async () => {
    const [delivered, undelivered] = [await firstTo(endpoint), await firstTo(failing)];
    const open = await see('/webhooks/deliveries?status=undelivered');
    assert.ok(open.includes(undelivered.id) && !open.includes(delivered.id));
    const own = await see(`/webhooks/deliveries?endpoint=${endpoint.id}`);
    assert.ok(own.includes(delivered.id) && !own.includes(undelivered.id));
    const today = new Date().toISOString().slice(0, 10);
    assert.ok((await see(`/webhooks/deliveries?from=${today}&to=${today}`)).includes(delivered.id));
    assert.match(await see('/webhooks/deliveries?to=2026-01-01'), /No delivery matches/);
    assert.ok((await see(`/webhooks/deliveries?type=charge.succeeded`)).includes(delivered.id));
    assert.match(await see('/webhooks/deliveries?type=refund.failed'), /No delivery matches/);
    const events = await see('/webhooks/events?type=customer.created');
    assert.ok(events.includes(undelivered.event_id) && !events.includes(delivered.event_id));
    const wrong = await developer.get('/webhooks/deliveries?endpoint=x');
    assert.equal(wrong.status, 400);
    assert.match(wrong.html, /invalid_parameter/);
  });

  it('offers what the role may do, and no more', async () => {
    const buttons = async (role: 'viewer' | 'support' | 'developer') => {
      const visitor = await on.signIn({ accountId: merchant.accountId, role });
      const html = await see(`/webhooks/${endpoint.id}`, visitor);
      return [...html.matchAll(/class="button" href="\/webhooks\/\w+\/(\w+)"/g)].map(([, name]) => name);
    };
    assert.deepEqual(await buttons('viewer'), []);
    assert.deepEqual(await buttons('support'), ['test', 'replay']);
    assert.deepEqual(await buttons('developer'), ['test', 'replay', 'edit', 'rotate', 'disable', 'delete']);
    const support = await on.signIn({ accountId: merchant.accountId, role: 'support' });
    for (const path of ['new', `${endpoint.id}/edit`, `${endpoint.id}/delete`])
      assert.equal((await support.get(`/webhooks/${path}`)).status, 403, path);
  });

  it('shows nothing of another account', async () => {
    const stranger = await on.signIn({ accountId: (await createMerchant()).accountId, role: 'developer' });
    const { id, event_id: event } = await firstTo(endpoint);
    for (const path of [endpoint.id, `deliveries/${id}`, `events/${event}`, `${endpoint.id}/test`])
      assert.equal((await stranger.get(`/webhooks/${path}`)).status, 404, path);
    assert.match(await see('/webhooks', stranger), /No endpoint yet/);
  });

  it('shows a delivery that comes after all', async () => {
    receiver.answer(accept, failing.path);
    const { status, headers } = await developer.act(
      `/webhooks/deliveries/${(await firstTo(failing)).id}/replay`,
    );
    assert.equal(status, 303);
    const again = headers.get('location') ?? '';
    await eventually('it is delivered', async () => /HTTP 204, delivered/.test(await see(again)));
    assert.match(await see(again), /Sent again on request/);
  });
});
