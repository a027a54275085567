import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { echoRoutes } from '../../support/echo-routes.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

const MiB = 1024 * 1024;

describe('A body over the limit', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const head = (more: Record<string, string | number>) => ({
    authorization,
    'idempotency-key': 'k',
    'content-type': 'application/json',
    ...more,
  });

  /** Sends all of a body before it reads a byte of the answer, as many clients do. */
  async function sendBeforeReading(
    headers: string[],
    chunks: Iterable<Buffer>,
    pauseMs = 0,
  ): Promise<string> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const lines = ['POST /v1/things HTTP/1.1', 'Host: x', `Authorization: ${authorization}`, ...headers];
    socket.write(`${lines.join('\r\n')}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n\r\n`);
    for (const chunk of chunks) {
      if (!socket.write(chunk)) await once(socket, 'drain');
      if (pauseMs > 0) await pause(pauseMs);
    }
    const answer = await new Promise<string>((resolve, reject) => {
      socket.once('data', (bytes) => resolve(bytes.toString()));
      socket.once('error', reject);
    });
    socket.destroy();
    return answer;
  }

  it('is answered 413 to who sends all of it first', async () => {
    const chunks = Array.from({ length: 24 }, () => Buffer.alloc(MiB, 0x20));
    const answer = await sendBeforeReading([`Content-Length: ${24 * MiB}`], chunks);
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  it('is answered 413 to who sends it slowly', async () => {
    const chunks = Array.from({ length: 12 }, () => Buffer.from(`40000\r\n${' '.repeat(0x40000)}\r\n`));
    const answer = await sendBeforeReading(
      ['Transfer-Encoding: chunked'],
      [...chunks, Buffer.from('0\r\n\r\n')],
      150,
    );
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  /** Sends a head that waits for `100 Continue`, and the body only after it. */
  function sendExpecting(path: string, more: Record<string, string | number>, body: string) {
    return new Promise<{ isContinued: boolean; response: IncomingMessage }>((resolve, reject) => {
      let isContinued = false;
      const request = httpRequest(api.url, {
        method: 'POST',
        path,
        agent: false,
        headers: head({ expect: '100-continue', ...more }),
      });
      request.on('continue', () => {
        isContinued = true;
        request.end(body);
      });
      request.on('response', (response) => resolve({ isContinued, response }));
      request.on('error', reject);
      request.flushHeaders();
    });
  }

  for (const [what, path, more, status] of [
    ['a body that is too large', '/v1/things', { 'content-length': 300 * 1024 }, 413],
    ['a missing token', '/v1/things', { authorization: '', 'content-length': 20 }, 401],
    ['an unknown path', '/v1/nothing', { 'content-length': 20 }, 404],
    ['another type', '/v1/things', { 'content-type': 'text/plain', 'content-length': 20 }, 415],
  ] as const) {
    it(`is refused at the head with ${what}`, async () => {
      const { isContinued, response } = await sendExpecting(path, more, '');
      assert.deepEqual([isContinued, response.statusCode], [false, status]);
      assert.equal(response.headers.connection, 'close');
      response.destroy();
    });
  }

  it('is asked for where its head is accepted', async () => {
    const body = '{"amount":1,"currency":"EUR"}';
    const { isContinued, response } = await sendExpecting(
      '/v1/things',
      { 'content-length': body.length },
      body,
    );
    assert.deepEqual([isContinued, response.statusCode], [true, 201]);
    assert.match(await text(response), /"amount":1/);
  });
});
