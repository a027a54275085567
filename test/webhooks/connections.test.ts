import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { createAddressGuard } from '#webhooks/address-guard.ts';
import type { Channel } from '#webhooks/channel.ts';
import { createSender } from '#webhooks/send.ts';
import { startReceiver } from '../support/stack/outside/receiver.ts';

const body = Buffer.from('{"id":"evt_1"}');
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };

/** A process that listens at an address, and can be kept from answering connections at all. */
class SilentHost {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #sockets: Socket[] = [];

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  static async start(address: string, port = 0): Promise<SilentHost> {
    const code = `require('node:http').createServer((_, answer) => answer.writeHead(204).end())
      .listen({ host: '${address}', port: ${port}, backlog: 1 }, function () { console.log(this.address().port) })`;
    const process = spawn('node', ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(process.stdout, 'data')) as [Buffer];
    const host = new SilentHost(process, Number(line.toString()));
    process.kill('SIGSTOP');
    // The system answers for it until its queue is full, and drops what comes then.
    for (let isOpen = true; isOpen;) {
      const socket = connect(host.port, address).on('error', () => {});
      host.#sockets.push(socket);
      isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300)),
      ]);
    }
    return host;
  }

  /** From now on it answers. What was dropped is sent again about a second after it was sent first. */
  wake(): void {
    this.#process.kill('SIGCONT');
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#process.kill('SIGKILL');
  }
}

describe('The connection of an attempt', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  function open(url: string, addresses: string[] = ['127.0.0.1'], ca?: string): Channel {
    const found = addresses.map((address) => ({ address, family: 4 }));
    const guard = createAddressGuard({ allowLoopback: true, resolve: (_name, done) => done(null, found) });
    const channel = createSender({ guard, ...(ca !== undefined && { ca }) }).open(url, 4);
    ends.push(() => channel.close());
    return channel;
  }

  async function startHost(address: string, port?: number): Promise<SilentHost> {
    const host = await SilentHost.start(address, port);
    ends.push(() => host.stop());
    return host;
  }

  it('is made though an address does not answer', async () => {
    const receiver = await startReceiver();
    ends.push(() => receiver.close());
    await startHost('127.0.0.2', receiver.port);
    const channel = open(`http://hooks.example:${receiver.port}/`, ['127.0.0.2', '127.0.0.1']);
    const { error, latencyMs } = await channel.post(headers, body);
    assert.equal(error, null);
    assert.ok(latencyMs < 2_000, `${latencyMs} ms`);
  });

  it('is made though the network takes a second', async () => {
    const host = await startHost('127.0.0.1');
    const attempt = open(`http://hooks.example:${host.port}/`, ['127.0.0.1', '127.0.0.2']).post(
      headers,
      body,
    );
    setTimeout(() => host.wake(), 500);
    const { error, latencyMs } = await attempt;
    assert.equal(error, null);
    assert.ok(latencyMs > 500, `${latencyMs} ms`);
  });

  it('fails when every address refuses it', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const channel = open(`http://hooks.example:${receiver.port}/`, ['127.0.0.1', '127.0.0.2']);
    assert.equal((await channel.post(headers, body)).error, 'connection_failed');
  });

  describe('that the receiver closes', () => {
    let server: Server;
    let requests: number[];
    /** Answers so many requests of each connection, and closes it when the next one comes. */
    async function start(answered: number, partly = ''): Promise<string> {
      requests = [];
      server = createServer((socket) => {
        const number = requests.push(0) - 1;
        socket
          .on('error', () => {})
          .on('data', () => {
            requests[number]! += 1;
            if (requests[number]! <= answered) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
            else socket.end(partly);
          });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ends.push(() => server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    it('is made anew at once, and is no failure', async () => {
      const channel = open(await start(1));
      for (let turn = 1; turn <= 3; turn += 1) {
        const { statusCode, error } = await channel.post(headers, body);
        assert.deepEqual([turn, statusCode, error], [turn, 204, null]);
      }
      assert.deepEqual(requests, [2, 2, 1]);
    });

    it('is not made anew when it was a fresh one', async () => {
      const channel = open(await start(0));
      assert.equal((await channel.post(headers, body)).error, 'connection_failed');
      assert.deepEqual(requests, [1]);
    });

    it('is not made anew after a byte of the answer', async () => {
      const channel = open(await start(1, 'HTTP/1.1 20'));
      assert.equal((await channel.post(headers, body)).error, null);
      assert.notEqual((await channel.post(headers, body)).error, null);
      assert.deepEqual(requests, [2]);
    });
  });

  describe('over TLS', () => {
    let server: TlsServer;
    let cert: string;
    let seen: { name: string | false; host: string | undefined }[];
    before(async () => {
      const altNames = [
        { type: 2, value: 'hooks.example' },
        { type: 2, value: 'xn--bcher-kva.example' },
        { type: 7, ip: '127.0.0.1' },
      ];
      const extensions = [
        { name: 'subjectAltName', altNames },
        { name: 'basicConstraints', cA: true },
      ] as never;
      const made = await generate([{ name: 'commonName', value: 'hooks.example' }], { extensions });
      cert = made.cert;
      server = createTlsServer({ key: made.private, cert }, (request, answer) => {
        const { servername } = request.socket as TLSSocket & { servername: string | false };
        seen.push({ name: servername, host: request.headers.host?.replace(/:\d+$/, '') });
        answer.writeHead(204).end();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    beforeEach(() => (seen = []));
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    for (const [spelling, name, host] of [
      ['hooks.example', 'hooks.example', 'hooks.example'],
      ['hooks.example.', 'hooks.example', 'hooks.example'],
      ['HOOKS.Example', 'hooks.example', 'hooks.example'],
      ['bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
      ['127.0.0.1', false, '127.0.0.1'],
      ['0x7f.1', false, '127.0.0.1'],
    ] as const) {
      it(`asks for the certificate of ${spelling}`, async () => {
        const { port } = server.address() as AddressInfo;
        const { error } = await open(`https://${spelling}:${port}/`, undefined, cert).post(headers, body);
        assert.deepEqual([error, seen], [null, [{ name, host }]]);
      });
    }
  });
});
