import type { SecretsKeys } from '#db/encryption.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { findSigningSecrets } from '#db/webhooks/webhook-endpoints.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  createWebhookEndpoint,
  deadUrl,
  nextDeadUrl,
  type Page,
  type WebhookEndpointBody,
} from '../../support/resources/webhook-endpoints.ts';

let wanted = {
  url: deadUrl,
  events: ['charge.*', 'refund.processed'],
  description: 'Books',
  metadata: { team: 'books' },
};

let env: Environment;
let merchant: Merchant;
async function prepare(this: Mocha.Context) {
  env = await environment();
  merchant = await createMerchant();
}

function renewUrl() {
  wanted = { ...wanted, url: nextDeadUrl() };
}

const post = (body: object, options = {}) =>
  merchant.send<WebhookEndpointBody>('POST', '/v1/webhook-endpoints', body, options);

/** Everything Postgres holds of a row, as text. */
async function storedText(table: string, where: object): Promise<string> {
  const rows: Record<string, unknown>[] = await env.db(table).where(where);
  return rows
    .flatMap((row) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
    .join('\n');
}

describe('POST /v1/webhook-endpoints', () => {
  before(prepare);
  beforeEach(renewUrl);

  it('answers 201 with the new endpoint and its secret', async () => {
    const { status, body, headers, text } = await post(wanted);
    assert.equal(status, 201, text);
    const { id, created, updated, secret, secrets, ...rest } = body;
    assert.match(id, /^we_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(updated, created);
    assert.equal(Buffer.from(String(secret).replace('whsec_', ''), 'base64').length, 32);
    assert.deepEqual(secrets, [{ id: secrets[0]?.id, created, expires_at: null }]);
    assert.deepEqual(rest, {
      object: 'webhook_endpoint',
      ...wanted,
      status: 'enabled',
      disabled_reason: null,
      api_version: '2026-11-01',
      ordering: 'none',
      failing_since: null,
      last_failure: null,
      paused_until: null,
      disables_at: null,
    });
    assert.equal(headers.get('location'), `/v1/webhook-endpoints/${id}`);
    const { secret: _secret, ...shown } = body;
    const read = await merchant.get<WebhookEndpointBody>(`/v1/webhook-endpoints/${id}`);
    assert.deepEqual(read.body, shown, 'the secret is shown nowhere else');
    assert.equal(read.headers.get('etag'), headers.get('etag'));
  });

  it('repeats its answer, secret included, and registers one', async () => {
    const fresh = await createMerchant();
    const key = randomUUID();
    const send = () => fresh.send<WebhookEndpointBody>('POST', '/v1/webhook-endpoints', wanted, { key });
    const first = await send();
    const again = await send();
    assert.match(String(first.body.secret), /^whsec_/);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const { data } = (await fresh.get<Page<WebhookEndpointBody>>('/v1/webhook-endpoints')).body;
    assert.deepEqual(
      data.map(({ id }) => id),
      [first.body.id],
    );
  });

  it('registers one endpoint and secret for ten concurrent requests', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(wanted, { key })));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  });

  it('refuses the key of another body', async () => {
    const key = randomUUID();
    await post(wanted, { key });
    const { status, body } = await post({ ...wanted, events: ['*'] }, { key });
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
  });

  it('answers 400 without an idempotency key', async () => {
    const { status, body } = await post(wanted, { key: null });
    assert.deepEqual([status, body.code], [400, 'idempotency_key_required']);
  });

  it('stores the secret only encrypted, and signs with it', async () => {
    const key = randomUUID();
    const { body } = await post(wanted, { key });
    const secret = String(body.secret);
    const stored = [
      await storedText('webhook_endpoints', { id: body.id }),
      await storedText('webhook_secrets', { endpoint_id: body.id }),
      await storedText('idempotency_keys', { account_id: merchant.accountId, key }),
    ].join('\n');
    assert.ok(stored.includes(body.id), 'the rows are these');
    const encoded = secret.slice('whsec_'.length);
    for (const form of [secret, encoded, Buffer.from(encoded, 'base64').toString('latin1')]) {
      assert.ok(!stored.includes(form));
    }
    assert.deepEqual(await signingSecrets(env, body), [secret]);
  });

  it('links its key to the endpoint despite the encryption', async () => {
    const key = randomUUID();
    const { body } = await post(wanted, { key });
    const { body: uses } = await merchant.get<{ uses: { resource: string }[] }>(
      `/v1/idempotency-keys/${key}`,
    );
    assert.deepEqual(
      uses.uses.map(({ resource }) => resource),
      [`/v1/webhook-endpoints/${body.id}`],
    );
  });

  it('writes payloads in the request’s or a named version', async () => {
    const old = await post(wanted, { headers: { 'api-version': '2026-05-01' } });
    const named = await post({ ...wanted, api_version: '2026-05-01' });
    assert.deepEqual([old.body.api_version, named.body.api_version], ['2026-05-01', '2026-05-01']);
  });

  it('keeps the URL as it was parsed', async () => {
    const made = await post({ ...wanted, url: ' HTTPS://93.184.0xD70E:443/a/../hooks?q=%E4 ä' });
    assert.deepEqual([made.status, made.body.url], [201, 'https://93.184.215.14/hooks?q=%E4%20%C3%A4']);
  });

  const refusals: [url: string, code: string][] = [
    ['http://93.184.215.14/webhooks', 'https_required'],
    ['https://10.0.0.1/', 'address_refused'],
    ['https://169.254.169.254/latest/meta-data', 'address_refused'],
    ['https://[fd00::1]/', 'address_refused'],
    ['https://0x7f000001.nip.invalid/', 'validation_failed'],
    ['https://[::ffff:10.0.0.1]/', 'address_refused'],
    ['https://167772161/', 'address_refused'],
  ];
  for (const [url, code] of refusals) {
    it(`answers 422 ${code} to ${url}`, async () => {
      const { status, body } = await post({ ...wanted, url });
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [422, code, '/url']);
    });
  }

  const faults: [change: object, pointer: string][] = [
    [{ url: 'shop.example' }, '/url'],
    [{ url: 'ftp://shop.example/' }, '/url'],
    [{ url: 'https://ada:secret@shop.example/' }, '/url'],
    [{ url: 'https://shop.example/#there' }, '/url'],
    [{ url: `https://shop.example/${'x'.repeat(2_000)}` }, '/url'],
    [{ url: 'https://shop.example\\@evil.example/' }, '/url'],
    [{ url: 'https://shop.example/\thooks' }, '/url'],
    [{ url: 'https://shop.example/\u0085' }, '/url'],
    [{ events: [] }, '/events'],
    [{ events: ['charge.exploded'] }, '/events/0'],
    [{ events: ['*', '*'] }, '/events'],
    [{ ordering: 'lifo' }, '/ordering'],
    [{ api_version: '2020-01-01' }, '/api_version'],
    [{ secret: 'mine' }, '/secret'],
    [{ status: 'disabled' }, '/status'],
  ];
  for (const [change, pointer] of faults) {
    it(`answers 422 to a body with ${JSON.stringify(change).slice(0, 60)}`, async () => {
      const { status, body } = await post({ ...wanted, ...change });
      assert.deepEqual([status, body.code], [422, 'validation_failed']);
      assert.deepEqual(
        body.errors?.map((fault) => fault.pointer),
        [pointer],
      );
    });
  }

  it('stops at a hundred an account, and says so', async () => {
    const crowded = await createMerchant();
    await createWebhookEndpoint(crowded);
    await env.db.raw(
      `insert into webhook_endpoints (id, account_id, url, events, api_version, created_at, updated_at)
       select 'we_' || lpad(i::text, 26, '0'), account_id, url, '{customer.*}', api_version, created_at, updated_at
       from webhook_endpoints, generate_series(1, 98) i where account_id = ?`,
      [crowded.accountId],
    );
    await createWebhookEndpoint(crowded);
    const late = await crowded.send<WebhookEndpointBody>('POST', '/v1/webhook-endpoints', wanted);
    assert.deepEqual([late.status, late.body.code], [422, 'too_many_webhook_endpoints']);
    await env.db('accounts').where({ id: crowded.accountId }).delete();
  });
});

describe('PATCH /v1/webhook-endpoints/{id}', () => {
  before(prepare);
  beforeEach(renewUrl);

  it('changes what it names, and nothing else', async () => {
    const endpoint = await createWebhookEndpoint(merchant, wanted);
    const change = {
      events: ['*'],
      description: null,
      metadata: { team: null, tier: '1' },
      ordering: 'fifo',
    };
    const { status, body } = await endpoint.patch(change);
    const { secret: _secret, ...before } = endpoint.created;
    assert.equal(status, 200);
    assert.deepEqual(body, {
      ...before,
      events: ['*'],
      description: null,
      metadata: { tier: '1' },
      ordering: 'fifo',
      updated: body.updated,
    });
    assert.deepEqual((await endpoint.read()).body, body);
  });

  it('checks a new URL as it did the first', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const plain = await endpoint.patch({ url: 'http://93.184.215.14/' });
    const inner = await endpoint.patch({ url: 'https://192.168.0.1/' });
    assert.deepEqual([plain.status, plain.body.code], [422, 'https_required']);
    assert.deepEqual([inner.status, inner.body.code], [422, 'address_refused']);
    assert.equal((await endpoint.read()).body.url, endpoint.created.url);
  });

  it('disables, says so, and enables again', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const off = await endpoint.patch({ status: 'disabled' });
    assert.deepEqual([off.body.status, off.body.disabled_reason], ['disabled', 'requested']);
    const events = await env.db('events').where({ resource_id: endpoint.id });
    assert.deepEqual(
      events.map(({ type, object }) => [type, object]),
      [['webhook_endpoint.disabled', off.body]],
    );
    const on = await endpoint.patch({ status: 'enabled' });
    assert.deepEqual([on.body.status, on.body.disabled_reason], ['enabled', null]);
  });

  it('leaves no trace where it changes nothing', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const { headers } = await endpoint.patch({ events: ['*'] });
    assert.equal(headers.get('etag'), (await endpoint.read()).headers.get('etag'));
  });
});

describe('DELETE /v1/webhook-endpoints/{id}', () => {
  before(prepare);
  beforeEach(renewUrl);

  it('keeps only the fact that the endpoint existed', async () => {
    const endpoint = await createWebhookEndpoint(merchant, wanted);
    assert.equal((await endpoint.remove()).status, 204);
    for (const answer of [
      await endpoint.read(),
      await endpoint.remove(),
      await endpoint.rotate(),
      await endpoint.test(),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [410, 'webhook_endpoint_deleted']);
    }
    const { data } = (await merchant.get<Page<WebhookEndpointBody>>('/v1/webhook-endpoints?limit=100')).body;
    assert.ok(!data.some(({ id }) => id === endpoint.id));
    const stored = await storedText('webhook_endpoints', { id: endpoint.id });
    assert.ok(stored.includes(endpoint.id) && !stored.includes(deadUrl) && !stored.includes('Books'));
    assert.equal(await storedText('webhook_secrets', { endpoint_id: endpoint.id }), '');
  });
});

describe('POST /v1/webhook-endpoints/{id}:rotate-secret', () => {
  before(prepare);
  beforeEach(renewUrl);

  it('makes a new secret; the old signs a day', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const { status, body } = await endpoint.rotate();
    assert.equal(status, 200);
    assert.notEqual(body.secret, endpoint.created.secret);
    const signing = await signingSecrets(env, endpoint);
    assert.deepEqual(signing, [body.secret, endpoint.created.secret]);
    const [current, older] = body.secrets;
    assert.equal(current?.expires_at, null);
    assert.equal(Date.parse(String(older?.expires_at)) - Date.parse(current?.created ?? ''), 86_400_000);
    assert.deepEqual((await endpoint.read()).body.secrets, body.secrets);
  });

  it('ends the old secret at once without an overlap', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const { body } = await endpoint.rotate({ overlap_seconds: 0 });
    assert.deepEqual(await signingSecrets(env, endpoint), [body.secret]);
    assert.equal(body.secrets.length, 1);
    assert.deepEqual((await endpoint.read()).body.secrets, body.secrets);
  });

  it('answers the same secret again to the same key', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const key = randomUUID();
    const [first, again] = [await endpoint.rotate({}, { key }), await endpoint.rotate({}, { key })];
    assert.match(String(first.body.secret), /^whsec_/);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal((await endpoint.read()).body.secrets.length, 2);
    const other = await endpoint.rotate({ overlap_seconds: 1 }, { key });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    const keyless = await endpoint.rotate({}, { key: null });
    assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required']);
  });

  it('refuses over a week’s overlap, or ten secrets', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    assert.equal((await endpoint.rotate({ overlap_seconds: 604_801 })).status, 422);
    for (let i = 0; i < 9; i += 1) assert.equal((await endpoint.rotate()).status, 200);
    const { status, body } = await endpoint.rotate();
    assert.deepEqual([status, body.code], [422, 'too_many_webhook_secrets']);
  });
});

async function signingSecrets({ db, stack }: Environment, { id }: { id: string }): Promise<string[]> {
  const secretsKey: SecretsKeys = [{ id: '', key: Buffer.from(stack.secrets.secretsKey, 'base64') }];
  return (await findSigningSecrets(db, secretsKey, id)).map(({ secret }) => secret);
}
