import assert from 'node:assert/strict';
import { maxEndpointsPerUrl, toSameUrl } from '#domain/webhook-endpoints.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  createWebhookEndpoint,
  type Page,
  type WebhookEndpointBody,
  type WebhookEndpointRecord,
} from '../../support/resources/webhook-endpoints.ts';

const url = 'http://127.0.0.1:9/one';
const code = 'too_many_webhook_endpoints_of_url';

let env: Environment;
let merchant: Merchant;

const post = (body: object = {}) =>
  merchant.send<WebhookEndpointBody>('POST', '/v1/webhook-endpoints', { url, events: ['*'], ...body });

/** Makes as many endpoints with the URL as may exist. */
const fill = () =>
  Promise.all(Array.from({ length: maxEndpointsPerUrl }, () => createWebhookEndpoint(merchant, { url })));

async function countEnabled(): Promise<number> {
  const page = await merchant.get<Page<WebhookEndpointBody>>('/v1/webhook-endpoints?limit=100');
  return page.body.data.filter((endpoint) => endpoint.status === 'enabled' && endpoint.url === url).length;
}

describe('endpoints of an account with one URL', function () {
  before(async () => {
    env = await environment();
  });
  beforeEach(async () => {
    merchant = await createMerchant();
  });

  it('refuses the sixth enabled endpoint, and says why', async () => {
    await fill();
    const { status, body } = await post();
    assert.deepEqual([status, body.code], [422, code]);
    assert.match(body.detail ?? '', /^The account has 5 enabled endpoints with this URL/);
    assert.equal((await post({ url: `${url}?shop=2` })).status, 201);
  });

  it('counts other spellings of the URL as the same', async () => {
    await fill();
    for (const spelling of [
      'HTTP://127.1:9/one',
      'http://127.0.0.1:9/%6fne?',
      'http://127.0.0.1:09/x/../one',
    ]) {
      assert.deepEqual([spelling, (await post({ url: spelling })).body.code], [spelling, code]);
    }
  });

  it('admits no more to requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => post()));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, maxEndpointsPerUrl);
    assert.ok(answers.every(({ status, body }) => status === 201 || body.code === code));
    assert.equal(await countEnabled(), maxEndpointsPerUrl);
  });

  it('refuses to enable or move one beyond it', async () => {
    const [first] = (await fill()) as [WebhookEndpointRecord];
    const off = await first.patch({ status: 'disabled' });
    assert.equal(off.status, 200);
    const other = await createWebhookEndpoint(merchant);
    assert.equal((await other.patch({ url })).status, 200, 'one is disabled, so there is room');
    const on = await first.patch({ status: 'enabled' });
    assert.deepEqual([on.status, on.body.code], [422, code]);
    const another = await createWebhookEndpoint(merchant);
    const moved = await another.patch({ url });
    assert.deepEqual([moved.status, moved.body.code], [422, code]);
    assert.equal((await other.remove()).status, 204);
    assert.equal((await first.patch({ status: 'enabled' })).status, 200);
  });

  it('leaves endpoints from before the limit as they are', async () => {
    const all = await fill();
    await env.db.raw(
      `insert into webhook_endpoints (id, account_id, url, events, api_version, created_at, updated_at)
       select 'we_0' || upper(right(md5(random()::text), 25)), account_id, url, events, api_version, created_at, updated_at
       from webhook_endpoints where account_id = ?`,
      [merchant.accountId],
    );
    assert.equal(await countEnabled(), 2 * maxEndpointsPerUrl);
    const changed = await all[0]!.patch({ description: 'The first', url: `${url}?` });
    assert.deepEqual([changed.status, changed.body.status], [200, 'enabled']);
    assert.equal((await post()).body.code, code);
  });
});

describe('toSameUrl()', () => {
  const spellings = [
    'https://shop.example/a%2Fb?x=%7e1',
    'HTTPS://SHOP.EXAMPLE:443/a%2fb?x=~1',
    'https://shop.example./a%2Fb?x=~1#there',
    'https://shop.example/c/../a%2Fb?%78=~1',
  ];

  it('spells one URL in one way', () => {
    assert.deepEqual([...new Set(spellings.map(toSameUrl))], ['https://shop.example:/a%2Fb?x=~1']);
  });

  it('tells other URLs apart', () => {
    const others = [
      'https://shop.example/a/b',
      'https://shop.example/a%2Fb?x=1',
      'https://shop.example:8443/',
    ];
    assert.equal(new Set([...others, spellings[0]!].map(toSameUrl)).size, 4);
  });
});
