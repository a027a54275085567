import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { scopes } from '#domain/scopes.ts';
import { eventually } from '../../support/eventually.ts';
import {
  startAccessApi,
  type AccessApi,
  type Asker,
  type Shown,
} from '../../support/resources/access/access.ts';
import { issuerFor } from '../../support/resources/access/oauth.ts';
import { rememberSecret } from '../../support/stack/leaks.ts';

describe('Clients of an account', () => {
  let access: AccessApi;
  let owner: Asker;
  before(async () => {
    access = await startAccessApi();
    owner = access.asker(await access.api.takeToken());
  });
  after(() => access.api.stop());

  /** Makes a client, and keeps its secret from the logs. */
  async function make(granted: string[] = ['charges:read'], by = owner, key?: string) {
    const answer = await by.post('/v1/clients', { name: 'Reports', scopes: granted }, key);
    if (answer.body.secret) rememberSecret(answer.body.secret);
    return answer;
  }
  const take = ({ id, secret }: { id?: string; secret?: string }) =>
    issuerFor(access.api, { id: String(id), secret: String(secret) }).take();
  const accessOnly = async () => access.asker(await access.api.takeToken(access.api.client, 'access:write'));

  it('are made with a secret that takes tokens', async () => {
    const { status, headers, body } = await make(['charges:read', 'refunds:read']);
    assert.deepEqual([status, headers.get('location')], [201, `/v1/clients/${body.id}`]);
    const { body: token } = await take(body);
    assert.equal(token['scope'], 'charges:read refunds:read');
  });

  it('show their secret in one answer, which its key repeats', async () => {
    const key = randomUUID();
    const made = await make(undefined, owner, key);
    const again = await make(undefined, owner, key);
    assert.deepEqual([again.status, again.body], [201, made.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const read = await owner.get(`/v1/clients/${made.body.id}`);
    const { secret, ...rest } = made.body;
    assert.deepEqual(read.body, rest);
    const { db } = access.api;
    const stored = JSON.stringify([await db('idempotency_keys'), await db('oauth_clients')]);
    assert.ok(!stored.includes(secret) && !stored.includes(Buffer.from(secret).toString('hex')));
  });

  it('get no scope that their maker lacks', async () => {
    const { status, headers, body } = await make(['charges:read'], await accessOnly());
    assert.deepEqual([status, body['code']], [403, 'insufficient_scope']);
    assert.match(headers.get('www-authenticate') ?? '', /scope="charges:read"/);
  });

  it('get a part of a scope that their maker has', async () => {
    const { body } = await make(['access:write', 'charges:write']);
    const { body: token } = await take(body);
    const shop = access.asker(String(token.access_token));
    assert.equal((await make(['charges:update'], shop)).status, 201);
    assert.equal((await make(['charges:read'], shop)).status, 403);
  });

  it('never get a scope of operators', async () => {
    const { status, body } = await make(['operator:read']);
    assert.deepEqual([status, body.errors[0]?.pointer], [422, '/scopes/0']);
  });

  it('take tokens with both secrets until the overlap ends', async () => {
    const { body: made } = await make();
    const path = `/v1/clients/${made.id}:rotate-secret`;
    const { status, body } = await owner.post(path, { overlap_seconds: 60 });
    rememberSecret(body.secret);
    assert.equal(status, 200);
    assert.ok(Date.parse(body.previous_secret_expires_at ?? '') > Date.now());
    assert.deepEqual([(await take(body)).status, (await take(made)).status], [200, 200]);
    const { body: third } = await owner.post(path, { overlap_seconds: 0 });
    rememberSecret(third.secret);
    assert.deepEqual([(await take(third)).status, (await take(body)).status], [200, 401]);
    assert.equal(third['previous_secret_expires_at'], null);
  });

  it('get no new secret from who lacks their scopes', async () => {
    const { body } = await make();
    const path = `/v1/clients/${body.id}:rotate-secret`;
    const refused = await (await accessOnly()).post(path);
    assert.deepEqual([refused.status, refused.body['code']], [403, 'insufficient_scope']);
    assert.equal((await take(body)).status, 200);
  });

  describe('whose key another client repeats', () => {
    const answered = ({ status, body }: { status: number; body: Shown }) => [
      status,
      body['code'],
      'secret' in body,
    ];

    const refused = (status: number, code: string) => [status, code, false];

    it('show no secret to who could not have made them', async () => {
      const weak = await accessOnly();
      const [creation, rotation] = [randomUUID(), randomUUID()];
      const { body: made } = await make(['charges:write'], owner, creation);
      const path = `/v1/clients/${made.id}:rotate-secret`;
      rememberSecret((await owner.post(path, {}, rotation)).body.secret);
      const asked = [await make(['charges:write'], weak, creation), await weak.post(path, {}, rotation)];
      assert.deepEqual(asked.map(answered), [
        refused(403, 'insufficient_scope'),
        refused(403, 'insufficient_scope'),
      ]);
    });

    it('show no secret to a client as strong', async () => {
      const { body: equal } = await make([...scopes]);
      const other = access.asker(String((await take(equal)).body.access_token));
      const [creation, rotation] = [randomUUID(), randomUUID()];
      const { body: made } = await make(undefined, owner, creation);
      const path = `/v1/clients/${made.id}:rotate-secret`;
      rememberSecret((await owner.post(path, {}, rotation)).body.secret);
      const asked = [await make(undefined, other, creation), await other.post(path, {}, rotation)];
      assert.deepEqual(asked.map(answered), [
        refused(422, 'idempotency_key_reused'),
        refused(422, 'idempotency_key_reused'),
      ]);
      assert.equal((await owner.post(path, {}, rotation)).headers.get('idempotent-replayed'), 'true');
    });

    it('show no secret of a webhook endpoint either', async () => {
      const member = await access.signIn('developer');
      const [key, endpoint] = [randomUUID(), { url: 'https://8.8.8.8/', events: ['refund.failed'] }];
      const made = await owner.post('/v1/webhook-endpoints', endpoint, key);
      if (made.body.secret) rememberSecret(made.body.secret);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual(
        answered(await member.post('/v1/webhook-endpoints', endpoint, key)),
        refused(422, 'idempotency_key_reused'),
      );
      const writer = access.asker(await access.api.takeToken(access.api.client, 'webhooks:write'));
      const path = `/v1/webhook-endpoints/${made.body.id}`;
      assert.equal((await writer.post(`${path}:rotate-secret`)).status, 403);
      assert.equal((await writer.send('DELETE', path)).status, 403);
    });

    it('show no secret if the maker is unknown', async () => {
      const key = randomUUID();
      await make(undefined, owner, key);
      await access.api.db('idempotency_keys').where({ key }).update({ actor_id: null });
      assert.deepEqual(answered(await make(undefined, owner, key)), refused(422, 'idempotency_key_reused'));
    });
  });

  it('are disabled by nobody who could not make them', async () => {
    const { body } = await make(['charges:write']);
    const path = `/v1/clients/${body.id}`;
    const weak = await accessOnly();
    const asked = [await weak.post(`${path}:disable`), await weak.post(`${path}:enable`)];
    assert.deepEqual(
      asked.map(({ status }) => status),
      [403, 403],
    );
    const key = randomUUID();
    assert.equal((await owner.post(`${path}:disable`, {}, key)).status, 200);
    assert.equal((await weak.post(`${path}:disable`, {}, key)).status, 403);
    const { body: peer } = await make(['access:write']);
    assert.equal((await weak.post(`/v1/clients/${peer.id}:disable`)).status, 200);
  });

  it('have no secret to rotate if they sign', async () => {
    const { id } = await access.api.createClient({ jwks: { keys: [] }, scopes: [] });
    await access.api.db('oauth_clients').where({ id }).update({ account_id: access.api.client.accountId });
    const { status, body } = await owner.post(`/v1/clients/${id}:rotate-secret`);
    assert.deepEqual([status, body['code']], [422, 'client_has_no_secret']);
    assert.equal((await owner.get(`/v1/clients/${id}`)).body['authentication'], 'public_keys');
  });

  it('lose their tokens within 5 s when disabled', async () => {
    const { body } = await make(['access:read']);
    const token = String((await take(body)).body.access_token);
    const asker = access.asker(token);
    assert.equal((await asker.get('/v1/clients')).status, 200);
    const disabled = await owner.post(`/v1/clients/${body.id}:disable`);
    assert.deepEqual([disabled.status, disabled.body['status']], [200, 'disabled']);
    assert.equal((await take(body)).status, 401);
    await eventually(
      'its token is refused',
      async () => (await asker.get('/v1/clients')).status === 401,
      5_000,
    );
    const enabled = await owner.post(`/v1/clients/${body.id}:enable`);
    assert.deepEqual([enabled.status, enabled.body['status']], [200, 'active']);
    assert.equal((await take(body)).status, 200);
  });

  it('stay as they are when disabled twice', async () => {
    const { body } = await make();
    const path = `/v1/clients/${body.id}:disable`;
    const answers = [await owner.send('POST', path), await owner.send('POST', path)];
    assert.deepEqual(
      answers.map(({ status, body: shown }) => [status, shown['status']]),
      [
        [200, 'disabled'],
        [200, 'disabled'],
      ],
    );
  });

  it('are at most 100 an account', async () => {
    const crowded = await access.api.createClient();
    const rows = Array.from({ length: 99 }, (_, n) => ({
      id: `cl_01J8Z3K4M5N6P7Q8R9S0T1${String(n).padStart(4, '0')}`,
      account_id: crowded.accountId,
      name: 'One of many',
      scopes: [],
      secret_hash: null,
    }));
    await access.api.db('oauth_clients').insert(rows);
    const { status, body } = await make(undefined, access.asker(await access.api.takeToken(crowded)));
    assert.deepEqual([status, body['code']], [422, 'too_many_clients']);
  });

  it('are listed with what they may do', async () => {
    const { body: made } = await make([...scopes]);
    const { body } = await owner.get('/v1/clients?limit=1');
    assert.deepEqual([body.data[0]?.id, body.data[0]?.['scopes']], [made.id, made['scopes']]);
    assert.ok(!('secret' in body.data[0]!));
  });
});
