import { readFileSync } from 'node:fs';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressPlaces } from './address-places.ts';
import { cutStalledReaders } from './answers-under-way.ts';
import type { Lifecycle } from './lifecycle.ts';
import { standardHeaders, strictTransport } from './middleware/security-headers.ts';

/**
 * The server under the application: the limits of a connection, the answer to a request that is not HTTP, and how the
 * server stops.
 */

/** Milliseconds, except the size. They cut off slow and endless requests. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than that of load balancers, so that the load balancer closes the connection. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // The application answers it with a problem document.
  requireHostHeader: false,
} satisfies ServerOptions;

const maxHeadersCount = 100;

/** How long a connection may be silent beyond the longest wait for an outcome, in milliseconds. */
const silenceMs = 60_000;

/** How long a useless connection stays open so that the caller can read its answer, in milliseconds. */
const closeAfterMs = 1_000;

/** How long the rest of a body is read and dropped after its answer, in milliseconds. */
const dropMs = 10_000;

/** The longest time of a TLS handshake, in milliseconds. */
const handshakeTimeout = 10_000;

export interface ServerSettings {
  host: string;
  /** 0: any free port. */
  port: number;
  /** (Default: plain HTTP) */
  tls: { certFile: string; keyFile: string } | null;
  /** The longest time that the application lets a caller wait for its answer, in milliseconds. */
  longestWaitMs: number;
  /** How long a reader may take nothing of its answer, in milliseconds. (Default: 20 s) */
  stalledReaderMs?: number;
  load: {
    maxConnections: number;
    /** `null`: a proxy opens them all. */
    maxConnectionsPerAddress: number | null;
  };
}

/** The application as the server sees it. */
export interface Listener {
  listener: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Answers bytes that are no request: the application never sees them. */
  describeRefusal: (refusal: Refusal) => RefusalAnswer;
}

/** Why bytes are no request. `detail`: what is wrong with them, if more is known. */
export interface Refusal {
  code: 'malformed_request' | 'request_timeout';
  detail: string | undefined;
}

/** The standard headers, `Content-Length` and `Connection` are added to it. */
export interface RefusalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Listens, and then creates the application, since its own URL may depend on the port. */
export async function startHttpServer(
  settings: ServerSettings,
  createListener: (port: number) => Listener,
  lifecycle: Readonly<Lifecycle> = { isStopping: false },
): Promise<{ server: Server; port: number }> {
  const server = settings.tls
    ? createTlsServer({ ...limits, handshakeTimeout, ...readTls(settings.tls) })
    : createServer(limits);
  server.maxHeadersCount = maxHeadersCount;
  limitConnections(server, settings.load);
  cutStalledReaders(server, settings.stalledReaderMs);
  server.setTimeout(settings.longestWaitMs + silenceMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { listener, describeRefusal } = createListener(port);
  // An expectation we do not know may be ignored (RFC 9110 §10.1.1).
  for (const event of ['request', 'checkExpectation', 'checkContinue'] as const) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      // While the process stops, a busy connection ends with its next answer; it would never be idle.
      if (lifecycle.isStopping || !server.listening) res.shouldKeepAlive = false;
      if (event === 'checkContinue') continueOnceRead(req, res);
      res.once('finish', () => endHalfRead(req));
      void listener(req, res);
    });
  }
  server.on('clientError', (error, socket) => refuse(error, socket, describeRefusal));
  // The authority-form of a target is for proxies alone (RFC 9112 §3.2.3).
  server.on('connect', (_req, socket: Duplex) => refuse(new Error('CONNECT'), socket, describeRefusal));
  return { server, port };
}

/**
 * Tells the caller to send its body when the application begins to read it (RFC 9110 §10.1.1). A request that is
 * refused by its head never sends it, and its connection ends with the answer.
 */
function continueOnceRead(req: IncomingMessage, res: ServerResponse): void {
  const { shouldKeepAlive } = res;
  res.shouldKeepAlive = false;
  req.once('resume', () => {
    if (res.headersSent) return;
    res.shouldKeepAlive = shouldKeepAlive;
    res.writeContinue();
  });
}

/** Closes connections of an address that has its maximum. An answer would cost more. */
function limitConnections(server: Server, limits: ServerSettings['load']): void {
  server.maxConnections = limits.maxConnections;
  const perAddress = limits.maxConnectionsPerAddress;
  if (perAddress === null) return;
  const places = new AddressPlaces(perAddress);
  server.on('connection', (socket: Socket) => {
    const leave = places.enter(socket.remoteAddress ?? '');
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
}

/**
 * Closes a connection whose request was answered before it was complete. Many callers send all of a body before they
 * read: a connection that is closed in between resets, and the answer is lost. So the rest is read and dropped, for a
 * bounded time (RFC 9112 §9.6).
 */
function endHalfRead(req: IncomingMessage): void {
  if (req.complete) return;
  const { socket } = req;
  const close = () => void (req.complete || socket.destroy());
  const silent = setTimeout(close, closeAfterMs).unref();
  req.on('data', () => silent.refresh());
  req.resume();
  setTimeout(close, dropMs).unref();
}

function readTls({ certFile, keyFile }: NonNullable<ServerSettings['tls']>): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

function refuse(
  error: Error & { code?: string },
  socket: Duplex,
  describe: Listener['describeRefusal'],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = describe({ code: toCode(error), detail: toDetail(error) });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...standardHeaders, ...headers }).map(([name, value]) => `${name}: ${value}`),
    ...('encrypted' in socket ? [`Strict-Transport-Security: ${strictTransport}`] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), closeAfterMs).unref();
}

function toCode({ code }: { code?: string }): Refusal['code'] {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function toDetail({ code }: { code?: string }): string | undefined {
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The head of a request may have at most ${limits.maxHeaderSize} bytes.`;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return undefined;
  return 'This is not an HTTP request.';
}

/** How long an idle connection may still send a request after the server stops, in milliseconds. */
const lastRequestMs = 200;

/** Stops accepting connections and waits for open requests. After `withinMs` it closes all connections. */
export async function stopHttpServer(server: Server, withinMs: number): Promise<void> {
  // The HTTP server's own close would cut connections whose next request is on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, sleep(lastRequestMs)]);
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), withinMs - lastRequestMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
