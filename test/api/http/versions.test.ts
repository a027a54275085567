import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

const older = '2026-05-01';
const current = '2026-11-01';

/** What an answer says of its version. */
const said = (headers: Headers) => ({
  version: headers.get('api-version'),
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
});

const ofOlder = {
  version: older,
  deprecation: '@1793491200',
  sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
};
const ofCurrent = { version: current, deprecation: null, sunset: null };

describe('An answer in a deprecated version', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const get = (path: string, version: string | null = older) =>
    fetch(`${api.url}${path}`, { headers: { authorization, ...(version && { 'api-version': version }) } });
  const link = () => `<${api.url}/docs>; rel="deprecation"; type="text/html"`;

  it('says its start, its end, and where to read', async () => {
    const { status, headers } = await get('/v1/paid-things');
    assert.equal(status, 200);
    assert.deepEqual(said(headers), ofOlder);
    assert.equal(headers.get('link'), link());
    // RFC 8594 §3: an end before the deprecation makes no sense.
    assert.ok(Date.parse(String(headers.get('sunset'))) > 1_793_491_200_000);
  });

  it('keeps the other links beside its own', async () => {
    const { headers } = await get('/v1/linked-things');
    assert.equal(headers.get('link'), `</v1/linked-things?x=1>; rel="next", ${link()}`);
  });

  it('says so of a problem too', async () => {
    const { status, headers } = await get('/v1/things?x=1');
    assert.deepEqual([status, said(headers)], [400, ofOlder]);
  });

  it('says so where the account is pinned to it', async () => {
    const client = await api.createClient();
    await api.db('accounts').where({ id: client.accountId }).update({ api_version: older });
    const pinned = { authorization: `Bearer ${await api.takeToken(client)}` };
    const send = (headers: Record<string, string>) =>
      fetch(`${api.url}/v1/paid-things`, { headers: { ...pinned, ...headers } });
    assert.deepEqual(said((await send({})).headers), ofOlder);
    assert.deepEqual(said((await send({ 'api-version': current })).headers), ofCurrent);
  });

  it('says so of stored bytes, by their own version', async () => {
    assert.deepEqual(said((await get('/v1/stored-things', current)).headers), ofOlder);
  });

  it('is not one in the current or no version', async () => {
    const answers = [
      await get('/v1/paid-things', null),
      await get('/v1/paid-things', current),
      await get('/v1/paid-things', '2020-01-01'),
      await get('/v1/nothing'),
      await get('/livez'),
    ];
    for (const { headers } of answers) {
      assert.deepEqual(said(headers), ofCurrent);
      assert.equal(headers.get('link'), null);
    }
  });
});

describe('A merchant on an older version', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await createMerchant({ api_version: older });
  });

  interface OldCharge {
    id: string;
    status: string;
    failure_code?: string | null;
    failure_message?: string | null;
  }

  it('creates, reads and lists charges in its shape', async () => {
    const created = await merchant.charge();
    const body = created.body as unknown as OldCharge;
    assert.deepEqual(
      [created.status, body.status, body.failure_code, body.failure_message],
      [201, 'paid', null, null],
    );
    assert.ok(!('failure' in body));
    const read = await merchant.get<OldCharge>(`/v1/charges/${body.id}`);
    assert.deepEqual(read.body, body);
    const listed = await merchant.get<{ data: OldCharge[] }>('/v1/charges?status=paid');
    assert.deepEqual(listed.body.data, [body]);
  });

  it('finds nothing by the names of another version', async () => {
    const unknown = await merchant.get('/v1/charges?status=succeeded');
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'invalid_parameter']);
    const newer = { headers: { 'api-version': current } };
    assert.equal((await merchant.get('/v1/charges?status=paid', newer)).status, 400);
    assert.equal((await merchant.get('/v1/charges?status=succeeded', newer)).status, 200);
  });

  it('reads the charge of a decline in its shape', async () => {
    const declined = await merchant.charge({ payment_method: 'tok_declined' });
    const { body } = await merchant.get<OldCharge>(`/v1/charges/${String(declined.body.charge)}`);
    assert.deepEqual([body.status, body.failure_code], ['failed', 'card_declined']);
  });

  it('gets a replay in the stored answer’s version', async () => {
    const key = randomUUID();
    const first = await merchant.charge({}, { key });
    const replayed = await merchant.charge({}, { key, headers: { 'api-version': current } });
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.equal(replayed.text, first.text);
    assert.deepEqual(
      [first, replayed].map(({ headers }) => said(headers)),
      [ofOlder, ofOlder],
    );
  });

  it('gets a replay of a newer answer unchanged', async () => {
    const key = randomUUID();
    const first = await merchant.charge({}, { key, headers: { 'api-version': current } });
    const replayed = await merchant.charge({}, { key });
    assert.equal(replayed.text, first.text);
    assert.equal(replayed.body.status, 'succeeded');
    assert.deepEqual(
      [first, replayed].map(({ headers }) => said(headers)),
      [ofCurrent, ofCurrent],
    );
  });

  it('cannot reuse a key with another body and version', async () => {
    const key = randomUUID();
    await merchant.charge({}, { key });
    const other = await merchant.charge({ amount: 1 }, { key, headers: { 'api-version': current } });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  it('has its own tags, so caches mix no versions', async () => {
    const { id } = (await merchant.charge()).body;
    const [own, newer] = [
      await merchant.get(`/v1/charges/${id}`),
      await merchant.get(`/v1/charges/${id}`, { headers: { 'api-version': current } }),
    ];
    assert.notEqual(own.headers.get('etag'), newer.headers.get('etag'));
    assert.equal(own.headers.get('vary'), 'Accept, API-Version, Authorization');
  });
});
