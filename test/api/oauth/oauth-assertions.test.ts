import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';
import { inBasic, postForm } from '../../support/resources/access/oauth.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface Changes {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: CryptoKey;
}

describe('A client that signs assertions (private_key_jwt)', () => {
  let api: TestApi;
  let client: TestClient;
  let es256: { publicKey: CryptoKey; privateKey: CryptoKey };
  let rs256: { publicKey: CryptoKey; privateKey: CryptoKey };
  let stranger: { publicKey: CryptoKey; privateKey: CryptoKey };
  before(async () => {
    api = await startApi();
    [es256, rs256, stranger] = await Promise.all([
      generateKeyPair('ES256', { extractable: true }),
      generateKeyPair('RS256', { extractable: true }),
      generateKeyPair('ES256', { extractable: true }),
    ]);
    const registered = async (key: CryptoKey, kid: string, alg: string): Promise<JWK> => ({
      ...(await exportJWK(key)),
      kid,
      alg,
      use: 'sig',
    });
    const keys = [
      await registered(es256.publicKey, 'ec', 'ES256'),
      await registered(rs256.publicKey, 'rsa', 'RS256'),
    ];
    client = await api.createClient({ jwks: { keys } });
  });
  after(() => api.stop());

  const now = () => Math.floor(Date.now() / 1000);

  function sign({ claims = {}, header = {}, key = es256.privateKey }: Changes = {}): Promise<string> {
    const { id } = client;
    const standard = { iss: id, sub: id, aud: api.url, jti: randomUUID(), iat: now(), exp: now() + 60 };
    return new SignJWT({ ...standard, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header })
      .sign(key);
  }

  const send = (assertion: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    postForm(
      `${api.url}/oauth2/token`,
      {
        grant_type: 'client_credentials',
        client_assertion_type: assertionType,
        client_assertion: assertion,
        ...form,
      },
      headers,
    );

  it('receives a token that names the client', async () => {
    const { status, body } = await send(await sign());
    assert.equal(status, 200);
    const [, claims = ''] = String(body.access_token).split('.');
    assert.match(Buffer.from(claims, 'base64url').toString(), new RegExp(`"client_id":"${client.id}"`));
  });

  it('may name the token endpoint as the audience', async () => {
    const assertion = await sign({ claims: { aud: `${api.url}/oauth2/token` } });
    assert.equal((await send(assertion, { client_id: client.id })).status, 200);
  });

  it('may sign with each key, by its algorithm', async () => {
    const assertion = await sign({ header: { alg: 'RS256', kid: 'rsa' }, key: rs256.privateKey });
    assert.equal((await send(assertion)).status, 200);
  });

  it('may omit kid if the algorithm identifies the key', async () => {
    assert.equal((await send(await sign({ header: { kid: undefined } }))).status, 200);
  });

  it('authenticates in this way at other endpoints too', async () => {
    const form = async () => ({
      client_assertion_type: assertionType,
      client_assertion: await sign(),
      token: 'x',
    });
    const introspected = await postForm(`${api.url}/oauth2/introspect`, await form());
    const revoked = await postForm(`${api.url}/oauth2/revoke`, await form());
    assert.deepEqual([introspected.body, revoked.status], [{ active: false }, 200]);
  });

  it('cannot use one assertion twice, even at different endpoints', async () => {
    const assertion = await sign();
    assert.equal((await send(assertion)).status, 200);
    assert.equal((await send(assertion)).status, 401);
    const form = { client_assertion_type: assertionType, client_assertion: assertion, token: 'x' };
    assert.equal((await postForm(`${api.url}/oauth2/introspect`, form)).status, 401);
  });

  it('is served once for concurrent uses of one assertion', async () => {
    const assertion = await sign();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(assertion)));
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), [
      '200',
      ...Array<string>(5).fill('401'),
    ]);
  });

  const refused: [what: string, forge: () => Promise<string>][] = [
    ['signed by another key', () => sign({ key: stranger.privateKey })],
    [
      'signed by another key, which it brings along',
      async () =>
        sign({
          key: stranger.privateKey,
          header: { kid: undefined, jwk: await exportJWK(stranger.publicKey) },
        }),
    ],
    ['with a kid that is not registered', () => sign({ header: { kid: 'other' } })],
    ['with the kid of a key of another algorithm', () => sign({ header: { kid: 'rsa' } })],
    [
      'signed by PS256, which no key is registered for',
      () =>
        generateKeyPair('PS256').then(({ privateKey }) =>
          sign({ key: privateKey, header: { alg: 'PS256', kid: 'rsa' } }),
        ),
    ],
    ['of another issuer', () => sign({ claims: { iss: api.client.id } })],
    ['for another client', () => sign({ claims: { sub: api.client.id } })],
    ['without a subject', () => sign({ claims: { sub: undefined } })],
    ['for another audience', () => sign({ claims: { aud: 'https://other.example' } })],
    ['for another audience as well', () => sign({ claims: { aud: [api.url, 'https://other.example'] } })],
    ['without an audience', () => sign({ claims: { aud: undefined } })],
    ['that has expired', () => sign({ claims: { exp: now() - 6 } })],
    ['without an end', () => sign({ claims: { exp: undefined } })],
    ['that is good for too long', () => sign({ claims: { exp: now() + 400 } })],
    ['that is not good yet', () => sign({ claims: { nbf: now() + 60 } })],
    ['without a jti', () => sign({ claims: { jti: undefined } })],
    ['with a jti that is no text', () => sign({ claims: { jti: 7 } })],
  ];
  for (const [what, forge] of refused) {
    it(`is refused with one ${what}`, async () => {
      const { status, body } = await send(await forge());
      assert.deepEqual([status, body.error], [401, 'invalid_client']);
    });
  }

  function unsigned(header: object, signature: (input: string) => string): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { id } = client;
    const claims = { iss: id, sub: id, aud: api.url, jti: randomUUID(), exp: now() + 60 };
    const input = `${part(header)}.${part(claims)}`;
    return `${input}.${signature(input)}`;
  }

  it('is refused with alg none', async () => {
    assert.equal((await send(unsigned({ alg: 'none', kid: 'ec' }, () => ''))).status, 401);
  });

  it('is refused with HS256 under its public key', async () => {
    const pem = await exportSPKI(es256.publicKey);
    const mac = (input: string) => createHmac('sha256', pem).update(input).digest('base64url');
    assert.equal((await send(unsigned({ alg: 'HS256', kid: 'ec' }, mac))).status, 401);
  });

  for (const assertion of ['x', '..', 'a.b.c']) {
    it(`is refused with the malformed assertion ${assertion}`, async () => {
      assert.equal((await send(assertion)).status, 401);
    });
  }

  it('is refused with another type of assertion, or none', async () => {
    const type = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
    assert.equal((await send(await sign(), { client_assertion_type: type })).status, 401);
    assert.equal((await send(await sign(), { client_assertion_type: '' })).status, 401);
  });

  it('has no secret to prove itself with', async () => {
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    assert.equal((await postForm(`${api.url}/oauth2/token`, form)).status, 401);
  });

  it('cannot sign where it registered no key', async () => {
    const { id } = api.client;
    assert.equal((await send(await sign({ claims: { iss: id, sub: id } }))).status, 401);
  });

  it('is answered invalid_request for two proofs or clients', async () => {
    const answers = [
      await send(await sign(), {}, inBasic(client)),
      await send(await sign(), { client_secret: 'x' }),
      await send(await sign(), { client_id: api.client.id }),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.error], [400, 'invalid_request']);
  });

  it('is refused once it is disabled', async () => {
    await api.db('oauth_clients').where({ id: client.id }).update({ status: 'disabled' });
    assert.equal((await send(await sign())).status, 401);
    await api.db('oauth_clients').where({ id: client.id }).update({ status: 'active' });
    assert.equal((await send(await sign())).status, 200);
  });

  it('leaves nothing behind once its assertions have expired', async () => {
    await api.db('client_assertions').update({ expires_at: new Date(0) });
    await send(await sign());
    assert.equal((await api.db('client_assertions')).length, 1);
  });

  describe('whose claims are of any type', () => {
    const values = [
      null,
      true,
      7,
      -1e300,
      1e300,
      '',
      'x',
      '\0',
      '\ud800',
      'x'.repeat(4_000),
      [],
      ['x'],
      [[]],
      {},
      { a: 1 },
    ];
    const endpoints = ['token', 'introspect', 'revoke'];

    /** Signed, whatever it says: libraries refuse to make some of these. */
    async function signParts(header: unknown, claims: unknown): Promise<string> {
      const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const signed = `${encode(header)}.${encode(claims)}`;
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await crypto.subtle.sign(algorithm, es256.privateKey, Buffer.from(signed));
      return `${signed}.${Buffer.from(signature).toString('base64url')}`;
    }

    async function assertRefused(assertion: string, what: string): Promise<void> {
      for (const endpoint of endpoints) {
        const form = { client_assertion_type: assertionType, client_assertion: assertion, token: 'x' };
        const { status, body } = await postForm(`${api.url}/oauth2/${endpoint}`, {
          grant_type: 'client_credentials',
          ...form,
        });
        const refused = status === 400 ? 'invalid_request' : 'invalid_client';
        assert.ok(status === 400 || status === 401, `${what}: ${status}`);
        assert.equal(body.error, refused, what);
      }
    }

    const standard = () => ({
      iss: client.id,
      sub: client.id,
      aud: api.url,
      jti: randomUUID(),
      iat: now(),
      exp: now() + 60,
    });
    for (const claim of ['iss', 'sub', 'aud', 'exp', 'jti', 'iat', 'nbf']) {
      it(`is refused with any other value of ${claim}`, async () => {
        for (const value of values) {
          const isGood =
            (claim === 'jti' && typeof value === 'string') ||
            (claim === 'iat' && typeof value === 'number') ||
            (claim === 'nbf' && typeof value === 'number' && value < 10);
          const assertion = await signParts({ alg: 'ES256', kid: 'ec' }, { ...standard(), [claim]: value });
          if (!isGood) await assertRefused(assertion, `${claim} ${JSON.stringify(value)?.slice(0, 40)}`);
          else assert.ok((await send(assertion)).status < 500, `${claim} ${String(value)}`);
        }
      });
    }

    it('is refused if header or claims have another type', async () => {
      for (const value of values) {
        await assertRefused(await signParts({ alg: 'ES256', kid: 'ec' }, value), 'claims');
        await assertRefused(await signParts(value, standard()), 'head');
        for (const name of ['alg', 'crit']) {
          await assertRefused(await signParts({ alg: 'ES256', kid: 'ec', [name]: value }, standard()), name);
        }
      }
    });
  });
});
