import assert from 'node:assert/strict';
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import { tokenLifetime } from '#issuer/token-format.ts';
import { newId } from '#db/new-id.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';

interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
}

describe('An access token', () => {
  let api: TestApi;
  let ours: { kid: string; privateKey: CryptoKey };
  let publicJwk: JWK;
  let stranger: { privateKey: CryptoKey; publicKey: CryptoKey };
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    ours = await api.signingKeys.current();
    publicJwk = (await api.signingKeys.publicKeys())[0] as JWK;
    stranger = await generateKeyPair('ES256', { extractable: true });
  });
  after(() => api.stop());

  const now = () => Math.floor(Date.now() / 1000);

  /** A token as the issuer makes it, but for what the forgery changes; `undefined` leaves a member out. */
  function sign({ header = {}, claims = {}, key = ours.privateKey }: Forgery = {}): Promise<string> {
    const defaults = {
      iss: api.url,
      aud: api.url,
      sub: api.client.id,
      client_id: api.client.id,
      account_id: api.client.accountId,
      scope: 'events:read',
      jti: 'j',
      iat: now(),
      nbf: now(),
      exp: now() + tokenLifetime,
    };
    return new SignJWT({ ...defaults, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid, ...header })
      .sign(key);
  }

  /** Header and claims with any signature. */
  async function assemble(
    header: object,
    claims: object,
    signature: (input: string) => Buffer | Promise<Buffer>,
  ): Promise<string> {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${part(header)}.${part(claims)}`;
    return `${input}.${(await signature(input)).toString('base64url')}`;
  }

  const claims = () => ({
    iss: api.url,
    aud: api.url,
    sub: api.client.id,
    client_id: api.client.id,
    account_id: api.client.accountId,
    scope: 'events:read',
    jti: 'j',
    iat: now(),
    exp: now() + 60,
  });

  const get = (token: string, path = '/v1/things') =>
    fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

  async function assertInvalid(response: Response): Promise<void> {
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="payments", error="invalid_token"');
    assert.match(response.headers.get('trace-id') ?? '', /^[0-9a-f]{32}$/);
    assert.equal(((await response.json()) as { code: string }).code, 'invalid_token');
  }

  it('opens what its scopes name', async () => {
    assert.equal((await get(await api.takeToken())).status, 200);
    assert.equal((await get(await sign())).status, 200);
    assert.equal((await get(await sign({ header: { typ: 'application/at+jwt' } }))).status, 200);
  });

  const attacks: [what: string, forge: () => Promise<string> | string][] = [
    [
      'alg none',
      () => assemble({ alg: 'none', typ: 'at+jwt', kid: ours.kid }, claims(), () => Buffer.alloc(0)),
    ],
    [
      'alg None',
      () => assemble({ alg: 'None', typ: 'at+jwt', kid: ours.kid }, claims(), () => Buffer.alloc(0)),
    ],
    ['no alg', () => assemble({ typ: 'at+jwt', kid: ours.kid }, claims(), () => Buffer.alloc(64))],
    [
      'a signature of zeros',
      () => assemble({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid }, claims(), () => Buffer.alloc(64)),
    ],
    ['no signature', async () => (await sign()).replace(/[^.]*$/, '')],
    [
      'HS256 under the public key in PEM',
      async () => {
        const pem = await exportSPKI(
          (await importJWK(publicJwk, 'ES256', { extractable: true })) as CryptoKey,
        );
        const header = { alg: 'HS256', typ: 'at+jwt', kid: ours.kid };
        return assemble(header, claims(), (input) => createHmac('sha256', pem).update(input).digest());
      },
    ],
    [
      'HS256 under the public key in DER',
      () => {
        const der = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' }).export({
          type: 'spki',
          format: 'der',
        });
        const header = { alg: 'HS256', typ: 'at+jwt', kid: ours.kid };
        return assemble(header, claims(), (input) => createHmac('sha256', der).update(input).digest());
      },
    ],
    ['another key under our kid', () => sign({ key: stranger.privateKey })],
    ['another key under its own kid', () => sign({ key: stranger.privateKey, header: { kid: 'stranger' } })],
    ['no kid', () => sign({ header: { kid: undefined } })],
    ['an empty kid', () => sign({ header: { kid: '' } })],
    [
      'a kid that is a path',
      () => sign({ key: stranger.privateKey, header: { kid: '../../../../dev/null' } }),
    ],
    ['a kid that is SQL', () => sign({ key: stranger.privateKey, header: { kid: "' or 1=1 --" } })],
    ['a kid that is not text', () => sign({ header: { kid: { a: 1 } } })],
    [
      'its key in jwk',
      async () => sign({ key: stranger.privateKey, header: { jwk: await exportJWK(stranger.publicKey) } }),
    ],
    [
      'its key in jwk and no kid',
      async () =>
        sign({
          key: stranger.privateKey,
          header: { kid: undefined, jwk: await exportJWK(stranger.publicKey) },
        }),
    ],
    ['its key at jku', () => sign({ key: stranger.privateKey, header: { jku: `${api.url}/oauth2/jwks` } })],
    ['its key in x5c', () => sign({ key: stranger.privateKey, header: { x5c: ['MIIB'] } })],
    ['its key at x5u', () => sign({ key: stranger.privateKey, header: { x5u: 'https://evil.example' } })],
    [
      'a critical extension',
      () => {
        const header = { alg: 'ES256', typ: 'at+jwt', kid: ours.kid, crit: ['x'], x: 1 };
        const ecdsa = { name: 'ECDSA', hash: 'SHA-256' };
        return assemble(header, claims(), async (input) =>
          Buffer.from(await crypto.subtle.sign(ecdsa, ours.privateKey, Buffer.from(input))),
        );
      },
    ],
    ['typ JWT, as an ID token has', () => sign({ header: { typ: 'JWT' } })],
    [
      'the claims and the typ of an ID token',
      () =>
        sign({
          header: { typ: undefined },
          claims: { aud: api.client.id, nonce: 'n', auth_time: now(), scope: undefined, jti: undefined },
        }),
    ],
    ...['at', 'jwt+at', 'at+jwt; x', 'logout+jwt', 'dpop+jwt'].map((typ): (typeof attacks)[number] => [
      `typ ${typ}`,
      () => sign({ header: { typ } }),
    ]),
    ['no typ', () => sign({ header: { typ: undefined } })],
    ['another issuer', () => sign({ claims: { iss: 'https://evil.example' } })],
    ['our issuer with a slash', () => sign({ claims: { iss: `${api.url}/` } })],
    ['no issuer', () => sign({ claims: { iss: undefined } })],
    ['another audience', () => sign({ claims: { aud: 'https://other.example' } })],
    ['no audience', () => sign({ claims: { aud: undefined } })],
    ['an audience list without us', () => sign({ claims: { aud: ['a', 'b'] } })],
    ['an exp that is over', () => sign({ claims: { iat: now() - 700, nbf: now() - 700, exp: now() - 10 } })],
    ['no exp', () => sign({ claims: { exp: undefined } })],
    ['an exp that is text', () => sign({ claims: { exp: String(now() + 60) } })],
    ['an exp with a fraction', () => sign({ claims: { exp: now() + 60.5 } })],
    ['an nbf to come', () => sign({ claims: { nbf: now() + 60 } })],
    ['an iat to come', () => sign({ claims: { iat: now() + 60 } })],
    ['no iat', () => sign({ claims: { iat: undefined } })],
    ['no jti', () => sign({ claims: { jti: undefined } })],
    ['no client_id', () => sign({ claims: { client_id: undefined } })],
    ['an account that is gone', () => sign({ claims: { account_id: newId('account') } })],
    ['an account that is no id', () => sign({ claims: { account_id: "acct_\0'" } })],
    ['three dots', () => 'a.b.c.d'],
    ['nothing in it', () => '..'],
  ];
  for (const [what, forge] of attacks) {
    it(`is refused with 401 if it has ${what}`, async () => assertInvalid(await get(await forge())));
  }

  it('is refused with 403 if it is for no account', async () => {
    const response = await get(await sign({ claims: { account_id: undefined } }));
    assert.equal(response.status, 403);
    assert.equal(((await response.json()) as { code: string }).code, 'insufficient_scope');
  });

  it('is refused once it expires, even if just used', async () => {
    const token = await sign({ claims: { iat: now() - 60, exp: now() - 1 } });
    assert.equal((await get(token)).status, 200, 'within the tolerance for clocks');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await assertInvalid(await get(token));
  });

  it('is never read from the query string', async () => {
    const response = await fetch(`${api.url}/v1/things?access_token=${await sign()}`);
    assert.equal(response.status, 401);
  });

  it('is never read from the body', async () => {
    const body = new URLSearchParams({ access_token: await sign() });
    assert.equal((await fetch(`${api.url}/v1/things`, { method: 'POST', body })).status, 401);
  });

  it('is requested without an error code if none came', async () => {
    const response = await fetch(`${api.url}/v1/things`);
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="payments"');
    assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  });

  const headers: [what: string, header: (token: string) => string | string[]][] = [
    ['another scheme', (token) => `Token ${token}`],
    ['no scheme', (token) => token],
    ['two tokens', (token) => `Bearer ${token} ${token}`],
    ['a list', (token) => `Bearer ${token}, Bearer ${token}`],
    ['two headers', (token) => [`Bearer ${token}`, `Bearer ${token}`]],
    ['an empty token', () => 'Bearer '],
  ];
  for (const [what, header] of headers) {
    it(`is refused in a header with ${what}`, async () => {
      const authorization = header(await sign());
      const response = await sendRaw(api.url, { path: '/v1/things', headers: { authorization } });
      assert.equal(response.status, 401);
      assert.equal(response.headers['www-authenticate'], 'Bearer realm="payments", error="invalid_token"');
    });
  }

  it('is accepted whatever the case of the scheme', async () => {
    const authorization = `bEARER ${await sign()}`;
    assert.equal((await fetch(`${api.url}/v1/things`, { headers: { authorization } })).status, 200);
  });

  const scopes = ['', 'events:write', 'charges:read', 'events', 'EVENTS:READ', 'events:read2', '*'];
  for (const scope of scopes) {
    it(`does not open an events:read route with "${scope}"`, async () => {
      const response = await get(await sign({ claims: { scope } }));
      assert.equal(response.status, 403);
      assert.equal(
        response.headers.get('www-authenticate'),
        'Bearer realm="payments", error="insufficient_scope", scope="events:read"',
      );
      assert.equal(((await response.json()) as { code: string }).code, 'insufficient_scope');
    });
  }

  it('with a read scope does not open write methods', async () => {
    const token = await sign();
    for (const [method, path] of [
      ['POST', '/v1/things'],
      ['DELETE', '/v1/things/th_1'],
      ['PATCH', '/v1/things/th_1'],
      ['POST', '/v1/things/th_1:poke'],
    ]) {
      const init = { method: method ?? '', headers: { authorization: `Bearer ${token}` } };
      assert.equal((await fetch(`${api.url}${path}`, init)).status, 403);
    }
  });

  it('without a scope opens a route for any token', async () => {
    assert.equal((await get(await sign({ claims: { scope: '' } }), '/v1/things/th_1')).status, 200);
  });

  it('of a disabled account is answered 403', async () => {
    const client = await api.createClient();
    const token = await api.takeToken(client);
    await api.db('accounts').where({ id: client.accountId }).update({ status: 'disabled' });
    const response = await get(token);
    assert.equal(response.status, 403);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer .*error=/);
    assert.equal(((await response.json()) as { code: string }).code, 'account_disabled');
  });

  it('alone decides which account the caller has', async () => {
    const response = await fetch(`${api.url}/v1/things/th_1`, {
      headers: { authorization: `Bearer ${await sign()}`, 'account-id': 'acct_x', 'x-account': 'acct_x' },
    });
    assert.equal(((await response.json()) as { account: string }).account, api.client.accountId);
  });

  it('is answered 503 when the account cannot be read', async () => {
    const own = await startApi({ routes: echoRoutes });
    const token = await own.takeToken();
    await own.db.raw('alter table accounts rename to gone');
    const response = await fetch(`${own.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
    await own.stop();
  });
});
