import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Route } from '#api/http/route.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { eventually } from '../../support/eventually.ts';
import { sendRaw } from '../../support/stack/raw-http.ts';

/** Connections of one attacker, from an address that no honest caller has. */
class Attacker {
  readonly #url: URL;
  readonly sockets: Socket[] = [];

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Opens a connection and says these bytes; whatever comes back waits to be read. */
  async say(bytes: string, localAddress = '127.0.0.2'): Promise<Socket> {
    const socket = connect({ port: Number(this.#url.port), host: this.#url.hostname, localAddress });
    this.sockets.push(socket);
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    socket.write(bytes);
    return socket;
  }

  async sayOften(count: number, bytes: string): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.say(bytes)));
  }

  goAway(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

const writeHalfRequest = (path: string, headers: Record<string, string> = {}) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: api',
    'Content-Length: 100',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    'grant_type=',
  ].join('\r\n');

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('A stranger who sends halves of requests', () => {
  let api: TestApi;
  let token: string;
  let attacker: Attacker;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    token = await api.takeToken();
  });
  beforeEach(() => (attacker = new Attacker(api.url)));
  afterEach(() => attacker.goAway());
  after(() => api.stop());

  for (const [path, headers] of [
    ['/oauth2/token', form],
    ['/processor/notifications', {}],
  ] as const) {
    it(`to ${path} stops neither reads, writes nor tokens`, async () => {
      await attacker.sayOften(300, writeHalfRequest(path, headers));
      const began = performance.now();
      for (let turn = 0; turn < 5; turn += 1) {
        const headers = { authorization: `Bearer ${token}` };
        const read = await sendRaw(api.url, { path: '/v1/things/th_1', headers });
        assert.equal(read.status, 200, read.text);
        const write = await sendRaw(api.url, {
          method: 'POST',
          path: '/v1/things/th_1:poke',
          headers: { ...headers, 'content-type': 'application/json' },
          body: '{}',
        });
        assert.equal(write.status, 200, write.text);
        assert.ok(await api.takeToken());
      }
      assert.ok(performance.now() - began < 15_000, `${performance.now() - began} ms`);
    });
  }

  it('gets 408 within seconds, and its connections are closed', async () => {
    const [first] = await Promise.all([
      attacker.say(writeHalfRequest('/oauth2/token', form)),
      attacker.sayOften(20, writeHalfRequest('/oauth2/token', form)),
    ]);
    assert.match(await text(first), /^HTTP\/1.1 408 [\s\S]*request_timeout/);
    // They never close their side.
    await eventually('all are closed', () =>
      attacker.sockets.every((socket) => socket.resume().readableEnded || socket.destroyed),
    );
  });
});

describe('An address that opens connections without end', () => {
  it('keeps only its limit, and others are still served', async () => {
    const api = await startApi({ env: { MAX_CONNECTIONS_PER_ADDRESS: '20' } });
    const attacker = new Attacker(api.url);
    await attacker.sayOften(60, '');
    const isOpen = (socket: Socket) => !socket.resume().destroyed && !socket.readableEnded;
    await eventually('the rest are closed', () => attacker.sockets.filter(isOpen).length === 20);
    assert.equal((await fetch(`${api.url}/livez`)).status, 200);
    attacker.goAway();
    await eventually('it may come again', async () => {
      const socket = await attacker.say('GET /livez HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n');
      return (await text(socket).catch(() => '')).startsWith('HTTP/1.1 200');
    });
    await api.stop();
  });

  it('is not limited where a proxy is trusted', async () => {
    const api = await startApi({ env: { MAX_CONNECTIONS_PER_ADDRESS: '20', TRUST_PROXY: '1' } });
    const proxy = new Attacker(api.url);
    await proxy.sayOften(60, 'GET /livez HTTP/1.1\r\nHost: api\r\n\r\n');
    await eventually('all are answered', () => proxy.sockets.every((socket) => socket.bytesRead > 0));
    proxy.goAway();
    await api.stop();
  });

  it('opens no more connections than the process allows', async () => {
    const api = await startApi({ env: { MAX_CONNECTIONS: '10' } });
    const attacker = new Attacker(api.url);
    await attacker.sayOften(30, '');
    const isOpen = (socket: Socket) => !socket.resume().destroyed && !socket.readableEnded;
    await eventually('the rest are closed', () => attacker.sockets.filter(isOpen).length === 10);
    attacker.goAway();
    await eventually('others are served', async () =>
      fetch(`${api.url}/livez`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await api.stop();
  });
});

describe('A merchant that takes all it can', () => {
  let release: () => void;
  let held: Promise<void>;
  let entered = 0;
  const slow: Route<'account'> = {
    caller: 'account',
    method: 'GET',
    path: '/v1/slow',
    access: 'any-token',
    summary: 'Slow',
    responses: { 200: { description: 'It' } },
    async handle() {
      entered += 1;
      await held;
      return { status: 200, body: {} };
    },
  };
  let api: TestApi;
  let greedy: string;
  let honest: string;
  beforeEach(async () => {
    held = new Promise((resolve) => (release = resolve));
    entered = 0;
    const env = { MAX_READS_IN_FLIGHT: '8' };
    api = await startApi({ routes: () => [slow, ...echoRoutes()], env });
    greedy = `Bearer ${await api.takeToken(await api.createClient())}`;
    honest = `Bearer ${await api.takeToken()}`;
  });
  afterEach(async () => {
    release();
    await api.stop();
  });

  const read = (authorization: string, path = '/v1/things/th_1') =>
    sendRaw(api.url, { path, headers: { authorization } });

  it('has half of the places; others have the rest', async () => {
    assert.equal((await read(honest)).status, 200);
    const statuses: number[] = [];
    const asked = Array.from({ length: 12 }, async () => {
      const { status } = await read(greedy, '/v1/slow');
      statuses.push(status);
    });
    await eventually('it has its half', () => entered === 4);
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const began = performance.now();
      assert.equal((await read(honest)).status, 200);
      times.push(performance.now() - began);
    }
    assert.ok(Math.min(...times) < 1_000, String(times));
    await eventually('the rest of it is sent away', () => statuses.length === 8);
    assert.equal(entered, 4);
    release();
    await Promise.all(asked);
    assert.deepEqual(statuses, [...Array<number>(8).fill(503), ...Array<number>(4).fill(200)]);
  });

  it('alone, leaves a place to the next', async () => {
    const asked = Array.from({ length: 8 }, () => read(greedy, '/v1/slow'));
    await eventually('it has nearly all', () => entered === 7);
    assert.equal((await read(honest)).status, 200);
    release();
    await Promise.all(asked);
  });

  it('has half of the room for bodies', async () => {
    const attacker = new Attacker(api.url);
    const half = (authorization: string) =>
      [
        'POST /v1/things HTTP/1.1',
        'Host: api',
        `Authorization: ${authorization}`,
        'Idempotency-Key: k',
        'Content-Type: application/json',
        `Content-Length: ${256 * 1024}`,
        '',
        '{',
      ].join('\r\n');
    // 129 of 256 KiB are more than half of 64 MiB.
    const answered = () => attacker.sockets.filter((socket) => socket.bytesRead > 0);
    for (let count = 0; count < 129; count += 1) await attacker.say(half(greedy));
    await eventually('one is sent away', () => answered().length >= 1);
    assert.match(await text(answered()[0] as Socket), /^HTTP\/1.1 503 [\s\S]*service_unavailable/);
    const headers = { authorization: honest, 'idempotency-key': 'k', 'content-type': 'application/json' };
    const body = '{"amount":1,"currency":"EUR"}';
    // A process that is late lets fewer writes in for a while, of anyone.
    await eventually('the other has room', async () => {
      const write = await sendRaw(api.url, { method: 'POST', path: '/v1/things', headers, body });
      return write.status === 201 || Promise.reject(new Error(write.text));
    });
    attacker.goAway();
  });
});
