import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpServer, stopHttpServer } from '#http/http-server.ts';
import { scopes, type Scope } from '#domain/scopes.ts';
import { listScopes, type Route } from '#api/http/route.ts';
import { createAccountRoutes, createRoutes } from '#api/routes.ts';
import type { ApiDeps } from '#api/http/deps.ts';
import { eventually } from '../../support/eventually.ts';
import { processorSecret, startApi, type TestApi } from '../../support/stack/app.ts';
import { sendBytes, sendRaw } from '../../support/stack/raw-http.ts';

function head(url: string, agent: Agent): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve(response.headers))).on(
      'error',
      reject,
    );
  });
}

describe('The service', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  describe('GET /livez', () => {
    it('answers while the process runs', async () => {
      const response = await fetch(`${api.url}/livez`);
      assert.deepEqual([response.status, await response.json()], [200, { status: 'alive' }]);
      assert.match(response.headers.get('trace-id') ?? '', /^[0-9a-f]{32}$/);
    });
  });

  describe('GET /readyz', () => {
    it('is ready with Postgres, and names Temporal as degraded', async () => {
      const startedAt = performance.now();
      const response = await fetch(`${api.url}/readyz`);
      assert.deepEqual(
        [response.status, await response.json()],
        [200, { status: 'ready', postgres: 'up', temporal: 'degraded' }],
      );
      assert.ok(performance.now() - startedAt < 3_000);
    });

    it('is not ready without Postgres, and answers in time', async () => {
      const own = await startApi();
      await own.probe.destroy();
      const response = await fetch(`${own.url}/readyz`);
      assert.equal(response.status, 503);
      assert.equal(((await response.json()) as { postgres: string }).postgres, 'down');
      assert.equal(response.headers.get('retry-after'), '1');
      own.probe.initialize();
      await own.stop();
    });
  });

  describe('POST /processor/notifications', () => {
    const notify = (body: string, changes: Record<string, string> = {}) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const mac = createHmac('sha256', processorSecret).update(`${timestamp}.${body}`).digest('hex');
      return fetch(`${api.url}/processor/notifications`, {
        method: 'POST',
        headers: { 'processor-timestamp': timestamp, 'processor-signature': `v1=${mac}`, ...changes },
        body,
      });
    };

    it('takes what the processor signed', async () => {
      const response = await notify('{"key":"ch_1"}');
      assert.equal(response.status, 204);
      assert.deepEqual(api.notified, ['ch_1']);
    });

    it('answers 401 to anything else', async () => {
      api.notified.length = 0;
      const response = await notify('{"key":"ch_1"}', { 'processor-signature': `v1=${'0'.repeat(64)}` });
      assert.equal(response.status, 401);
      assert.equal(response.headers.get('www-authenticate'), 'Signature realm="processor"');
      assert.equal((await fetch(`${api.url}/processor/notifications`, { method: 'POST' })).status, 401);
      assert.deepEqual(api.notified, []);
    });

    it('answers 413 to a body that no notification has', async () => {
      assert.equal((await notify('x'.repeat(20_000))).status, 413);
    });
  });

  describe('Every registered route', () => {
    const deps = () => ({ ...api, signingKeys: api.signingKeys }) as unknown as ApiDeps;

    it('under /v1 declares the scope it needs', () => {
      const known = new Set<Scope>(scopes);
      for (const route of createAccountRoutes(deps())) {
        assert.ok(route.path.startsWith('/v1/'), route.path);
        const needed = listScopes(route.access);
        const isKnown = needed.length > 0 && needed.every((scope) => known.has(scope));
        const { method, path, access } = route;
        assert.ok(isKnown || access === 'any-token', `${method} ${path} declares ${String(access)}`);
      }
    });

    it('under /v1 is answered 401 without a token', async () => {
      const own = await startApi({ routes: createAccountRoutes });
      for (const { method, path } of createAccountRoutes(deps())) {
        const response = await fetch(`${own.url}${path.replaceAll(/\{\w+\}/g, 'x')}`, { method });
        assert.equal(response.status, 401, `${method} ${path}`);
      }
      await own.stop();
    });

    it('has a path that says who may ask', () => {
      for (const { caller, path, access } of createRoutes(deps())) {
        assert.equal(caller === 'account', path.startsWith('/v1/'), path);
        assert.equal(caller === 'operator', path.startsWith('/operator/'), path);
        assert.equal(access === undefined, caller !== 'account' && caller !== 'operator', path);
      }
    });
  });

  describe('A connection', () => {
    const problemIn = (answer: string) =>
      JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, string>;

    it('that does not speak HTTP gets a problem document', async () => {
      const answer = await sendBytes(api.url, 'HELO\r\n\r\n');
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.match(answer, /\r\nContent-Type: application\/problem\+json/);
      const problem = problemIn(answer);
      assert.equal(problem['code'], 'malformed_request');
      assert.match(answer, new RegExp(`Trace-Id: ${problem['trace_id']}`));
    });

    it('with a head beyond 16 KiB gets a problem', async () => {
      const answer = await sendBytes(
        api.url,
        `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      );
      assert.match(problemIn(answer)['detail'] ?? '', /16384 bytes/);
    });

    it('with two lengths is refused', async () => {
      const head =
        'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n';
      assert.match(await sendBytes(api.url, `${head}0\r\n\r\n`), /^HTTP\/1\.1 400 /);
    });

    it('without a Host gets a problem document', async () => {
      const answer = await sendBytes(api.url, 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n');
      assert.match(answer, /^HTTP\/1\.1 400 .*"detail":"The Host header is missing\."/s);
      assert.match(answer, /\r\nTrace-Id: [0-9a-f]{32}\r\n/);
    });

    it('with an expectation that nobody knows is served', async () => {
      const response = await sendRaw(api.url, { path: '/livez', headers: { expect: 'miracles' } });
      assert.equal(response.status, 200);
    });

    it('finishes its request before the server stops', async () => {
      let enter = (): void => undefined;
      let leave = (): void => undefined;
      const entered = new Promise<void>((resolve) => (enter = resolve));
      const left = new Promise<void>((resolve) => (leave = resolve));
      const slow: Route<'anyone'> = {
        caller: 'anyone',
        method: 'GET',
        path: '/slow',
        operationId: 'getSlow',
        summary: 'Slow',
        responses: {},
        async handle() {
          enter();
          await left;
          return { status: 200, body: { done: true } };
        },
      };
      const own = await startApi({ routes: () => [slow] });
      const asked = fetch(`${own.url}/slow`);
      await entered;
      const stopping = own.stop();
      await assert.rejects(fetch(`${own.url}/livez`));
      leave();
      assert.deepEqual(await (await asked).json(), { done: true });
      await stopping;
    });

    it('that is never idle ends with the server', async () => {
      const own = await startApi();
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const closings: (string | undefined)[] = [];
      const asked = [0, 0, 0, 0];
      const keepAsking = async (_: number, n: number): Promise<unknown> => {
        for (;;) {
          try {
            closings.push((await head(`${own.url}/livez`, agent)).connection);
            asked[n]! += 1;
          } catch (error) {
            return (error as { code?: unknown }).code;
          }
        }
      };
      const asking = Promise.all(asked.map(keepAsking));
      await eventually('all of them ask', () => asked.every((count) => count > 0));
      const stopping = own.stop();
      // Whoever is cut off sees ECONNRESET.
      assert.deepEqual(await asking, Array(4).fill('ECONNREFUSED'));
      await stopping;
      assert.ok(closings.includes('close'));
      agent.destroy();
    });

    it('that never ends is closed when the server stops', async () => {
      const load = { maxConnections: 10, maxConnectionsPerAddress: null };
      const settings = { tls: null, host: '127.0.0.1', port: 0, longestWaitMs: 1_000, load };
      const { server, port } = await startHttpServer(settings, () => ({
        listener: () => sleep(60_000, undefined, { ref: false }),
        describeRefusal: () => ({ status: 400, headers: {}, body: '' }),
      }));
      const asked = fetch(`http://127.0.0.1:${port}`);
      const [stopped] = await Promise.all([
        (async () => {
          await sleep(50);
          const startedAt = performance.now();
          await stopHttpServer(server, 200);
          return performance.now() - startedAt;
        })(),
        assert.rejects(asked),
      ]);
      assert.ok(stopped < 1_000);
    });
  });
});
