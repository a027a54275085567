import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ApiDeps } from '#api/http/deps.ts';
import { pageParameters, type PageQuery } from '#api/http/pagination.ts';
import type { Route } from '#api/http/route.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { sendBytes, sendRaw } from '../../support/stack/raw-http.ts';

/** A list with a next page, as every list of ours makes it. */
function pagedRoute({ pages }: Pick<ApiDeps, 'pages'>): Route<'account'> {
  const query = z.strictObject({ ...pageParameters, kind: z.string().optional() });
  return {
    caller: 'account',
    method: 'GET',
    path: '/v1/pages',
    access: 'any-token',
    summary: 'A page with a next one',
    query,
    responses: { 200: { description: 'It' } },
    handle: (request) =>
      pages.list(
        { ...request, query: request.query as PageQuery },
        () => Promise.resolve(rows),
        (row) => row,
      ),
  };
}

const rows = Array.from({ length: 21 }, (_, i) => ({ id: `th_${i}` }));

const readNext = (link: unknown) =>
  /^<([^>?]+)\?(?:kind=[^&]*&)?starting_after=[\w-]/.exec(String(link))?.[1];

describe('A request target', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: (deps) => [...echoRoutes(), pagedRoute(deps)] });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const send = (method: string, path: string) =>
    sendRaw(api.url, { method, path, headers: { authorization } });

  for (const [form, path] of [
    ['in origin-form', '/v1/pages?kind=a%20b'],
    ['in absolute-form', 'http://payments.example/v1/pages?kind=a%20b'],
    ['in absolute-form, in upper case', 'HTTP://PAYMENTS.EXAMPLE:80/v1/pages?kind=a%20b'],
    ['with encoded letters', '/v%31/p%61ges?kind=a%20b'],
  ] as const) {
    it(`${form} reaches its route and links on`, async () => {
      const { status, headers, text } = await send('GET', path);
      assert.equal(status, 200, text);
      assert.equal(readNext(headers['link']), '/v1/pages');
      assert.match(String(headers['link']), /kind=a\+b&/);
    });
  }

  for (const path of [
    '/v1/things/th_1:poke',
    '/v1/things/th_1%3Apoke',
    '/v1/things/th_1%3apoke',
    '/v1/things/th%5F1%3Apoke',
    'http://payments.example/v1/things/th_1%3Apoke',
  ]) {
    it(`reaches a command as ${path}`, async () => {
      assert.equal((await send('POST', path)).status, 200);
    });
  }

  it('keeps an encoded slash out of the path', async () => {
    assert.equal((await send('GET', '/v1%2Fthings')).status, 404);
    assert.equal((await send('GET', '/v1/things%2Fth_1')).status, 404);
  });

  it('in absolute-form without a path is the root', async () => {
    assert.equal((await send('GET', 'http://payments.example')).status, 404);
    assert.equal((await send('GET', 'http://payments.example?limit=1')).status, 404);
  });

  it('in absolute-form is redirected without its host', async () => {
    const { status, headers } = await send('GET', 'http://evil.example/v1/things/?limit=1');
    assert.deepEqual([status, headers['location']], [308, '/v1/things?limit=1']);
  });

  it('in asterisk-form asks what the service allows', async () => {
    const { status, headers } = await send('OPTIONS', '*');
    assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
    assert.equal((await send('GET', '*')).status, 400);
  });

  it('in authority-form is answered as malformed', async () => {
    const answer = await sendBytes(api.url, 'CONNECT payments.example:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"code":"malformed_request"/);
  });
});

describe('A PUBLIC_URL with a path', () => {
  const prefix = '/pay/eu';
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({
      routes: (deps) => [...echoRoutes(), pagedRoute(deps)],
      env: { PUBLIC_URL: `https://shop.example${prefix}` },
    });
    const token = await fetch(`${api.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: api.client.id,
        client_secret: api.client.secret,
      }),
    });
    authorization = `Bearer ${((await token.json()) as { access_token: string }).access_token}`;
  });
  after(() => api.stop());

  const read = (path: string) => sendRaw(api.url, { path, headers: { authorization } });

  for (const before of ['', prefix]) {
    const where = before === '' ? 'a proxy that drops the path' : 'a proxy that keeps the path';
    describe(`behind ${where}`, () => {
      it('is in the link to the next page', async () => {
        const { status, headers } = await read(`${before}/v1/pages`);
        assert.deepEqual(
          [status, readNext(headers['link'])],
          [200, `${prefix}/v1/pages`],
          String(headers['link']),
        );
      });

      it('is in Location of what was made', async () => {
        const { status, headers } = await sendRaw(api.url, {
          method: 'POST',
          path: `${before}/v1/things`,
          headers: { authorization, 'idempotency-key': 'k', 'content-type': 'application/json' },
          body: '{"amount":1,"currency":"EUR"}',
        });
        assert.deepEqual([status, headers['location']], [201, `${prefix}/v1/things/th_1`]);
      });

      it('is in redirects', async () => {
        const { status, headers } = await read(`${before}/v1/things/?limit=1`);
        assert.deepEqual([status, headers['location']], [308, `${prefix}/v1/things?limit=1`]);
      });

      it('is in every address of the documents', async () => {
        for (const page of ['/docs', '/docs/reference', '/docs/search?q=charge', '/problems/not_found']) {
          const { status, text } = await read(before + page);
          assert.equal(status, 200);
          const addresses = [...text.matchAll(/\b(?:href|src|action)="(\/[^"]*)"/g)].map(([, to]) => to!);
          assert.ok(addresses.length > 5);
          for (const address of addresses) assert.ok(address.startsWith(`${prefix}/`), address);
        }
      });

      it('is the server of the OpenAPI documents', async () => {
        for (const name of ['/openapi.json', '/openapi-service.json']) {
          const { servers } = JSON.parse((await read(before + name)).text) as { servers: { url: string }[] };
          assert.deepEqual(
            servers.map(({ url }) => url),
            [prefix],
          );
        }
      });
    });
  }

  it('stands behind the well-known path of the issuer', async () => {
    const { status, text } = await read(`/.well-known/oauth-authorization-server${prefix}`);
    assert.equal(status, 200);
    assert.equal((JSON.parse(text) as { issuer: string }).issuer, api.config.publicUrl);
  });

  it('is no prefix of a longer name', async () => {
    assert.equal((await read(`${prefix}x/v1/things`)).status, 404);
  });
});
