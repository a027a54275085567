import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createOutsideKeys } from '#issuer/outside-issuer.ts';
import { createTokenVerifier } from '#issuer/tokens.ts';

const audience = 'https://payments.example';

/** An issuer that answers with what the test puts here, by path. */
interface Issuer {
  url: string;
  answers: Map<string, object>;
  sign(claims?: Record<string, unknown>, alg?: string): Promise<string>;
  stop(): void;
}

async function startIssuer(): Promise<Issuer> {
  const answers = new Map<string, object>();
  const server: Server = createServer((req, res) => {
    const answer = answers.get(req.url ?? '');
    res
      .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = new Map<string, CryptoKey>();
  const published = [];
  for (const alg of ['ES256', 'RS256', 'PS256', 'EdDSA', 'ES512']) {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    keys.set(alg, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' });
  }
  answers.set('/keys', { keys: published });
  return {
    url,
    answers,
    sign: (claims = {}, alg = 'ES256') =>
      new SignJWT({ client_id: 'c', account_id: 'acct_1', scope: 'charges:read', aud: audience, ...claims })
        .setProtectedHeader({ alg, typ: 'at+jwt', kid: alg })
        .setIssuer(url)
        .setSubject('c')
        .setJti('j')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(keys.get(alg) as CryptoKey),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('An outside issuer', () => {
  let issuer: Issuer;
  beforeEach(async () => {
    issuer = await startIssuer();
  });
  afterEach(() => issuer.stop());

  const nothingRevoked = { isRevoked: () => Promise.resolve(false) };
  const verifier = () =>
    createTokenVerifier({ issuer: issuer.url, audience }, createOutsideKeys(issuer.url), nothingRevoked);
  const publish = (path: string, changes: object = {}) =>
    issuer.answers.set(path, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...changes });

  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
    it(`is found by its metadata at ${path}`, async () => {
      publish(path);
      const grant = await verifier().verify(await issuer.sign());
      assert.deepEqual(
        [grant.accountId, grant.clientId, [...grant.scopes]],
        ['acct_1', 'c', ['charges:read']],
      );
    });
  }

  for (const alg of ['RS256', 'PS256', 'EdDSA']) {
    it(`may sign access tokens with ${alg}`, async () => {
      publish('/.well-known/openid-configuration');
      assert.equal((await verifier().verify(await issuer.sign({}, alg))).clientId, 'c');
    });
  }

  it('may not sign by an algorithm off our list', async () => {
    publish('/.well-known/openid-configuration');
    await assert.rejects(verifier().verify(await issuer.sign({}, 'ES512')), { name: 'InvalidToken' });
  });

  it('is not trusted for alg none or HS256', async () => {
    publish('/.well-known/openid-configuration');
    const [, claims] = (await issuer.sign()).split('.');
    const { keys } = issuer.answers.get('/keys') as { keys: { n?: string }[] };
    const secret = keys.find(({ n }) => n !== undefined)?.n ?? '';
    const forge = (alg: string, sign: (input: string) => string) => {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt', kid: 'RS256' })).toString('base64url');
      return `${header}.${claims}.${sign(`${header}.${claims}`)}`;
    };
    const forged = [
      forge('none', () => ''),
      forge('HS256', (input) => createHmac('sha256', secret).update(input).digest('base64url')),
    ];
    for (const token of forged) await assert.rejects(verifier().verify(token), { name: 'InvalidToken' });
  });

  it('binds each key to its own algorithm', async () => {
    publish('/.well-known/openid-configuration');
    const [, claims, signature] = (await issuer.sign({}, 'RS256')).split('.');
    const header = Buffer.from('{"alg":"PS256","typ":"at+jwt","kid":"RS256"}').toString('base64url');
    await assert.rejects(verifier().verify(`${header}.${claims}.${signature}`), { name: 'InvalidToken' });
  });

  it('does not sign for another audience', async () => {
    publish('/.well-known/openid-configuration');
    await assert.rejects(verifier().verify(await issuer.sign({ aud: 'x' })), { name: 'InvalidToken' });
  });

  it('judges no token if its metadata names another issuer', async () => {
    publish('/.well-known/openid-configuration', { issuer: 'https://other.example' });
    await assert.rejects(verifier().verify(await issuer.sign()), /another issuer/);
  });

  it('judges no token until it can be reached', async () => {
    const waiting = verifier();
    const token = await issuer.sign();
    await assert.rejects(waiting.verify(token), { name: 'Error' });
    publish('/.well-known/openid-configuration');
    assert.equal((await waiting.verify(token)).clientId, 'c');
  });

  it('publishes no keys by http beyond this machine', async () => {
    publish('/.well-known/openid-configuration', { jwks_uri: 'http://keys.example/keys' });
    await assert.rejects(verifier().verify(await issuer.sign()), /must be https beyond this machine/);
  });

  it('judges no token if its keys cannot be fetched', async () => {
    publish('/.well-known/openid-configuration', { jwks_uri: `${issuer.url}/nothing` });
    await assert.rejects(verifier().verify(await issuer.sign()), { name: 'JOSEError' });
  });
});
