import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { scopes, type Scope } from '#domain/scopes.ts';
import { row, runBatch } from '../../support/resources/charge-batches.ts';
import { download, exportFile } from '../../support/resources/exports.ts';
import { createMerchant, addClient, type Merchant } from '../../support/resources/merchant.ts';
import { createWebhookEndpoint, deadUrl } from '../../support/resources/webhook-endpoints.ts';

/** A scope gives nothing that another scope guards: what is in an answer or a file counts, not only its path. */
describe('A scope gives nothing that another guards', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await createMerchant();
    await merchant.charge();
  });

  /** What the token lacks, by the header that names what is needed. */
  const refusal = async (answer: { status: number; headers: Headers }) => [
    answer.status,
    /scope="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? null,
  ];
  const withScopes = (wanted: readonly Scope[]): Promise<Merchant> => addClient(merchant, wanted);
  const allBut = (...missing: Scope[]) => withScopes(scopes.filter((scope) => !missing.includes(scope)));

  describe('for the result of an export', () => {
    for (const resource of ['charges', 'refunds', 'events'] as const) {
      it(`of ${resource}, which needs ${resource}:read`, async () => {
        const { id, response } = await exportFile(merchant, { resource });
        const without = await allBut(`${resource}:read`);
        const href = response?.href ?? '';
        assert.deepEqual(await refusal(await download(without, href)), [
          403,
          `exports:read ${resource}:read`,
        ]);
        const enough = await withScopes(['exports:read', `${resource}:read`]);
        assert.equal((await download(enough, href)).status, 200);
        const path = href.replace(/\/v1\/.*$/, `/v1/operations/${id}/result`);
        assert.deepEqual(await refusal(await download(await withScopes(['operations:read']), path)), [
          403,
          `operations:read exports:read ${resource}:read`,
        ]);
        const all = await withScopes(['operations:read', 'exports:read', `${resource}:read`]);
        assert.equal((await download(all, path)).status, 303);
      });

      it(`when ${resource} are exported, which needs ${resource}:read`, async () => {
        const without = await withScopes(['exports:write', 'exports:read']);
        const key = randomUUID();
        const body = { resource, format: 'csv' };
        const refused = await without.send('POST', '/v1/exports', body, { key });
        assert.deepEqual(await refusal(refused), [403, `exports:write ${resource}:read`]);
        const { status } = await merchant.get(`/v1/idempotency-keys/${key}`);
        assert.equal(status, 404, 'nothing was left behind');
      });
    }
  });

  it('for the result of a batch, which needs charges:read', async () => {
    const { response } = await runBatch(merchant, [row()]);
    const href = response?.href ?? '';
    assert.deepEqual(await refusal(await download(await allBut('charges:read'), href)), [
      403,
      'charge-batches:read charges:read',
    ]);
    const enough = await withScopes(['charge-batches:read', 'charges:read']);
    assert.equal((await download(enough, href)).status, 200);
    const path = href.replace(/charge-batches\/(\w+).*$/, 'operations/$1/result');
    assert.deepEqual(await refusal(await download(await allBut('charge-batches:read'), path)), [
      403,
      'operations:read charge-batches:read charges:read',
    ]);
  });

  it('for a batch of charges, which needs charges:write', async () => {
    const without = await allBut('charges:write');
    const answer = await without.send('POST', '/v1/charge-batches', { charges: [row()] });
    assert.deepEqual(await refusal(answer), [403, 'charge-batches:write charges:write']);
  });

  it('for events that an endpoint gets, which need events:read', async () => {
    const without = await allBut('events:read');
    const endpoint = await createWebhookEndpoint(merchant, { events: ['*'] });
    const delivery = (await endpoint.test()).body.id;
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    const headers = { 'if-match': '*' };
    const changes = [
      await without.send('POST', '/v1/webhook-endpoints', { url: deadUrl, events: ['*'] }),
      await without.send('PATCH', path, { url: 'https://elsewhere.example/' }, { headers }),
    ];
    for (const answer of changes)
      assert.deepEqual(await refusal(answer), [403, 'webhooks:write events:read']);
    const replays = [
      await without.send('POST', `${path}:replay`, { since: new Date(0).toISOString() }),
      await without.send('POST', `/v1/webhook-deliveries/${delivery}:replay`),
    ];
    for (const answer of replays)
      assert.deepEqual(await refusal(answer), [403, 'webhooks:replay events:read']);
  });

  it('for the timeline, which shows refunds and deliveries', async () => {
    const { body } = await merchant.charge();
    const answer = await (await withScopes(['charges:read'])).get(`/v1/charges/${body.id}/timeline`);
    assert.deepEqual(await refusal(answer), [403, 'charges:read refunds:read webhooks:read']);
  });
});

/** A grant of the whole is a grant of its parts, and a part gives nothing of the rest. */
describe('A scope that is a part of another', () => {
  let merchant: Merchant;
  let authorized: string;
  before(async () => {
    merchant = await createMerchant();
    authorized = (await merchant.charge({ capture_method: 'manual' })).body.id;
  });

  it('captures a charge, but makes none', async () => {
    const support = await addClient(merchant, ['charges:update']);
    const refused = await support.charge();
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
    const { status } = await support.send('POST', `/v1/charges/${authorized}:capture`);
    assert.equal(status, 200);
  });

  it('tests an endpoint, but changes none', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    const support = await addClient(merchant, ['webhooks:replay']);
    assert.equal((await support.send('DELETE', path)).status, 403);
    assert.equal((await support.send('POST', `${path}:test`)).status, 202);
  });

  it('is held by a client that holds the whole', async () => {
    const shop = await addClient(merchant, ['charges:write']);
    const { body } = await shop.charge({ capture_method: 'manual' });
    assert.equal((await shop.send('POST', `/v1/charges/${body.id}:cancel`)).status, 200);
  });
});
