import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import type { Channel } from '#webhooks/channel.ts';
import { createSender, type SenderOptions } from '#webhooks/send.ts';
import { eventually } from '../support/eventually.ts';
import { startNameServer, type NameServer } from '../support/stack/outside/name-server.ts';
import { keepSilent, refuse, startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';

const body = Buffer.from('{"id":"evt_1"}');
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };

describe('An attempt', () => {
  let receiver: Receiver;
  const channels: Channel[] = [];
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const channel of channels.splice(0)) channel.close();
    await receiver.close();
  });

  function open(url: string, options: Partial<SenderOptions> = {}, connections = 4): Channel {
    const guard = createAddressGuard({ allowLoopback: true });
    const channel = createSender({ guard, ...options }).open(url, connections);
    channels.push(channel);
    return channel;
  }

  const post = (path = '/hooks?of=shop', options: Partial<SenderOptions> = {}) =>
    open(receiver.url + path, options).post(headers, body);

  it('posts the body unchanged, and takes any 2xx', async () => {
    const { latencyMs, ...result } = await post();
    assert.deepEqual(result, {
      statusCode: 204,
      excerpt: Buffer.alloc(0),
      error: null,
      retryAfterMs: null,
    });
    assert.ok(latencyMs >= 0 && latencyMs < 15_000);
    const [received] = receiver.received;
    assert.equal(received?.body, body.toString());
    assert.equal(received.path, '/hooks?of=shop');
    assert.equal(received.headers['webhook-id'], 'evt_1');
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`fails by a ${status}, and does not follow it`, async () => {
      receiver.answer(refuse(status, { location: `${receiver.url}/elsewhere` }));
      const { statusCode, error } = await post('/hooks');
      assert.deepEqual({ statusCode, error }, { statusCode: status, error: 'redirected' });
      assert.deepEqual(receiver.at('/elsewhere'), []);
    });
  }

  it('fails by any other status, keeping the answer’s start', async () => {
    receiver.answer((_received, response) => void response.writeHead(500).end('x'.repeat(3_000)));
    const { statusCode, error, excerpt } = await post();
    assert.deepEqual({ statusCode, error }, { statusCode: 500, error: 'status' });
    assert.equal(excerpt?.toString(), 'x'.repeat(1_024));
  });

  it('reads an endless answer to a bound', async () => {
    let written = 0;
    receiver.answer((_received, response) => {
      response.writeHead(200);
      const flood = () => {
        while (!response.destroyed && response.write('y'.repeat(65_536))) written += 65_536;
        response.once('drain', flood);
      };
      flood();
    });
    const { statusCode, error, excerpt } = await post();
    assert.deepEqual({ statusCode, error }, { statusCode: 200, error: null });
    assert.equal(excerpt?.length, 1_024);
    await eventually('the connection is cut', () => receiver.ended === 1);
    assert.ok(written < 32 * 1_024 * 1_024, `${written} bytes were written`);
  });

  it('times out without an answer and closes the connection', async () => {
    receiver.answer(keepSilent);
    const { statusCode, error, latencyMs } = await post('/', { timeoutMs: 200 });
    assert.deepEqual({ statusCode, error }, { statusCode: null, error: 'timed_out' });
    assert.ok(latencyMs >= 199 && latencyMs < 2_000, `${latencyMs} ms`);
    await eventually('the connection is cut', () => receiver.ended === 1);
  });

  it('times out as a whole when the answer drips', async () => {
    receiver.answer((_received, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { statusCode, error, latencyMs } = await post('/', { timeoutMs: 1_500 });
    assert.deepEqual({ statusCode, error }, { statusCode: 200, error: 'timed_out' });
    assert.ok(latencyMs < 10_000, `${latencyMs} ms`);
    await eventually('the connection is cut', () => receiver.ended === 1);
  });

  it('waits 15 seconds, unless told otherwise', async () => {
    receiver.answer(keepSilent);
    const { error, latencyMs } = await post();
    assert.equal(error, 'timed_out');
    assert.ok(latencyMs >= 14_990 && latencyMs < 17_000, `${latencyMs} ms`);
  });

  for (const [what, value, expected] of [
    ['seconds', '120', 120_000],
    ['nothing readable', 'soon', null],
    ['a number of days', '-3', null],
  ] as const) {
    it(`reads a Retry-After of ${what}`, async () => {
      receiver.answer(refuse(429, { 'retry-after': value }));
      assert.equal((await post()).retryAfterMs, expected);
    });
  }

  it('reads a Retry-After that is a date', async () => {
    receiver.answer(refuse(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }));
    const { retryAfterMs } = await post();
    assert.ok(retryAfterMs !== null && retryAfterMs > 55_000 && retryAfterMs <= 60_000, `${retryAfterMs}`);
  });

  it('opens no more connections than it may', async () => {
    receiver.answer((_received, response) => setTimeout(() => response.writeHead(204).end(), 100));
    const channel = open(receiver.url, {}, 2);
    const attempts = Promise.all(Array.from({ length: 6 }, () => channel.post(headers, body)));
    await eventually('some have arrived', () => receiver.received.length >= 2);
    assert.equal(receiver.connections, 2);
    assert.ok((await attempts).every(({ error }) => error === null));
  });

  it('fails with connection_failed when nobody listens', async () => {
    const other = await startReceiver();
    await other.close();
    const { statusCode, error, excerpt } = await open(other.url).post(headers, body);
    assert.deepEqual(
      { statusCode, error, excerpt },
      { statusCode: null, error: 'connection_failed', excerpt: null },
    );
  });

  describe('at a peer that does not speak HTTP', () => {
    let server: Server;
    afterEach(() => server.close());

    for (const [what, words, error] of [
      ['nonsense', 'SSH-2.0-OpenSSH\r\n', 'answer_invalid'],
      ['nothing', '', 'connection_failed'],
    ] as const) {
      it(`fails by an answer of ${what}`, async () => {
        server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(words)));
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        assert.equal((await open(`http://127.0.0.1:${port}`).post(headers, body)).error, error);
      });
    }
  });

  describe('over TLS', () => {
    let secure: Receiver;
    let cert: string;
    let names: NameServer;
    before(async () => {
      const extensions = [
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'hooks.example' }] },
        { name: 'basicConstraints', cA: true },
      ] as never;
      const made = await generate([{ name: 'commonName', value: 'hooks.example' }], { extensions });
      cert = made.cert;
      secure = await startReceiver({ key: made.private, cert });
      names = await startNameServer();
    });
    after(async () => {
      names.close();
      await secure.close();
    });

    const at = (name: string, options: Partial<SenderOptions> = {}) => {
      const guard = createAddressGuard({ allowLoopback: true, resolve: names.resolve });
      return open(`https://${name}:${secure.port}/`, { guard, ...options }).post(headers, body);
    };

    it('is delivered when a trusted authority signed the certificate', async () => {
      names.answer(['127.0.0.1']);
      assert.deepEqual((await at('hooks.example', { ca: cert })).error, null);
    });

    it('fails, and sends nothing, where it is not', async () => {
      names.answer(['127.0.0.1']);
      const before = secure.received.length;
      const { statusCode, error } = await at('hooks.example');
      assert.deepEqual({ statusCode, error }, { statusCode: null, error: 'tls_failed' });
      assert.equal(secure.received.length, before);
    });

    it('fails where the certificate is another host’s', async () => {
      names.answer(['127.0.0.1']);
      assert.equal((await at('shop.example', { ca: cert })).error, 'tls_failed');
    });

    it('fails where the peer does not speak it', async () => {
      names.answer(['127.0.0.1']);
      const guard = createAddressGuard({ allowLoopback: true, resolve: names.resolve });
      const plain = open(`https://hooks.example:${receiver.port}/`, { guard });
      assert.equal((await plain.post(headers, body)).error, 'tls_failed');
    });
  });

  describe('to a private address', () => {
    let names: NameServer;
    before(async () => {
      names = await startNameServer();
    });
    after(() => names.close());

    const forms = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]'];
    for (const host of forms) {
      it(`does not connect to ${host}`, async () => {
        const channel = open(`https://${host}:${receiver.port}/`, { guard: createAddressGuard() });
        const { statusCode, error } = await channel.post(headers, body);
        assert.deepEqual({ statusCode, error }, { statusCode: null, error: 'address_refused' });
        assert.equal(receiver.connections, 0);
      });
    }

    it('does not connect when the name resolves anew', async () => {
      names.answer(['8.8.8.8'], ['127.0.0.1']);
      const guard = createAddressGuard({ resolve: names.resolve });
      const url = `https://hooks.example:${receiver.port}/`;
      assert.equal(await guard.findRefusal(new URL(url)), null);
      assert.equal((await open(url, { guard }).post(headers, body)).error, 'address_refused');
      assert.equal(receiver.connections, 0);
    });

    it('connects to the checked address without asking again', async () => {
      names.answer(['127.0.0.1'], ['10.0.0.1']);
      const guard = createAddressGuard({ allowLoopback: true, resolve: names.resolve });
      const before = names.asked;
      const channel = open(`http://hooks.example:${receiver.port}/`, { guard });
      assert.equal((await channel.post(headers, body)).error, null);
      assert.equal(names.asked, before + 1);
    });

    it('says that a name has no address', async () => {
      names.answer([]);
      const guard = createAddressGuard({ resolve: names.resolve });
      const { error } = await open('https://hooks.example/', { guard }).post(headers, body);
      assert.equal(error, 'name_not_found');
    });
  });
});
