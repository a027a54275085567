import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { rememberSecret } from '../leaks.ts';

/**
 * A small OIDC provider (code with PKCE). Whoever comes is signed in at once, as the person of the moment. It can be an outside
 * issuer of access tokens for the API too, with refresh tokens that are good once.
 */
export interface OidcProvider {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Who comes next. */
  person: { sub: string; name?: string; email?: string; email_verified?: boolean };
  /** Changes what the next ID tokens claim, such as their nonce. */
  claims: Record<string, unknown>;
  /** What the next access tokens claim, such as their account; `null`: it issues none. */
  access: Record<string, unknown> | null;
  /** What came to its endpoints of authorization, token and revocation, the newest last. */
  asked: { at: string; form: URLSearchParams }[];
  /** Issues tokens to the person, without a sign-in. */
  issue(): Promise<object>;
  /** Ends all sessions, as its administrators can. */
  endSessions(): void;
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
  const refreshTokens = new Set<string>();
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    url,
    clientId: 'payments-console',
    clientSecret: randomBytes(24).toString('base64url'),
    person: { sub: 'nobody' },
    claims: {},
    access: null,
    asked: [],
    issue,
    endSessions: () => refreshTokens.clear(),
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
      '/revoke': () => revoke(req),
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
      revocation_endpoint: `${url}/revoke`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  function authorize(query: URLSearchParams, res: ServerResponse): void {
    provider.asked.push({ at: 'authorize', form: query });
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
    const form = await takeForm(req, 'token');
    if (form.get('grant_type') === 'refresh_token')
      return refreshTokens.delete(form.get('refresh_token') ?? '') ? issue() : { error: 'invalid_grant' };
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!isOurs(req) || grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return { error: 'invalid_grant' };
    const idToken = await provider.sign({ nonce: grant.nonce, ...provider.claims });
    return { ...(await issue()), id_token: idToken };
  }

  function isOurs(req: IncomingMessage): boolean {
    const basic = Buffer.from(req.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    return decodeURIComponent(basic) === `${provider.clientId}:${provider.clientSecret}`;
  }

  async function issue(): Promise<object> {
    if (!provider.access) return { access_token: 'unused', token_type: 'Bearer' };
    const refreshToken = randomBytes(24).toString('base64url');
    refreshTokens.add(refreshToken);
    const { expires_in: seconds = 300, ...claims } = provider.access;
    const accessToken = await new SignJWT({ client_id: provider.clientId, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
      .setIssuer(url)
      .setSubject(provider.person.sub)
      .setJti(randomBytes(12).toString('hex'))
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    for (const token of [refreshToken, accessToken]) rememberSecret(token);
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: seconds,
    };
  }

  async function revoke(req: IncomingMessage): Promise<object> {
    const form = await takeForm(req, 'revoke');
    if (isOurs(req)) refreshTokens.delete(form.get('token') ?? '');
    return {};
  }

  async function takeForm(req: IncomingMessage, at: string): Promise<URLSearchParams> {
    const form = new URLSearchParams((await readAll(req)).toString());
    provider.asked.push({ at, form });
    return form;
  }
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
