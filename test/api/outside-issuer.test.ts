import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createOutsideKeys } from '../../api/oauth/outside-issuer.ts';
import { createTokenVerifier } from '../../api/tokens.ts';

const audience = 'https://payments.example';

/** An issuer that answers with what the test puts here, by path. */
interface Issuer {
  url: string;
  answers: Map<string, object>;
  sign(claims?: Record<string, unknown>): Promise<string>;
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
  const keys: { privateKey: CryptoKey; publicKey: CryptoKey } = await generateKeyPair('ES256');
  answers.set('/keys', {
    keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }],
  });
  return {
    url,
    answers,
    sign: (claims = {}) =>
      new SignJWT({ client_id: 'c', account_id: 'acct_1', scope: 'charges:read', aud: audience, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k' })
        .setIssuer(url)
        .setSubject('c')
        .setJti('j')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(keys.privateKey),
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
    it(`is found by ${path}`, async () => {
      publish(path);
      const grant = await verifier().verify(await issuer.sign());
      assert.deepEqual(
        [grant.accountId, grant.clientId, [...grant.scopes]],
        ['acct_1', 'c', ['charges:read']],
      );
    });
  }

  it('does not sign for another audience', async () => {
    publish('/.well-known/openid-configuration');
    await assert.rejects(verifier().verify(await issuer.sign({ aud: 'x' })), { name: 'InvalidToken' });
  });

  it('that is another says nothing about a token', async () => {
    publish('/.well-known/openid-configuration', { issuer: 'https://other.example' });
    await assert.rejects(verifier().verify(await issuer.sign()), /another issuer/);
  });

  it('that cannot be reached says nothing about a token, until it can', async () => {
    const waiting = verifier();
    const token = await issuer.sign();
    await assert.rejects(waiting.verify(token), { name: 'Error' });
    publish('/.well-known/openid-configuration');
    assert.equal((await waiting.verify(token)).clientId, 'c');
  });

  it('whose keys cannot be fetched says nothing about a token', async () => {
    publish('/.well-known/openid-configuration', { jwks_uri: `${issuer.url}/nothing` });
    await assert.rejects(verifier().verify(await issuer.sign()), { name: 'JOSEError' });
  });
});
