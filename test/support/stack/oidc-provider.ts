import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { rememberSecret } from './leaks.ts';

/** A small OIDC provider (code with PKCE). Whoever comes is signed in at once, as the person of the moment. */
export interface OidcProvider {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Who comes next. */
  person: { sub: string; email?: string; email_verified?: boolean };
  /** Changes what the next ID tokens claim, such as their nonce. */
  claims: Record<string, unknown>;
  /** An ID token of the person, issued now unless `claims` says otherwise. */
  sign(claims?: Record<string, unknown>): Promise<string>;
  stop(): void;
}

interface Grant {
  challenge: string;
  redirectUri: string;
  nonce: string;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    url,
    clientId: 'payments-console',
    clientSecret: randomBytes(24).toString('base64url'),
    person: { sub: 'nobody' },
    claims: {},
    sign(claims = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const standard = { iss: url, aud: provider.clientId, iat: now, exp: now + 300 };
      return new SignJWT({ ...standard, ...provider.person, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .sign(privateKey);
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  rememberSecret(provider.clientSecret);
  return provider;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', url);
    if (pathname === '/authorize') return authorize(searchParams, res);
    const answers: Record<string, () => object | Promise<object>> = {
      '/.well-known/openid-configuration': describe,
      '/keys': () => ({ keys: [jwk] }),
      '/token': () => trade(req),
    };
    const body = await answers[pathname]?.();
    const status = body === undefined ? 404 : 'error' in body ? 400 : 200;
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  }

  function describe(): object {
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  function authorize(query: URLSearchParams, res: ServerResponse): void {
    const of = (name: string) => query.get(name) ?? '';
    const code = randomBytes(16).toString('base64url');
    grants.set(code, {
      challenge: of('code_challenge'),
      redirectUri: of('redirect_uri'),
      nonce: of('nonce'),
    });
    const back = new URL(of('redirect_uri'));
    back.searchParams.set('code', code);
    back.searchParams.set('state', of('state'));
    res.writeHead(302, { location: back.href }).end();
  }

  async function trade(req: IncomingMessage): Promise<object> {
    const form = new URLSearchParams((await readAll(req)).toString());
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const basic = Buffer.from(req.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    const isOurs = decodeURIComponent(basic) === `${provider.clientId}:${provider.clientSecret}`;
    if (!isOurs || grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return { error: 'invalid_grant' };
    const idToken = await provider.sign({ nonce: grant.nonce, ...provider.claims });
    return { access_token: 'unused', token_type: 'Bearer', id_token: idToken };
  }
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
