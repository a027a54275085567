import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { createClientAnswers } from '#api/oauth/clients.ts';
import type { ArrivedRequest } from '#api/http/route.ts';
import { createDatabase } from '#db/knex.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { inBasic, inForm, issuerFor, postForm } from '../../support/resources/access/oauth.ts';

describe('What the issuer tells of tokens, and takes back', () => {
  let api: TestApi;
  let issuer: ReturnType<typeof issuerFor>;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    issuer = issuerFor(api, api.client);
  });
  after(() => api.stop());

  const at = (endpoint: string) => `${api.url}/oauth2/${endpoint}`;
  const statusWith = async (token: string) =>
    (await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } })).status;

  describe('POST /oauth2/introspect', () => {
    it('shows a client what its token is valid for', async () => {
      const token = await api.takeToken(api.client, 'charges:read');
      const { status, headers, body } = await issuer.introspect(token);
      const { iat, exp, jti } = decodeJwt(token);
      assert.equal(status, 200);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual(body, {
        active: true,
        token_type: 'Bearer',
        scope: 'charges:read',
        client_id: api.client.id,
        account_id: api.client.accountId,
        sub: api.client.id,
        iss: api.url,
        aud: api.url,
        jti,
        iat,
        nbf: iat,
        exp,
      });
    });

    it('reports the token of another client as inactive', async () => {
      const other = await api.createClient();
      assert.deepEqual((await issuer.introspect(await api.takeToken(other))).body, { active: false });
    });

    for (const token of ['x', 'a.b.c', 'rt_x', `rt_${'x'.repeat(43)}`]) {
      it(`reports the unknown token ${token.slice(0, 5)} as inactive`, async () => {
        const { status, body } = await issuer.introspect(token);
        assert.deepEqual([status, body], [200, { active: false }]);
      });
    }
  });

  describe('POST /oauth2/revoke', () => {
    it('ends a token of the client', async () => {
      const token = await api.takeToken();
      assert.equal(await statusWith(token), 200);
      const { status, headers, body } = await issuer.revoke(token, 'access_token');
      assert.deepEqual([status, body, headers.get('cache-control')], [200, {}, 'no-store']);
      const refused = await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
      const { detail } = (await refused.json()) as { detail: string };
      assert.equal(detail, 'The access token was revoked.');
      assert.deepEqual((await issuer.introspect(token)).body, { active: false });
    });

    it('does not end another token of the client', async () => {
      const [one, other] = [await api.takeToken(), await api.takeToken()];
      await issuer.revoke(one);
      assert.equal(await statusWith(other), 200);
    });

    it('answers 200 but does not end another client’s token', async () => {
      const other = await api.createClient();
      const token = await api.takeToken(other);
      assert.equal((await issuer.revoke(token)).status, 200);
      assert.equal(await statusWith(token), 200);
    });

    it('answers 200 to a token that is not active', async () => {
      const token = await api.takeToken();
      const answers = [
        await issuer.revoke('x'),
        await issuer.revoke(token, 'refresh_token'),
        await issuer.revoke(token),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.equal(await statusWith(token), 401);
    });

    it('deletes a revocation once its token has expired', async () => {
      await issuer.revoke(await api.takeToken());
      await api.db('revocations').update({ expires_at: new Date(0) });
      await issuer.revoke(await api.takeToken());
      assert.equal((await api.db('revocations')).length, 1);
    });
  });

  for (const endpoint of ['introspect', 'revoke']) {
    describe(`The caller of /oauth2/${endpoint}`, () => {
      const send = (form: Record<string, string>, headers?: Record<string, string>) =>
        postForm(at(endpoint), form, headers);

      it('may prove itself by HTTP Basic', async () => {
        assert.equal((await send({ token: 'x' }, inBasic(api.client))).status, 200);
      });

      it('gets 401 without valid credentials, whatever the token', async () => {
        const token = await api.takeToken();
        const cases = [
          send({ token }),
          send({ token }, { authorization: `Bearer ${token}` }),
          send({ ...inForm({ ...api.client, secret: 'x' }), token }),
        ];
        for (const { status, body, headers } of await Promise.all(cases)) {
          assert.deepEqual([status, body.error], [401, 'invalid_client']);
          assert.equal(headers.get('www-authenticate'), 'Basic realm="payments"');
        }
        assert.equal(await statusWith(token), 200);
      });

      it('is answered invalid_request without a token', async () => {
        const { status, body } = await send(inForm(api.client));
        assert.deepEqual(
          [status, body],
          [400, { error: 'invalid_request', error_description: 'token is missing.' }],
        );
      });
    });
  }

  it('is an OAuth 503 while the database is away', async () => {
    const db = createDatabase('postgres://x:x@127.0.0.1:9/x', 1, { warn: () => {}, error: () => {} });
    const answer = createClientAnswers({ db, log: { debug() {} } as never, config: api.config });
    const form = new URLSearchParams({ ...inForm(api.client), grant_type: 'client_credentials', token: 'x' });
    const request: ArrivedRequest = {
      method: 'POST',
      params: {},
      path: '/oauth2/introspect',
      url: '/oauth2/introspect',
      query: new URLSearchParams(),
      body: null,
      idempotencyKey: null,
      traceId: '',
      address: '127.0.0.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      prefers: () => null,
      isSingle: () => true,
      readBody: () => Promise.resolve(Buffer.from(form.toString())),
    };
    const { status, headers, body } = await answer(request, () => Promise.resolve({ status: 200 }));
    const { error } = body as { error: string };
    assert.deepEqual([status, error, headers?.['Retry-After']], [503, 'temporarily_unavailable', '1']);
    await db.destroy();
  });
});
