import assert from 'node:assert/strict';
import type { Route } from '#api/http/route.ts';
import { createDatabase, prepared } from '#db/knex.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';

describe('Every route', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const send = (
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    fetch(`${api.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization, ...init.headers },
    });
  const create = (headers: Record<string, string>, body = '{"amount":1,"currency":"EUR"}') =>
    send('/v1/things', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const readProblem = async (response: Response) => (await response.json()) as Record<string, unknown>;

  describe('its method', () => {
    it('is answered with 405 and Allow when not supported', async () => {
      const response = await send('/v1/things/th_1', { method: 'PUT' });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'GET, HEAD, DELETE, PATCH, OPTIONS');
      assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      assert.equal((await readProblem(response))['code'], 'method_not_allowed');
    });

    it('answers OPTIONS with 204 and Allow without a token', async () => {
      const response = await fetch(`${api.url}/v1/things`, { method: 'OPTIONS' });
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    });

    it('answers HEAD as GET, without the body', async () => {
      const [get, head] = [await send('/v1/things/th_1'), await send('/v1/things/th_1', { method: 'HEAD' })];
      assert.equal(head.status, 200);
      assert.equal(head.headers.get('content-length'), String((await get.text()).length));
      assert.equal(await head.text(), '');
    });

    it('takes no verb and no colon for an id', async () => {
      const { status, headers } = await send('/v1/things/th_1:nudge');
      assert.deepEqual([status, headers.get('vary')], [404, 'Accept, API-Version, Authorization']);
      assert.ok(headers.has('ratelimit-limit'));
      assert.equal((await send('/v1/things/th_1:nudge', { method: 'POST' })).status, 404);
      const response = await send('/v1/things/th_1:poke', { method: 'POST' });
      assert.deepEqual(await response.json(), { body: {}, key: null });
    });
  });

  describe('its path', () => {
    it('redirects a trailing slash with 308, query included', async () => {
      const response = await send('/v1/things/?kind=big');
      assert.equal(response.status, 308);
      assert.equal(response.headers.get('location'), '/v1/things?kind=big');
      assert.equal(await response.text(), '');
    });

    for (const path of ['//evil.example/', '/v1/nothing/', '/v1', '/', '/V1/things', '/v1/things//th_1']) {
      it(`answers 404 to the path ${path}`, async () => {
        const response = await sendRaw(api.url, { path, headers: { authorization } });
        assert.equal(response.status, 404);
        assert.equal(response.headers['location'], undefined);
      });
    }

    for (const id of ['x', 'th_', 'th_1%2f', '%ff', '%', 'th_1%00']) {
      it(`answers 404 to the id ${id}`, async () => {
        const response = await sendRaw(api.url, { path: `/v1/things/${id}`, headers: { authorization } });
        assert.equal(response.status, 404);
        assert.equal((JSON.parse(response.text) as { code: string }).code, 'not_found');
      });
    }
  });

  describe('its query', () => {
    it('is parsed by the route', async () => {
      assert.deepEqual(await (await send('/v1/things?limit=7&kind=b%20ig')).json(), {
        query: { limit: '7', kind: 'b ig' },
      });
    });

    const faults: [query: string, detail: string][] = [
      ['kinds=big', '`kinds` is not known here.'],
      ['kind=a&kind=b', '`kind` is given twice.'],
      ['limit=0&x=1', '`limit` must be a whole number from 1 to 100; `x` is not known here.'],
      ['kind=%00', '`kind` is not valid text.'],
      ['kind=%ff', '`kind` is not valid text.'],
      ['__proto__=1', '`__proto__` is not known here.'],
    ];
    for (const [query, detail] of faults) {
      it(`is refused with 400 as ?${query}`, async () => {
        const response = await send(`/v1/things?${query}`);
        const problem = await readProblem(response);
        assert.deepEqual(
          [response.status, problem['code'], problem['detail']],
          [400, 'invalid_parameter', detail],
        );
      });
    }

    it('is refused where the route has none', async () => {
      assert.equal((await send('/v1/things/th_1?x=1')).status, 400);
    });
  });

  describe('its representation', () => {
    for (const accept of ['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1']) {
      it(`is sent where Accept is ${accept}`, async () => {
        assert.equal((await send('/v1/things/th_1', { headers: { accept } })).status, 200);
      });
    }
    for (const accept of ['text/html', 'application/json;q=0', 'application/xml, text/*']) {
      it(`answers 406 to Accept: ${accept}`, async () => {
        const response = await send('/v1/things/th_1', { headers: { accept } });
        assert.equal(response.status, 406);
        assert.equal((await readProblem(response))['code'], 'not_acceptable');
      });
    }

    it('is never sniffed, and read answers are revalidated', async () => {
      const { headers } = await send('/v1/things/th_1');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cache-control'), 'private, no-cache');
      assert.equal(headers.get('vary'), 'Accept, API-Version, Authorization');
    });

    it('is verbatim for bytes, and names their version', async () => {
      const response = await send('/v1/stored-things');
      assert.equal(response.status, 402);
      assert.equal(response.headers.get('api-version'), '2026-05-01');
      assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      assert.equal(await response.text(), '{ "b":1,"a":2 }');
    });

    it('has no Content-Type where it has no body', async () => {
      const response = await send('/v1/things/th_1', { method: 'DELETE' });
      assert.equal(response.status, 204);
      assert.equal(response.headers.get('content-type'), null);
    });
  });

  describe('its version', () => {
    it('is the account’s, unless a header says otherwise', async () => {
      const response = await send('/v1/paid-things');
      assert.equal(response.headers.get('api-version'), '2026-11-01');
      assert.match(await response.text(), /"status":"succeeded"/);
    });

    it('is the header’s, also for a page’s items', async () => {
      const response = await send('/v1/paid-things', { headers: { 'api-version': '2026-05-01' } });
      assert.equal(response.headers.get('api-version'), '2026-05-01');
      assert.deepEqual(await response.json(), {
        data: [{ object: 'charge', status: 'paid', failure_code: null, failure_message: null }],
        has_more: false,
      });
    });

    for (const version of ['2026-11-02', 'latest', '', '2026-05-01, 2026-11-01']) {
      it(`is refused with 400 as "${version}"`, async () => {
        const response = await send('/v1/things/th_1', { headers: { 'api-version': version } });
        assert.deepEqual(
          [response.status, (await readProblem(response))['code']],
          [400, 'unknown_api_version'],
        );
      });
    }
  });

  describe('its Idempotency-Key', () => {
    const keys: [header: string, key: string][] = [
      ['abc', 'abc'],
      ['"abc"', 'abc'],
      ['"a\\"b\\\\c"', 'a"b\\c'],
      ['a"b', 'a"b'],
      ['!~', '!~'],
      ['a,b;c=d', 'a,b;c=d'],
      ['k'.repeat(255), 'k'.repeat(255)],
      [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ];
    for (const [header, key] of keys) {
      it(`is read from ${header.slice(0, 20)} as ${key.slice(0, 20)}`, async () => {
        const response = await create({ 'idempotency-key': header });
        assert.equal(((await response.json()) as { key: string }).key, key);
      });
    }

    for (const header of [
      '',
      '""',
      '"abc',
      '"a"b"',
      '"abc";p=1',
      '"a\\b"',
      'a b',
      '"a b"',
      'ä',
      'k'.repeat(256),
    ]) {
      it(`is refused with 400 as ${header.slice(0, 20) || 'empty'}`, async () => {
        const response = await create({ 'idempotency-key': header });
        assert.deepEqual(
          [response.status, (await readProblem(response))['code']],
          [400, 'idempotency_key_invalid'],
        );
      });
    }

    for (const card of [
      '4242424242424242',
      '4242-4242-4242-4242',
      'pay_4242.4242.4242.4242',
      '"5555/5555/5555/4444"',
    ]) {
      it(`cannot read as a card number, such as ${card}`, async () => {
        const response = await create({ 'idempotency-key': card });
        const problem = await readProblem(response);
        assert.deepEqual([response.status, problem['code']], [400, 'idempotency_key_invalid']);
        assert.match(String(problem['detail']), /card number/);
        const digits = card.replaceAll('"', '');
        assert.ok(!JSON.stringify(problem).includes(digits), 'the answer repeats it');
        assert.ok(!api.logLines.some((line) => line.includes(digits)), 'a log line has it');
        const [{ count } = {}] = await api.db('idempotency_keys').count<{ count: number }[]>();
        assert.equal(Number(count), 0);
      });
    }

    it('may be a UUID of digits alone', async () => {
      const response = await create({ 'idempotency-key': '42424242-4242-4242-8424-424242424242' });
      assert.ok(response.ok, String(response.status));
    });

    it('cannot be sent twice in one request', async () => {
      const response = await sendRaw(api.url, {
        method: 'POST',
        path: '/v1/things',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': ['a', 'b'] },
        body: '{"amount":1,"currency":"EUR"}',
      });
      assert.equal(response.status, 400);
      assert.equal((JSON.parse(response.text) as { code: string }).code, 'idempotency_key_invalid');
    });

    it('is required where the route says so', async () => {
      const response = await create({});
      assert.deepEqual(
        [response.status, (await readProblem(response))['code']],
        [400, 'idempotency_key_required'],
      );
    });

    it('is ignored where the route does not declare it', async () => {
      const response = await send('/v1/things/th_1', { headers: { 'idempotency-key': '"' } });
      assert.equal(response.status, 200);
    });
  });

  describe('its trace', () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const trace = async (traceparent: string) =>
      (await send('/v1/things/th_1', { headers: { traceparent } })).headers.get('trace-id');

    for (const header of [`00-${id}-00f067aa0ba902b7-01`, `cc-${id}-00f067aa0ba902b7-00-more`]) {
      it(`is taken over from ${header}`, async () => assert.equal(await trace(header), id));
    }

    const others = [
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${id}-${'0'.repeat(16)}-01`,
      `ff-${id}-00f067aa0ba902b7-01`,
      `00-${id}-00f067aa0ba902b7-01-more`,
      `00-${id.toUpperCase()}-00f067aa0ba902b7-01`,
      'x',
    ];
    for (const header of others) {
      it(`is made anew for ${header}`, async () => {
        const made = await trace(header);
        assert.match(made ?? '', /^[0-9a-f]{32}$/);
        assert.notEqual(made, id);
      });
    }

    it('is in the problem, the header and the log', async () => {
      const response = await send('/v1/nothing', {
        headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` },
      });
      assert.equal(response.headers.get('trace-id'), id);
      assert.deepEqual(await response.json(), {
        type: `${api.url}/problems/not_found`,
        code: 'not_found',
        title: 'There is no such resource',
        status: 404,
        detail: 'Check the id, and that the token belongs to the account that owns it.',
        instance: '/v1/nothing',
        trace_id: id,
      });
      assert.ok(api.logLines.some((line) => line.includes(id) && line.includes('"status":404')));
    });
  });

  describe('its failure', () => {
    it('is a bare 500, with its cause logged', async () => {
      const response = await send('/v1/failures');
      const text = await response.text();
      const problem = JSON.parse(text) as Record<string, string>;
      assert.deepEqual([response.status, problem['code']], [500, 'internal_error']);
      assert.doesNotMatch(text, /boom|stack|\.ts/);
      const logged = api.logLines.filter((line) => line.includes(problem['trace_id'] ?? '?')).join('');
      assert.match(logged, /boom of \[card number\]/);
      assert.doesNotMatch(logged, /4242.?4242/);
    });
  });

  describe('its database', () => {
    it('that cannot be reached makes reads answer 503', async () => {
      const unreachable = createDatabase('postgres://x:x@127.0.0.1:9/x', 1);
      const route: Route<'account'> = {
        caller: 'account',
        method: 'GET',
        path: '/v1/rows',
        access: 'any-token',
        summary: 'Rows',
        responses: {},
        handle: async () => ({ status: 200, body: await prepared(unreachable, 'x', 'select 1', []) }),
      };
      const own = await startApi({ routes: () => [route] });
      const headers = { authorization: `Bearer ${await own.takeToken()}` };
      const response = await fetch(`${own.url}/v1/rows`, { headers });
      assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
      assert.equal((await readProblem(response))['code'], 'service_unavailable');
      await Promise.all([own.stop(), unreachable.destroy()]);
    });
  });

  describe('its log line', () => {
    it('names the template and account, never what was sent', async () => {
      api.logLines.length = 0;
      await send('/v1/things/th_1?x=secret', { headers: { cookie: 'secret' } });
      const { time, pid, hostname, ms, ...line } = JSON.parse(api.logLines.at(-1) ?? '{}') as Record<
        string,
        unknown
      >;
      assert.deepEqual(line, {
        level: 30,
        part: 'api',
        method: 'GET',
        route: '/v1/things/{id}',
        status: 400,
        trace_id: line['trace_id'],
        account: api.client.accountId,
        client: api.client.id,
        msg: 'request',
      });
      assert.equal(typeof ms, 'number');
      assert.deepEqual([typeof time, pid, hostname], ['number', undefined, undefined]);
    });
  });
});
