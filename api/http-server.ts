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
import type { Config } from '#startup/config.ts';
import { presentProblem, type ProblemCode } from '#domain/problems.ts';
import { currentVersion } from '#domain/versions/versions.ts';
import type { Lifecycle } from './http/deps.ts';
import { toAddressBlock } from './limits/address-budgets.ts';
import { problemType } from './http/media-types.ts';
import { standardHeaders, strictTransport } from './middleware/security-headers.ts';
import { newTraceId } from './middleware/trace.ts';

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
const lingerMs = 1_000;

/** The longest time of a TLS handshake, in milliseconds. */
const handshakeTimeout = 10_000;

type ServerSettings = Pick<Config, 'tls' | 'host' | 'port' | 'syncWindowMs'> & {
  load: Pick<Config['load'], 'maxConnections' | 'maxConnectionsPerAddress'>;
};

/** The application as the server sees it, and how the outside reaches it. */
export interface Listener {
  listener: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  publicUrl: string;
}

/** Listens, and then creates the application, since its public URL may depend on the port. */
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
  server.setTimeout(settings.syncWindowMs + silenceMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { listener, publicUrl } = createListener(port);
  // An expectation we do not know may be ignored (RFC 9110 §10.1.1).
  for (const event of ['request', 'checkExpectation'] as const) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      // While the process stops, a busy connection ends with its next answer; it would never be idle.
      if (lifecycle.isStopping || !server.listening) res.shouldKeepAlive = false;
      res.once('finish', () => endHalfRead(req));
      void listener(req, res);
    });
  }
  server.on('clientError', (error, socket) => refuse(error, socket, publicUrl));
  return { server, port };
}

/** Closes connections of an address that has its maximum. An answer would cost more. */
function limitConnections(server: Server, limits: ServerSettings['load']): void {
  server.maxConnections = limits.maxConnections;
  const perAddress = limits.maxConnectionsPerAddress;
  if (perAddress === null) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = toAddressBlock(socket.remoteAddress ?? '');
    const count = open.get(address) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** Closes a connection whose request was answered before it was complete: the caller may never send the rest. */
function endHalfRead(req: IncomingMessage): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, lingerMs);
  timer.unref();
}

function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

/** Answers bytes that are not an HTTP request with a problem document. */
function refuse(error: Error & { code?: string }, socket: Duplex, publicUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const traceId = newTraceId();
  const problem = presentProblem(
    toProblemCode(error),
    { publicUrl, instance: '/', traceId },
    toDetail(error),
  );
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Trace-Id: ${traceId}`,
    `API-Version: ${currentVersion}`,
    ...Object.entries(standardHeaders).map(([name, value]) => `${name}: ${value}`),
    ...('encrypted' in socket ? [`Strict-Transport-Security: ${strictTransport}`] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function toProblemCode({ code }: { code?: string }): ProblemCode {
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
