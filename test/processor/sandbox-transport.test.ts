import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createSandboxProcessor } from '#processor/sandbox/adapter.ts';
import type { ProcessorFaultCode } from '#processor/port.ts';
import { isFault } from '../conformance/case.ts';
import { sentCharge } from '../support/resources/sent-charge.ts';
import { secret } from '../sandbox/service.ts';

type Adapter = ReturnType<typeof createSandboxProcessor>;

/** Does with a connection what a request on it brings about; counts the requests, by their first lines. */
interface Peer {
  server: Server;
  url: string;
  requests: string[];
  sockets: Set<Socket>;
  onRequest: (socket: Socket) => void;
}

async function startPeer(): Promise<Peer> {
  const sockets = new Set<Socket>();
  const peer: Peer = { server: createServer(), url: '', requests: [], sockets, onRequest: () => {} };
  peer.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      // A test's requests are small, so one arrives in a piece, or its body a moment later.
      const line = /^(?:GET|POST) \S+ HTTP/.exec(data.toString())?.[0];
      if (line === undefined) return;
      peer.requests.push(line);
      peer.onRequest(socket);
    });
  });
  peer.server.listen(0, '127.0.0.1');
  await once(peer.server, 'listening');
  peer.url = `http://127.0.0.1:${(peer.server.address() as AddressInfo).port}`;
  return peer;
}

function httpAnswer(status: number, body: string): string {
  return `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const captured = (key: string) =>
  JSON.stringify({ key, id: 'psp_1', status: 'captured', amount_captured: 1000 });
const charge = sentCharge({ key: 'ch_1' });

describe('sandbox adapter', () => {
  let peer: Peer;
  let adapter: Adapter;
  beforeEach(async () => {
    peer = await startPeer();
    adapter = createSandboxProcessor({ url: peer.url, secret, timeoutMs: 1000 });
  });
  afterEach(async () => {
    await adapter.close();
    for (const socket of peer.sockets) socket.destroy();
    peer.server.close();
  });

  const answers: [string, string, ProcessorFaultCode][] = [
    ['a 503', httpAnswer(503, '{}'), 'processor_unavailable'],
    ['a 500', httpAnswer(500, captured('ch_1')), 'processor_invalid_response'],
    ['a 401', httpAnswer(401, '{}'), 'processor_unavailable'],
    ['a redirect', httpAnswer(302, captured('ch_1')), 'processor_invalid_response'],
    ['a 404 of someone else', httpAnswer(404, '{"message":"no route"}'), 'processor_invalid_response'],
    ['an empty body', httpAnswer(200, ''), 'processor_invalid_response'],
    ['a body that is not JSON', httpAnswer(200, '{"key"'), 'processor_invalid_response'],
    [
      'an unknown status',
      httpAnswer(200, '{"key":"ch_1","id":"1","status":"sold"}'),
      'processor_invalid_response',
    ],
    [
      'an amount that is text',
      httpAnswer(200, captured('ch_1').replace('1000', '"1000"')),
      'processor_invalid_response',
    ],
    ['an answer about another key', httpAnswer(200, captured('ch_2')), 'processor_invalid_response'],
    ['an answer without end', httpAnswer(200, 'x'.repeat(70_000)), 'processor_invalid_response'],
    ['what is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 'processor_invalid_response'],
  ];
  for (const [what, bytes, code] of answers) {
    it(`reports ${what} as the fault ${code}`, async () => {
      peer.onRequest = (socket) => socket.write(bytes);
      await assert.rejects(adapter.authorize(charge), isFault(code));
      await assert.rejects(adapter.findCharge(charge), isFault(code));
    });
  }

  const losses: [string, (socket: Socket) => unknown][] = [
    ['no answer', () => {}],
    ['a connection closed before the answer', (socket) => socket.end()],
    ['a connection reset before the answer', (socket) => socket.resetAndDestroy()],
    [
      'a connection closed within the answer',
      (socket) => socket.end(httpAnswer(200, captured('ch_1')).slice(0, -5)),
    ],
  ];
  for (const [what, lose] of losses) {
    it(`calls ${what} processor_timeout, and does not send again`, async () => {
      peer.onRequest = lose;
      await assert.rejects(adapter.authorize(charge), isFault('processor_timeout'));
      await assert.rejects(adapter.findCharge(charge), isFault('processor_timeout'));
      assert.deepEqual(peer.requests, ['POST /charges HTTP', 'GET /charges/ch_1 HTTP']);
    });
  }

  for (const how of ['end', 'resetAndDestroy'] as const) {
    it(`calls a kept connection that breaks (${how}) processor_timeout`, async () => {
      const used = new Set<Socket>();
      peer.onRequest = (socket) => {
        if (used.has(socket)) socket[how]();
        else socket.write(httpAnswer(200, captured('ch_1')));
        used.add(socket);
      };
      // undici may open a second connection for a call that follows at once, before it uses one again.
      const sendUntilReused = async () => {
        for (let call = 0; call < 5; call += 1) await adapter.authorize(charge);
      };
      await assert.rejects(sendUntilReused(), isFault('processor_timeout'));
      assert.equal(peer.requests.length, used.size + 1, 'the broken one was not sent again');
    });
  }

  it('works again once the processor is back', async () => {
    peer.onRequest = (socket) => socket.destroy();
    await assert.rejects(adapter.authorize(charge), isFault('processor_timeout'));
    peer.onRequest = (socket) => socket.write(httpAnswer(200, captured('ch_1')));
    assert.equal((await adapter.authorize(charge)).kind, 'captured');
  });

  it('keeps to its time when the answer trickles', async () => {
    const [head = ''] = httpAnswer(200, captured('ch_1')).split('{');
    peer.onRequest = (socket) => {
      socket.write(head);
      const drip = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => clearInterval(drip));
    };
    const started = Date.now();
    await assert.rejects(adapter.findCharge(charge), isFault('processor_timeout'));
    assert.ok(Date.now() - started < 2000);
  });

  it('gives up when its signal says so', async () => {
    const caller = new AbortController();
    peer.onRequest = () => caller.abort();
    const started = Date.now();
    await assert.rejects(adapter.authorize(charge, { signal: caller.signal }), isFault('processor_timeout'));
    assert.ok(Date.now() - started < 900, 'before its own time was over');
  });

  it('never sends what was given up before', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(adapter.authorize(charge, { signal }), isFault('processor_unavailable'));
    const caller = new AbortController();
    const call = adapter.authorize(charge, { signal: caller.signal });
    caller.abort();
    await assert.rejects(call, isFault('processor_unavailable'));
    peer.onRequest = (socket) => socket.write(httpAnswer(200, captured('ch_2')));
    await adapter.authorize({ ...charge, key: 'ch_2' });
    assert.equal(peer.requests.length, 1);
  });

  it('reuses its connections for later calls', async () => {
    const used = new Set<Socket>();
    peer.onRequest = (socket) => {
      used.add(socket);
      socket.write(httpAnswer(200, captured('ch_1')));
    };
    for (let call = 0; call < 20; call += 1) await adapter.authorize(charge);
    assert.ok(used.size <= 2, `${used.size} connections`);
  });
});
