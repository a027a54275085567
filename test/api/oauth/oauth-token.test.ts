import assert from 'node:assert/strict';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, type JWK } from 'jose';
import { hashSecret } from '#issuer/client-secrets.ts';
import { scopes } from '#domain/scopes.ts';
import { rotateSecret } from '#db/access/oauth-clients.ts';
import { makeLive } from '../../support/resources/live-account.ts';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';

const grant = { grant_type: 'client_credentials' };

describe('The issuer', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  async function post(form: Record<string, string> | string, headers: Record<string, string> = {}) {
    const response = await fetch(`${api.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    });
    return { response, body: (await response.json()) as Record<string, unknown> };
  }

  const inForm = (client: TestClient) => ({ client_id: client.id, client_secret: client.secret });

  function basic(id: string, secret: string): { authorization: string } {
    return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  }

  describe('POST /oauth2/token', () => {
    it('gives a client named in the form a token', async () => {
      const { response, body } = await post({ ...grant, ...inForm(api.client) });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/json');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('pragma'), 'no-cache');
      const { access_token: token, ...rest } = body;
      assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 600, scope: scopes.join(' ') });
      assert.equal(typeof token, 'string');
    });

    it('gives a token as RFC 9068 describes it', async () => {
      const { body } = await post({ ...grant, ...inForm(api.client), scope: 'charges:read' });
      const token = String(body['access_token']);
      const { kid } = await api.signingKeys.current();
      assert.deepEqual(decodeProtectedHeader(token), { alg: 'ES256', typ: 'at+jwt', kid });
      const { iat = 0, jti, ...claims } = decodeJwt(token);
      assert.deepEqual(claims, {
        iss: api.url,
        aud: api.url,
        sub: api.client.id,
        client_id: api.client.id,
        account_id: api.client.accountId,
        scope: 'charges:read',
        livemode: false,
        nbf: iat,
        exp: iat + 600,
      });
      assert.match(String(jti), /^[0-9a-f-]{36}$/);
    });

    it('takes HTTP Basic, whose parts are form-encoded', async () => {
      const id = api.client.id.replace('_', '%5F');
      const { response } = await post(grant, basic(id, encodeURIComponent(api.client.secret)));
      assert.equal(response.status, 200);
    });

    it('takes the secret before the rotation while it counts', async () => {
      const client = await api.createClient();
      const withSecret = (secret: string) => inForm({ ...client, secret });
      const take = async (secret: string) =>
        (await post({ ...grant, ...withSecret(secret) })).response.status;
      assert.ok(await rotateSecret(api.db, client.id, hashSecret('second'), 3_600_000));
      assert.deepEqual([await take(client.secret), await take('second')], [200, 200]);
      await rotateSecret(api.db, client.id, hashSecret('third'), 3_600_000);
      assert.deepEqual(
        [await take(client.secret), await take('second'), await take('third')],
        [401, 200, 200],
      );
      await api
        .db('oauth_clients')
        .where({ id: client.id })
        .update({ previous_secret_expires_at: new Date(Date.now() - 1_000) });
      assert.deepEqual([await take('second'), await take('third')], [401, 200]);
      await rotateSecret(api.db, client.id, hashSecret('fourth'), 0);
      assert.deepEqual([await take('third'), await take('fourth')], [401, 200]);
    });

    it('takes a client that names itself beside HTTP Basic', async () => {
      const { id, secret } = api.client;
      assert.equal((await post({ ...grant, client_id: id }, basic(id, secret))).response.status, 200);
    });

    it('gives a token that says whether the account is live', async () => {
      const undo = await makeLive(api.db, api.client.accountId);
      try {
        const { body } = await post({ ...grant, ...inForm(api.client) });
        assert.equal(decodeJwt(String(body['access_token']))['livemode'], true);
      } finally {
        await undo();
      }
    });

    it('gives the scopes that are asked for, once each', async () => {
      const scope = 'refunds:write charges:read refunds:write';
      const { body } = await post({ ...grant, ...inForm(api.client), scope });
      assert.equal(body['scope'], 'charges:read refunds:write');
    });

    it('counts an empty parameter as left out', async () => {
      const { body } = await post({ ...grant, ...inForm(api.client), scope: '' });
      assert.equal(body['scope'], scopes.join(' '));
    });

    it('ignores parameters it does not know', async () => {
      const { response } = await post({ ...grant, ...inForm(api.client), resource: 'x' });
      assert.equal(response.status, 200);
    });

    describe('refuses with invalid_client', () => {
      const cases: [what: string, send: () => ReturnType<typeof post>][] = [
        ['a wrong secret', () => post({ ...grant, ...inForm(api.client), client_secret: 'x' })],
        [
          'an unknown client',
          () => post({ ...grant, ...inForm(api.client), client_id: 'cl_01J8Z3K4M5N6P7Q8R9S0T1V2W3' }),
        ],
        ['an id that is none', () => post({ ...grant, ...inForm(api.client), client_id: 'cl\0' })],
        ['no credentials', () => post(grant)],
        ['no secret', () => post({ ...grant, client_id: api.client.id })],
        ['a wrong secret by HTTP Basic', () => post(grant, basic(api.client.id, 'x'))],
        ['HTTP Basic that is not base64', () => post(grant, { authorization: 'Basic ???' })],
        ['HTTP Basic with bad percent-encoding', () => post(grant, basic(api.client.id, '%zz'))],
        ['another scheme', () => post(grant, { authorization: 'Digest x' })],
      ];
      for (const [what, send] of cases) {
        it(what, async () => {
          const { response, body } = await send();
          assert.equal(response.status, 401);
          assert.equal(response.headers.get('www-authenticate'), 'Basic realm="payments"');
          assert.equal(response.headers.get('cache-control'), 'no-store');
          assert.deepEqual(body, {
            error: 'invalid_client',
            error_description: 'The client is unknown or its credentials are wrong.',
          });
        });
      }

      it('a disabled client, and one of a disabled account', async () => {
        const [client, other] = [await api.createClient(), await api.createClient()];
        await api.db('oauth_clients').where({ id: client.id }).update({ status: 'disabled' });
        await api.db('accounts').where({ id: other.accountId }).update({ status: 'disabled' });
        for (const of of [client, other]) {
          assert.equal((await post({ ...grant, ...inForm(of) })).body['error'], 'invalid_client');
        }
      });

      it('a client without a secret', async () => {
        const client = await api.createClient();
        await api.db('oauth_clients').where({ id: client.id }).update({ secret_hash: null });
        const { body } = await post({ ...grant, client_id: client.id, client_secret: '\0'.repeat(32) });
        assert.equal(body['error'], 'invalid_client');
      });

      it('a request that has two Authorization headers', async () => {
        const { authorization } = basic(api.client.id, api.client.secret);
        const response = await sendRaw(api.url, {
          method: 'POST',
          path: '/oauth2/token',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: [authorization, authorization],
          },
          body: 'grant_type=client_credentials',
        });
        assert.equal(response.status, 401);
      });
    });

    const refusals: [
      error: string,
      what: string,
      form: () => Record<string, string>,
      headers?: () => object,
    ][] = [
      ['invalid_request', 'without a grant type', () => inForm(api.client)],
      [
        'unsupported_grant_type',
        'for another grant',
        () => ({ ...inForm(api.client), grant_type: 'password' }),
      ],
      [
        'invalid_scope',
        'for an unknown scope',
        () => ({ ...grant, ...inForm(api.client), scope: 'charges:admin' }),
      ],
      [
        'invalid_scope',
        'for scopes split by two spaces',
        () => ({ ...grant, ...inForm(api.client), scope: 'charges:read  refunds:read' }),
      ],
      [
        'invalid_request',
        'with two ways of authentication',
        () => ({ ...grant, ...inForm(api.client) }),
        () => basic(api.client.id, api.client.secret),
      ],
      [
        'invalid_request',
        'with two names',
        () => ({ ...grant, client_id: 'cl_x' }),
        () => basic(api.client.id, api.client.secret),
      ],
    ];
    for (const [error, what, form, headers] of refusals) {
      it(`answers 400 and ${error} ${what}`, async () => {
        const { response, body } = await post(form(), { ...headers?.() });
        assert.deepEqual(
          [response.status, body['error'], typeof body['error_description']],
          [400, error, 'string'],
        );
      });
    }

    it('answers invalid_scope for a scope the client lacks', async () => {
      const client = await api.createClient({ scopes: ['charges:read'] });
      const { body } = await post({ ...grant, ...inForm(client), scope: 'charges:write' });
      assert.equal(body['error'], 'invalid_scope');
    });

    it('gives a client with a whole scope a part of it', async () => {
      const client = await api.createClient({ scopes: ['charges:write'] });
      const { body } = await post({ ...grant, ...inForm(client), scope: 'charges:update' });
      assert.equal(body['scope'], 'charges:update');
    });

    it('gives a client with a part no whole scope', async () => {
      const client = await api.createClient({ scopes: ['charges:update'] });
      const { body } = await post({ ...grant, ...inForm(client), scope: 'charges:write' });
      assert.equal(body['error'], 'invalid_scope');
    });

    it('answers invalid_request for a parameter that is given twice', async () => {
      const { id, secret } = api.client;
      const form = `grant_type=client_credentials&client_id=${id}&client_secret=${secret}&client_id=${id}`;
      assert.equal((await post(form)).body['error'], 'invalid_request');
    });

    it('answers invalid_request for what is not a form', async () => {
      const { response, body } = await post(JSON.stringify(grant), { 'content-type': 'application/json' });
      assert.deepEqual([response.status, body['error']], [400, 'invalid_request']);
    });

    it('answers 413 for a form beyond 16 KiB', async () => {
      const { response, body } = await post({ ...grant, x: 'y'.repeat(17_000) });
      assert.deepEqual([response.status, body['error']], [413, 'invalid_request']);
    });

    it('reads nothing from the query string', async () => {
      const query = new URLSearchParams({ ...grant, ...inForm(api.client) }).toString();
      const response = await fetch(`${api.url}/oauth2/token?${query}`, {
        method: 'POST',
        body: new URLSearchParams(grant),
      });
      assert.equal(response.status, 401);
      assert.doesNotMatch(api.logLines.join(''), new RegExp(api.client.secret));
    });

    it('answers 405 to a GET', async () => {
      const response = await fetch(`${api.url}/oauth2/token`);
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS']);
    });
  });

  describe('GET /oauth2/jwks', () => {
    it('shows the public keys, each named by its thumbprint', async () => {
      const response = await fetch(`${api.url}/oauth2/jwks`);
      const { keys } = (await response.json()) as { keys: JWK[] };
      assert.equal(keys.length, 1);
      const [{ x, y, ...rest }] = keys as [JWK];
      const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y } as JWK);
      assert.deepEqual(rest, { kty: 'EC', crv: 'P-256', kid, alg: 'ES256', use: 'sig' });
      assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
    });
  });

  describe('GET /.well-known/oauth-authorization-server', () => {
    it('describes the issuer, its endpoints and its methods', async () => {
      const response = await fetch(`${api.url}/.well-known/oauth-authorization-server`);
      const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
      assert.deepEqual(await response.json(), {
        issuer: api.url,
        token_endpoint: `${api.url}/oauth2/token`,
        jwks_uri: `${api.url}/oauth2/jwks`,
        introspection_endpoint: `${api.url}/oauth2/introspect`,
        revocation_endpoint: `${api.url}/oauth2/revoke`,
        scopes_supported: scopes,
        response_types_supported: [],
        grant_types_supported: [
          'client_credentials',
          'refresh_token',
          'authorization_code',
          'urn:ietf:params:oauth:grant-type:token-exchange',
        ],
        token_endpoint_auth_methods_supported: methods,
        token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
        introspection_endpoint_auth_methods_supported: methods,
        introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
        revocation_endpoint_auth_methods_supported: methods,
        revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
        service_documentation: `${api.url}/docs`,
      });
    });
  });
});
