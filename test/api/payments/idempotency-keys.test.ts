import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IdempotencyKeyResource } from '#domain/idempotency-keys.ts';
import type { ProblemResource } from '#domain/problems.ts';
import { createCustomer, type CustomerBody } from '../../support/resources/customers.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

type KeyBody = IdempotencyKeyResource & Partial<ProblemResource>;
const day = 86_400_000;

describe('GET /v1/idempotency-keys/{key}', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const read = (key: string, from = merchant) =>
    from.get<KeyBody>(`/v1/idempotency-keys/${encodeURIComponent(key)}`);
  const listUses = async (key: string) => {
    const { status, text, body } = await read(key);
    assert.equal(status, 200, text);
    return body.uses.map(({ endpoint, status: state, resource }) => [endpoint, state, resource]);
  };

  it('shows what the key made, and its times', async () => {
    const key = randomUUID();
    const before = Date.now();
    const { body: charge } = await merchant.charge({}, { key });
    const { status, body } = await read(key);
    const [use] = body.uses;
    const since = Date.parse(use?.since ?? '');
    assert.ok(since >= before - 1_000 && since <= Date.now() + 1_000);
    const answered = Date.parse(use?.until ?? '') - day;
    assert.ok(answered >= since && answered <= Date.now() + 1_000, use?.until);
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          object: 'idempotency_key',
          key,
          uses: [
            {
              endpoint: 'POST /v1/charges',
              status: 'done',
              since: use?.since,
              until: use?.until,
              resource: `/v1/charges/${charge.id}`,
            },
          ],
        },
      ],
    );
  });

  it('does not send the charge to the processor again', async () => {
    const key = randomUUID();
    const { body: charge } = await merchant.charge({}, { key });
    await read(key);
    assert.equal((await env.books(charge.id)).length, 1);
  });

  it('shows a request that is in progress', async () => {
    const key = randomUUID();
    const charging = merchant.charge({ payment_method: 'tok_slow' }, { key });
    const use = await eventually('the charge has begun', async () => {
      const { body } = await read(key);
      return body.uses?.find(({ resource }) => resource !== null);
    });
    assert.equal(use.status, 'in_progress');
    const { body: charge } = await charging;
    assert.equal(use.resource, `/v1/charges/${charge.id}`);
    assert.deepEqual(await listUses(key), [['POST /v1/charges', 'done', use.resource]]);
  });

  it('links the charge that a decline left behind', async () => {
    const key = randomUUID();
    const { body } = await merchant.charge({ payment_method: 'tok_declined' }, { key });
    assert.deepEqual(await listUses(key), [['POST /v1/charges', 'done', `/v1/charges/${body.charge}`]]);
  });

  it('lists each endpoint called with the key, oldest first', async () => {
    const key = randomUUID();
    const { body: charge } = await merchant.charge({ capture_method: 'manual' }, { key });
    await merchant.send('POST', `/v1/charges/${charge.id}:capture`, {}, { key });
    const { body: customer } = await merchant.send<CustomerBody>('POST', '/v1/customers', {}, { key });
    const path = `/v1/customers/${customer.id}`;
    await merchant.send('POST', `${path}:attach-payment-method`, { token: 'tok_visa' }, { key });
    assert.deepEqual(await listUses(key), [
      ['POST /v1/charges', 'done', `/v1/charges/${charge.id}`],
      ['POST /v1/charges/{id}:capture', 'done', `/v1/charges/${charge.id}`],
      ['POST /v1/customers', 'done', path],
      ['POST /v1/customers/{id}:attach-payment-method', 'done', path],
    ]);
  });

  it('links nothing where a refusal made nothing', async () => {
    const key = randomUUID();
    const { body: charge } = await merchant.charge({}, { key: randomUUID() });
    const path = `/v1/charges/${charge.id}/refunds`;
    const refused = await merchant.send('POST', path, { amount: 2000 }, { key });
    assert.equal(refused.status, 422);
    assert.deepEqual(await listUses(key), [['POST /v1/charges/{id}/refunds', 'done', null]]);
  });

  it('takes the key as the header does', async () => {
    for (const key of ['order:6735/a?b#c%d', "~!$&'()*+,;=:@", 'x'.repeat(255), '.x..y']) {
      await createKeyed(key);
      assert.equal((await read(key)).body.key, key);
      const quoted = `"${key.replaceAll(/(["\\])/g, '\\$1')}"`;
      assert.equal((await read(quoted)).body.key, key);
    }
    const plain = 'order:6736';
    await createKeyed(plain);
    assert.equal((await merchant.get(`/v1/idempotency-keys/${plain}`)).status, 200);
  });

  const createKeyed = (key: string) => merchant.send('POST', '/v1/customers', {}, { key });

  it('answers 404 for a key that was never used', async () => {
    const key = randomUUID();
    await merchant.charge({ amount: 0 }, { key });
    await (await createCustomer(merchant)).attach('tok_nonesuch', { key });
    const { status, body } = await read(key);
    assert.deepEqual([status, body.code], [404, 'not_found']);
  });

  for (const key of ['a b', 'ü', 'x'.repeat(256), '"open']) {
    it(`answers 400 for ${key.slice(0, 10)}, which is no key`, async () => {
      const { status, body } = await read(key);
      assert.deepEqual([status, body.code], [400, 'idempotency_key_invalid']);
    });
  }

  it('shows no keys of other accounts', async () => {
    const key = randomUUID();
    await merchant.charge({}, { key });
    const stranger = await createMerchant();
    assert.equal((await read(key, stranger)).status, 404);
    await stranger.send('POST', '/v1/customers', {}, { key });
    assert.equal((await read(key, stranger)).body.uses.length, 1);
    assert.deepEqual((await listUses(key)).length, 1);
  });

  it('takes any valid token, and none that is not', async () => {
    const key = randomUUID();
    const narrow = await createMerchant({}, ['events:read']);
    assert.equal((await read(key, narrow)).status, 404);
    const answer = await fetch(`${env.stack.apiUrl}/v1/idempotency-keys/${key}`);
    assert.equal(answer.status, 401);
  });

  it('answers 304 to callers that have it already', async () => {
    const key = randomUUID();
    await createKeyed(key);
    const etag = (await read(key)).headers.get('etag') ?? '';
    assert.match(etag, /^"/);
    const again = await merchant.get(`/v1/idempotency-keys/${key}`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });
});
