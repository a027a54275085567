import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A delivery as it came in. */
export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a receiver answers; (default: 204 at once). */
export type Answer = (received: Received, response: ServerResponse) => void;

/** A merchant's endpoint, owned by the test: takes what is sent to it and answers as the test has it. */
export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** What came to this path. */
  at(path: string): Received[];
  /** For all paths, or for one. */
  answer(with_: Answer, path?: string): void;
  /** Connections that are open now. */
  readonly connections: number;
  /** Connections that were open once. */
  readonly ended: number;
  close(): Promise<void>;
}

export const accept: Answer = (_received, response) => void response.writeHead(204).end();

export const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_received, response) =>
    void response.writeHead(status, headers).end('no');

/** Takes the delivery, and never says so. */
export const keepSilent: Answer = () => undefined;

/** @param certificate of `localhost`; with one it speaks TLS. */
export async function startReceiver(certificate?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  let open = 0;
  let ended = 0;
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const delivery = await read(request);
    received.push(delivery);
    (answers.get(delivery.path) ?? answers.get('*') ?? accept)(delivery, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void onRequest(request, response).catch(() => response.destroy());
  const server: Server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
      ended += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    port,
    received,
    at: (path) => received.filter((delivery) => delivery.path === path),
    answer: (with_, path = '*') => void answers.set(path, with_),
    get connections() {
      return open;
    },
    get ended() {
      return ended;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    at: Date.now(),
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
}
