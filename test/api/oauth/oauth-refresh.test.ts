import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { eventually } from '../../support/eventually.ts';
import { issuerFor, type IssuerAnswer } from '../../support/resources/access/oauth.ts';

describe('A refresh token', () => {
  let api: TestApi;
  let client: TestClient;
  let issuer: ReturnType<typeof issuerFor>;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    client = await api.createClient({ refreshTokens: true });
    issuer = issuerFor(api, client);
  });
  after(() => api.stop());

  const readRefreshToken = ({ body }: IssuerAnswer): string => {
    assert.match(String(body.refresh_token), /^rt_[\w-]{43}$/);
    return String(body.refresh_token);
  };
  const readAccessToken = ({ body }: IssuerAnswer): string => String(body.access_token);
  const statusWith = async (token: string) =>
    (await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } })).status;
  const assertRefused = (answer: IssuerAnswer, error = 'invalid_grant') =>
    assert.deepEqual([answer.status, answer.body.error], [400, error]);

  /** Statements in this database that wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await api.db.raw<{ rows: { count: number }[] }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  }

  it('is issued to a client registered for it', async () => {
    const answer = await issuer.take('charges:read');
    readRefreshToken(answer);
    assert.deepEqual([answer.status, answer.body['scope']], [200, 'charges:read']);
  });

  it('is not issued to any other client', async () => {
    const other = issuerFor(api, api.client);
    assert.equal('refresh_token' in (await other.take()).body, false);
    assertRefused(await other.refresh('rt_x'), 'unauthorized_client');
  });

  it('gives a new token and the next refresh token', async () => {
    const first = await issuer.take('events:read charges:read');
    const second = await issuer.refresh(readRefreshToken(first));
    assert.deepEqual([second.status, second.body['scope']], [200, 'charges:read events:read']);
    assert.notEqual(readRefreshToken(second), readRefreshToken(first));
    assert.equal(await statusWith(readAccessToken(second)), 200);
    assert.equal((await issuer.refresh(readRefreshToken(second))).status, 200);
  });

  it('does not end the access tokens that came before', async () => {
    const first = await issuer.take('events:read');
    await issuer.refresh(readRefreshToken(first));
    assert.equal(await statusWith(readAccessToken(first)), 200);
  });

  it('used twice revokes its family, access tokens included', async () => {
    const first = await issuer.take('events:read');
    const second = await issuer.refresh(readRefreshToken(first));
    const third = await issuer.refresh(readRefreshToken(second));
    assertRefused(await issuer.refresh(readRefreshToken(first)));
    assertRefused(await issuer.refresh(readRefreshToken(third)));
    for (const answer of [first, second, third]) {
      assert.equal(await statusWith(readAccessToken(answer)), 401);
      assert.deepEqual((await issuer.introspect(readAccessToken(answer))).body, { active: false });
    }
  });

  it('used twice does not revoke another family', async () => {
    const [one, other] = [await issuer.take(), await issuer.take('events:read')];
    await issuer.refresh(readRefreshToken(one));
    await issuer.refresh(readRefreshToken(one));
    assert.equal(await statusWith(readAccessToken(other)), 200);
    assert.equal((await issuer.refresh(readRefreshToken(other))).status, 200);
  });

  it('is good for one of many requests at once', async () => {
    const first = await issuer.take('events:read');
    const lock = await api.db.transaction();
    await lock('refresh_families').where({ client_id: client.id }).forUpdate();
    const sending = Promise.all(Array.from({ length: 6 }, () => issuer.refresh(readRefreshToken(first))));
    await eventually('all of them wait for each other', async () => (await waiting()) === 6);
    await lock.commit();
    const answers = await sending;
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(won && more.length === 0);
    assertRefused(await issuer.refresh(readRefreshToken(won)));
    assert.equal(await statusWith(readAccessToken(won)), 401);
  });

  it('gives fewer scopes on request, then all again', async () => {
    const first = await issuer.take('charges:read events:read');
    const second = await issuer.refresh(readRefreshToken(first), 'events:read');
    assert.equal(second.body['scope'], 'events:read');
    const third = await issuer.refresh(readRefreshToken(second));
    assert.equal(third.body['scope'], 'charges:read events:read');
  });

  it('refuses to give more scopes, and stays valid', async () => {
    const first = await issuer.take('events:read');
    assertRefused(await issuer.refresh(readRefreshToken(first), 'events:read events:write'), 'invalid_scope');
    assert.equal((await issuer.refresh(readRefreshToken(first))).status, 200);
  });

  it('gives no scope that the client has lost', async () => {
    const own = await api.createClient({ refreshTokens: true, scopes: ['charges:read', 'events:read'] });
    const first = await issuerFor(api, own).take();
    await api
      .db('oauth_clients')
      .where({ id: own.id })
      .update({ scopes: ['events:read'] });
    const second = await issuerFor(api, own).refresh(readRefreshToken(first));
    assert.equal(second.body['scope'], 'events:read');
  });

  it('is worth nothing to another client, and stays good', async () => {
    const thief = issuerFor(api, await api.createClient({ refreshTokens: true }));
    const token = readRefreshToken(await issuer.take());
    assertRefused(await thief.refresh(token));
    assert.deepEqual((await thief.introspect(token)).body, { active: false });
    assert.equal((await thief.revoke(token)).status, 200);
    assert.equal((await issuer.refresh(token)).status, 200);
  });

  it('is refused once its client loses the registration', async () => {
    const own = await api.createClient({ refreshTokens: true });
    const token = readRefreshToken(await issuerFor(api, own).take());
    await api.db('oauth_clients').where({ id: own.id }).update({ refresh_tokens: false });
    assertRefused(await issuerFor(api, own).refresh(token), 'unauthorized_client');
  });

  it('ends thirty days after the grant, refreshed or not', async () => {
    const second = await issuer.refresh(readRefreshToken(await issuer.take()));
    const { exp, iat } = (await issuer.introspect(readRefreshToken(second))).body as Record<string, number>;
    assert.equal(Math.round((exp! - iat!) / 86_400), 30);
    await api
      .db('refresh_families')
      .where({ client_id: client.id })
      .update({ expires_at: new Date(Date.now() - 1_000) });
    assertRefused(await issuer.refresh(readRefreshToken(second)));
    assert.deepEqual((await issuer.introspect(readRefreshToken(second))).body, { active: false });
  });

  it('is shown as active to its client until used', async () => {
    const first = await issuer.take('events:read');
    const { iat, exp, ...known } = (await issuer.introspect(readRefreshToken(first))).body;
    assert.deepEqual(known, {
      active: true,
      scope: 'events:read',
      client_id: client.id,
      account_id: client.accountId,
      sub: client.id,
      iss: api.url,
    });
    assert.deepEqual([typeof iat, typeof exp], ['number', 'number']);
    await issuer.refresh(readRefreshToken(first));
    assert.deepEqual((await issuer.introspect(readRefreshToken(first))).body, { active: false });
  });

  it('that is revoked ends its family and access tokens', async () => {
    const first = await issuer.take('events:read');
    const second = await issuer.refresh(readRefreshToken(first));
    assert.equal((await issuer.revoke(readRefreshToken(second), 'refresh_token')).status, 200);
    assertRefused(await issuer.refresh(readRefreshToken(second)));
    for (const answer of [first, second]) assert.equal(await statusWith(readAccessToken(answer)), 401);
  });

  it('that was used still revokes its family when revoked', async () => {
    const first = await issuer.take();
    const second = await issuer.refresh(readRefreshToken(first));
    await issuer.revoke(readRefreshToken(first));
    assertRefused(await issuer.refresh(readRefreshToken(second)));
  });

  for (const token of ['rt_', `rt_${'x'.repeat(43)}`, 'x', 'rt_\0', '…']) {
    it(`is refused if it is ${JSON.stringify(token)}`, async () => {
      assertRefused(await issuer.refresh(token));
    });
  }

  it('is needed for its grant', async () => {
    assertRefused(await issuer.refresh(''), 'invalid_request');
  });

  it('is stored hashed, and is in no log', async () => {
    const token = readRefreshToken(await issuer.take());
    const rows = await api.db('refresh_tokens').select<{ hash: Buffer }[]>();
    assert.doesNotMatch(JSON.stringify(rows.map((row) => ({ ...row, hash: row.hash.toString() }))), /rt_/);
    assert.ok(!api.logLines.join('').includes(token));
  });

  it('is not accepted as an access token', async () => {
    const answer = await issuer.take('events:read');
    assert.equal(await statusWith(readRefreshToken(answer)), 401);
    assert.equal(decodeJwt(readAccessToken(answer)).exp! - decodeJwt(readAccessToken(answer)).iat!, 600);
  });

  it('is forgotten when its family has ended', async () => {
    await api.db('refresh_families').update({ expires_at: new Date(0) });
    await issuer.take();
    assert.equal((await api.db('refresh_tokens')).length, 1);
  });
});
