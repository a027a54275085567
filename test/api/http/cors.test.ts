import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';

const shop = 'https://shop.example';
const local = 'http://localhost:5173';

const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('A page of another origin', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: echoRoutes, env: { CORS_ORIGINS: `${shop},${local}` } });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const send = (
    path: string,
    origin: string | null,
    init: { method?: string; headers?: Record<string, string> } = {},
  ) =>
    fetch(`${api.url}${path}`, { ...init, headers: { ...init.headers, ...(origin !== null && { origin }) } });

  const preflight = (path: string, origin: string) =>
    send(path, origin, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  it('may ask what it may send, without a token', async () => {
    const { status, headers } = await preflight('/v1/things', shop);
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), shop);
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST, OPTIONS');
    assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? [];
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'api-version', 'if-match']) {
      assert.ok(allowed.includes(name), name);
    }
    assert.equal(headers.get('access-control-max-age'), '600');
    assert.equal(headers.get('access-control-allow-credentials'), null);
  });

  it('may send what tracing libraries add', async () => {
    const { headers } = await preflight('/v1/things', shop);
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? [];
    for (const name of ['traceparent', 'tracestate', 'baggage', 'sentry-trace', 'b3', 'x-datadog-trace-id'])
      assert.ok(allowed.includes(name), name);
  });

  it('may call, and read the headers that matter', async () => {
    const { status, headers } = await send('/v1/things', local, { headers: { authorization } });
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), local);
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
    for (const name of [
      'trace-id',
      'api-version',
      'retry-after',
      'etag',
      'location',
      'ratelimit-remaining',
    ]) {
      assert.ok(exposed.includes(name), name);
    }
  });

  it('may read a problem too', async () => {
    for (const path of ['/v1/things', '/v1/nothing', '/v1/things?x=1']) {
      const { status, headers } = await send(path, shop);
      assert.ok(status >= 400);
      assert.equal(headers.get('access-control-allow-origin'), shop, path);
    }
  });

  const others = [
    'https://evil.example',
    'https://shop.example.evil.example',
    'http://shop.example',
    'https://shop.example:8443',
    'HTTPS://SHOP.EXAMPLE',
    'null',
    '',
  ];
  for (const origin of others) {
    it(`gets no CORS headers where its origin is "${origin}"`, async () => {
      for (const answer of [
        await send('/v1/things', origin, { headers: { authorization } }),
        await preflight('/v1/things', origin),
      ]) {
        assert.deepEqual(corsHeaders(answer.headers), []);
      }
    });
  }

  it('gets 404 and no methods for a missing path', async () => {
    const { status, headers } = await preflight('/v1/nothing', shop);
    assert.deepEqual([status, headers.get('access-control-allow-methods')], [404, null]);
  });

  it('gets no cached answer meant for another origin', async () => {
    for (const origin of [shop, 'https://evil.example', null]) {
      const { headers } = await send('/v1/things', origin, { headers: { authorization } });
      assert.equal(headers.get('vary'), 'Accept, API-Version, Authorization, Origin');
      assert.equal((await send('/livez', origin)).headers.get('vary'), 'Origin');
    }
  });

  it('gets no CORS headers by default', async () => {
    const own = await startApi({ routes: echoRoutes });
    for (const path of ['/v1/things', '/livez']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await fetch(`${own.url}${path}`, { method, headers: { origin: shop } });
        assert.deepEqual(corsHeaders(headers), []);
        assert.ok(!headers.get('vary')?.includes('Origin'));
      }
    }
    await own.stop();
  });
});
