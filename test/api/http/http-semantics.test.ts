import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultBodyLimit } from '#api/http/body.ts';
import type { Route } from '#api/http/route.ts';
import { environment } from '../../support/stack/environment.ts';
import { createMerchant } from '../../support/resources/merchant.ts';
import { countCharges } from '../../support/resources/seed-events.ts';
import { sendRaw, type RawResponse } from '../../support/stack/raw-http.ts';
import {
  ask,
  buildBody,
  createEstate,
  toRouteName,
  buildPath,
  otherRoutes,
  routes,
  type Estate,
} from '../../support/route-requests.ts';

/**
 * What HTTP says of every resource and every method, walked over all routes there are (RFC 9110). A new route is tested
 * here by being there.
 */

/** Something for the parameter of a route outside `/v1`. */
const rawExamples: Record<string, string> = {
  '{file}': 'pages.css',
  '{code}': 'not_found',
  '{operation}': 'createCharge',
};

/** What a path answers that needs a signature: a file, and the way back of a buyer, have tests of their own. */
const signed: Record<string, number> = { '/processor/returns/{charge}': 404 };
for (const { path } of routes) if (path.endsWith('/result')) signed[path] = 303;

const fillRawPath = (path: string) => path.replace(/\{\w+\}/, (name) => rawExamples[name] ?? name);

/** The methods of each path. */
const byPath = new Map<string, string[]>();
for (const { path, method } of [...routes, ...otherRoutes]) {
  byPath.set(path, [...(byPath.get(path) ?? []), method]);
}

const toAllow = (methods: readonly string[]) =>
  new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);

const parsed = (header: string | string[] | undefined) => new Set(String(header).split(', '));

const readCode = ({ text }: RawResponse) => (JSON.parse(text) as { code: string }).code;

describe('HTTP', () => {
  let url: string;
  let estate: Estate;
  let authorization: string;
  before(async () => {
    const env = await environment();
    url = env.stack.apiUrl;
    estate = await createEstate(await createMerchant());
    authorization = `Bearer ${estate.merchant.token}`;
    // Its figures change no more.
    await countCharges(env, estate.merchant.accountId);
  });
  // Links to results change every five minutes: no test begins right before.
  beforeEach(async () => {
    const leftMs = 300_000 - (Date.now() % 300_000);
    if (leftMs < 2_000) await sleep(leftMs + 100);
  });

  const concrete = (path: string) =>
    path.startsWith('/v1/') ? buildPath({ path }, estate) : fillRawPath(path);

  /** What the requests of these tests do not change: their log grows a second after each. */
  const steady = (path: string) =>
    path === '/v1/requests' ? `${path}?created[lt]=2026-01-01T00:00:00Z` : concrete(path);

  interface Options {
    headers?: Record<string, string>;
    body?: string | Buffer;
  }

  /** With a token and a key where the route is under `/v1`; what every answer carries is seen to here. */
  async function send(
    method: string,
    path: string,
    { headers = {}, body }: Options = {},
  ): Promise<RawResponse> {
    const standard = path.startsWith('/v1/') ? { authorization, 'idempotency-key': randomUUID() } : {};
    const response = await sendRaw(url, {
      method,
      path,
      headers: { ...standard, ...headers },
      ...(body !== undefined && { body }),
    });
    assert.match(String(response.headers['trace-id']), /^[0-9a-f]{32}$/);
    assert.match(String(response.headers['api-version']), /^\d{4}-\d\d-\d\d$/);
    assert.ok(response.headers['cache-control'], 'every answer says how it may be kept');
    assert.equal(response.headers['x-content-type-options'], 'nosniff');
    if (response.status >= 400) assert.equal(response.headers['cache-control'], 'no-store');
    return response;
  }

  const toContentType = ({ method }: Pick<Route, 'method'>) =>
    method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

  /** A request of this route that is right, but for what `changes` say. */
  function request(route: Route, changes: Options = {}): Promise<RawResponse> {
    const body = buildBody(route, estate);
    return send(route.method, buildPath(route, estate), {
      headers: {
        ...(body && { 'content-type': toContentType(route) }),
        ...(['PUT', 'PATCH', 'DELETE'].includes(route.method) && { 'if-match': '*' }),
        ...changes.headers,
      },
      ...(body && { body: changes.body ?? JSON.stringify(body) }),
    });
  }

  for (const [path, methods] of byPath) {
    const allowed = toAllow(methods);

    describe(path, () => {
      it('answers OPTIONS with 204 and Allow, to anybody', async () => {
        const { status, headers, text } = await sendRaw(url, { method: 'OPTIONS', path: concrete(path) });
        assert.deepEqual([status, text, headers['content-type']], [204, '', undefined]);
        assert.deepEqual(parsed(headers['allow']), allowed);
      });

      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (method) => !allowed.has(method),
      );
      it(`answers ${others.join(', ')} with 405 and Allow`, async () => {
        for (const method of others) {
          const response = await send(method, concrete(path));
          assert.deepEqual([response.status, readCode(response)], [405, 'method_not_allowed'], method);
          assert.deepEqual(parsed(response.headers['allow']), allowed);
        }
      });

      it('redirects a trailing slash with 308, query included', async () => {
        for (const method of [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])]) {
          const { status, headers, text } = await send(method, `${concrete(path)}/?x=1`);
          assert.deepEqual([status, headers['location'], text], [308, `${concrete(path)}?x=1`, ''], method);
        }
        assert.equal((await send('GET', `${concrete(path)}//`)).headers['location'], concrete(path));
      });

      if (!methods.includes('GET')) return;

      it('answers HEAD like GET, without the body', async () => {
        const get = await send('GET', steady(path));
        const head = await send('HEAD', steady(path));
        assert.equal(get.status, path.startsWith('/operator/') ? 401 : (signed[path] ?? 200));
        assert.deepEqual([head.status, head.text], [get.status, '']);
        const told = ({ headers }: RawResponse) => {
          const {
            date: _date,
            'trace-id': _id,
            'ratelimit-remaining': _left,
            'ratelimit-reset': _reset,
            ...rest
          } = headers;
          return rest;
        };
        assert.deepEqual(told(head), told(get));
        const { 'content-length': length = 0 } = head.headers;
        assert.equal(Number(length), Buffer.byteLength(get.text));
      });
    });
  }

  const ofRecords = routes.filter(({ method, produces }) => method === 'GET' && !produces);
  for (const route of ofRecords) {
    describe(`GET ${route.path}`, () => {
      const isList = () => !route.path.endsWith('}');
      const read = (headers: Record<string, string> = {}) => send('GET', steady(route.path), { headers });

      it('carries validators, and says who may keep it', async () => {
        const { status, headers } = await read();
        assert.equal(status, 200);
        assert.equal(headers['content-type'], 'application/json; charset=utf-8');
        assert.match(String(headers['etag']), isList() ? /^W\/"[^"]+"$/ : /^"[^"]+"$/);
        assert.match(String(headers['cache-control']), /^private, (no-cache|max-age=31536000, immutable)$/);
        assert.equal(headers['vary'], 'Accept, API-Version, Authorization');
      });

      it('answers 304 without a body to a known tag', async () => {
        const { headers } = await read();
        const etag = String(headers['etag']);
        for (const known of [etag, `"other", ${etag}`, '*', etag.replace(/^W\//, '')]) {
          const again = await read({ 'if-none-match': known });
          assert.deepEqual([again.status, again.text], [304, ''], known);
          for (const name of ['etag', 'cache-control', 'vary', 'last-modified'] as const) {
            assert.equal(again.headers[name], headers[name], name);
          }
          assert.equal(again.headers['content-type'], undefined);
        }
        assert.equal(
          (await send('HEAD', steady(route.path), { headers: { 'if-none-match': etag } })).status,
          304,
        );
        assert.equal((await read({ 'if-none-match': '"other"' })).status, 200);
      });

      it('answers 304 by date where no tag is given', async () => {
        const { headers } = await read();
        const modified = headers['last-modified'];
        if (modified === undefined) return;
        assert.match(modified, / GMT$/);
        assert.equal((await read({ 'if-modified-since': modified })).status, 304);
        const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
        assert.equal((await read({ 'if-modified-since': earlier })).status, 200);
        const both = { 'if-modified-since': modified, 'if-none-match': '"other"' };
        assert.equal((await read(both)).status, 200);
      });

      it('answers 412 where the caller expects another state', async () => {
        const response = await read({ 'if-match': '"other"' });
        assert.deepEqual([response.status, readCode(response)], [412, 'precondition_failed']);
        assert.equal((await read({ 'if-match': '*' })).status, 200);
      });

      it('has tags of its own for each version', async () => {
        const { headers } = await read();
        assert.notEqual((await read({ 'api-version': '2026-05-01' })).headers['etag'], headers['etag']);
      });
    });
  }

  for (const route of routes) {
    it(`${toRouteName(route)} answers 406 where nothing it has is accepted`, async () => {
      const response = await request(route, { headers: { accept: 'text/html' } });
      assert.deepEqual([response.status, readCode(response)], [406, 'not_acceptable']);
    });
  }

  for (const route of routes.filter(({ method }) => method !== 'GET' && method !== 'DELETE')) {
    describe(`The body of ${toRouteName(route)}`, () => {
      it('of another type is answered 415', async () => {
        const other =
          toContentType(route) === 'application/json' ? 'application/merge-patch+json' : 'application/json';
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', other]) {
          const response = await request(route, { headers: { 'content-type': type }, body: '{}' });
          assert.deepEqual([response.status, readCode(response)], [415, 'unsupported_media_type'], type);
        }
        const coded = await request(route, { headers: { 'content-encoding': 'gzip' }, body: '{}' });
        assert.deepEqual([coded.status, coded.headers['accept-encoding']], [415, 'identity']);
      });

      it('beyond the limit is answered 413', async () => {
        const length = (route.bodyLimit ?? defaultBodyLimit) + 1;
        // What is announced decides; who goes on to write megabytes may find the connection closed.
        const body = Buffer.alloc(Math.min(length, defaultBodyLimit + 1), ' ');
        const headers = { 'content-length': String(length) };
        const response = await request(route, { headers, body });
        assert.deepEqual([response.status, readCode(response)], [413, 'payload_too_large']);
      });

      it('that is no JSON object is answered 400', async () => {
        for (const body of ['{', '[]', '{"a":1,"a":1}']) {
          const response = await request(route, { body });
          assert.deepEqual([response.status, readCode(response)], [400, 'malformed_request'], body);
        }
      });

      it('with an unknown member is answered 422', async () => {
        const response = await request(route, {
          body: JSON.stringify({ ...buildBody(route, estate), surprise: 1 }),
        });
        assert.deepEqual([response.status, readCode(response)], [422, 'validation_failed']);
      });
    });
  }

  for (const route of routes.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method))) {
    describe(`The precondition of ${toRouteName(route)}`, () => {
      it('that is stale is answered 412, and nothing changes', async () => {
        const path = buildPath(route, estate);
        const before = await estate.merchant.get(path);
        for (const headers of [{ 'if-match': '"stale"' }, { 'if-match': 'W/"stale"' }]) {
          const response = await request(route, { headers });
          assert.deepEqual([response.status, readCode(response)], [412, 'precondition_failed']);
        }
        assert.equal((await estate.merchant.get(path)).text, before.text);
      });

      if (route.method === 'DELETE') return;
      it('is required: 428 without it', async () => {
        const body = buildBody(route, estate);
        const response = await send(route.method, buildPath(route, estate), {
          headers: { 'content-type': toContentType(route) },
          body: JSON.stringify(body),
        });
        assert.deepEqual([response.status, readCode(response)], [428, 'precondition_required']);
      });

      it('is met only once by the current tag', async () => {
        const path = buildPath(route, estate);
        const { headers } = await estate.merchant.get(path);
        const current = { 'if-match': headers.get('etag') ?? '' };
        const free = route.path.startsWith('/v1/members') ? 'name' : 'description';
        const change = { ...buildBody(route, estate), [free]: randomUUID() };
        const first = await request(route, { headers: current, body: JSON.stringify(change) });
        assert.equal(first.status, 200);
        const second = await request(route, { headers: current, body: JSON.stringify(change) });
        assert.equal(second.status, 412);
      });
    });
  }

  for (const route of routes.filter(({ idempotencyKey }) => idempotencyKey === 'required')) {
    it(`${toRouteName(route)} answers 400 without an Idempotency-Key`, async () => {
      const response = await sendRaw(url, {
        method: route.method,
        path: buildPath(route, estate),
        headers: { authorization, 'content-type': toContentType(route) },
        body: JSON.stringify(buildBody(route, estate)),
      });
      assert.deepEqual([response.status, readCode(response)], [400, 'idempotency_key_required']);
    });
  }

  it('takes Idempotency-Key on POST alone', () => {
    for (const { method, path, idempotencyKey } of routes) {
      assert.equal(idempotencyKey !== undefined, method === 'POST', `${method} ${path}`);
    }
  });

  it('has a Location on every 201 and 202', async () => {
    const own = await createEstate(await createMerchant());
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const { status, headers } = await ask(own.merchant, route, own);
      assert.ok(status < 500, `${toRouteName(route)}: ${status}`);
      if (status === 201 || status === 202)
        assert.match(headers.get('location') ?? '', /^\/v1\/[a-z-]+\/\w+$/);
    }
  });

  it('never changes anything by a safe method', async () => {
    // The figures follow the events by a job of their own.
    const reads = routes.filter(({ method, path }) => method === 'GET' && !path.includes('/figures/'));
    // Signed links change with time.
    const state = () =>
      Promise.all(reads.map(async (route) => (await request(route)).text.replaceAll(/\?expires=[^"]*/g, '')));
    const before = await state();
    for (const path of byPath.keys()) {
      for (const method of ['HEAD', 'OPTIONS']) await send(method, concrete(path));
    }
    assert.deepEqual(await state(), before);
  });
});
