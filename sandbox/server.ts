import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createFaults, spoil, type Faults } from './faults.ts';
import { JournalUnwritable } from './journal.ts';
import { unavailable, type Reply } from './replies.ts';
import { createRoutes, type Call, type Routes } from './routes.ts';
import type { Sandbox } from './sandbox.ts';
import type { StripeSettings } from './settings.ts';
import { createStripeFront, type StripeFront } from './stripe/front.ts';

const maxBodyBytes = 64 * 1024;
/** "Never answers" must not mean sockets without end. */
const holdMs = 60_000;
const maxHeld = 2000;

interface Service {
  routes: Routes;
  faults: Faults;
  stripe: StripeFront;
  /** The whole value of a right Authorization header. */
  authorization: Buffer;
  /** Responses that are held back, each with the timer that ends it. */
  held: Map<ServerResponse, NodeJS.Timeout>;
}

/** A request that cannot be understood. */
class BadRequest extends Error {
  readonly reply: Reply;
  constructor(status: number, error: string) {
    super(error);
    this.reply = { status, body: { error } };
  }
}

function isAuthorized(service: Service, request: IncomingMessage): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === service.authorization.length && timingSafeEqual(given, service.authorization);
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > maxBodyBytes) reject(new BadRequest(413, 'body_too_large'));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // The caller left in the middle of it.
    request.on('error', () => reject(new BadRequest(400, 'body_incomplete')));
  });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new BadRequest(400, 'invalid_json');
  }
}

function splitTarget(request: IncomingMessage): { path: string; query: string } {
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

async function understand(service: Service, request: IncomingMessage): Promise<Call | null> {
  const { path, query } = splitTarget(request);
  if (request.method === 'POST') return service.routes.post(path, await readJson(request));
  // A body that nobody reads would stay in front of the connection's next request.
  request.resume();
  if (request.method === 'DELETE') return service.routes.delete(path);
  return request.method === 'GET' ? service.routes.get(path, new URLSearchParams(query)) : null;
}

/** Carries the call out, with the fault that a test has staged for it. */
async function carryOut(service: Service, call: Call): Promise<Reply> {
  const fault = call.route && service.faults.take(call.route, call.keys);
  const staged = { isPending: fault?.mode === 'pending', isForgotten: fault?.mode === 'forgotten' };
  if (!fault || staged.isPending || staged.isForgotten) return call.execute(staged);
  if (fault.when === 'after') return spoil(fault, call.execute(staged));
  if (fault.mode !== 'slow') return spoil(fault, unavailable);
  // Late, and whether the caller still waits or not: this is how a send arrives after a void.
  await wait(fault.delay_ms);
  return call.execute(staged);
}

async function answer(service: Service, request: IncomingMessage): Promise<Reply> {
  if (request.method === 'GET' && request.url === '/health') return { status: 200, body: { status: 'ok' } };
  const { path, query } = splitTarget(request);
  if (service.stripe.takes(path)) {
    const body = (await readBody(request)).toString('utf8');
    return service.stripe.answer({
      method: request.method ?? '',
      path,
      query,
      headers: request.headers,
      body,
    });
  }
  if (!isAuthorized(service, request)) return { status: 401, body: { error: 'unauthorized' } };
  const call = await understand(service, request);
  return call ? carryOut(service, call) : { status: 404, body: { error: 'no_such_route' } };
}

function explain(error: unknown): Reply {
  if (error instanceof BadRequest) return error.reply;
  if (error instanceof URIError) return { status: 400, body: { error: 'invalid_path' } };
  if (error instanceof z.ZodError) {
    return { status: 422, body: { error: 'invalid_request', detail: z.prettifyError(error) } };
  }
  console.error(error);
  // The journal comes first, so nothing has happened, which is what a 503 says.
  return error instanceof JournalUnwritable ? unavailable : { status: 500, body: { error: 'internal' } };
}

function write(response: ServerResponse, reply: Reply, text?: string): void {
  const body = text ?? reply.html ?? JSON.stringify(reply.body);
  response.writeHead(text === undefined ? reply.status : 200, {
    'content-type': reply.html === undefined ? 'application/json' : 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...reply.headers,
  });
  response.end(body);
}

/** Keeps the response back until `ms` have passed, the caller leaves, or the service stops. */
function hold(service: Service, response: ServerResponse, ms: number, then: () => void): void {
  if (service.held.size >= maxHeld) {
    response.destroy();
    return;
  }
  const release = () => {
    clearTimeout(service.held.get(response));
    service.held.delete(response);
  };
  response.once('close', release);
  const timer = setTimeout(() => {
    release();
    then();
  }, ms);
  service.held.set(response, timer);
}

function deliver(service: Service, response: ServerResponse, reply: Reply): void {
  const { delivery } = reply;
  switch (delivery?.manner) {
    case undefined:
      return write(response, reply);
    case 'cut':
      response.destroy();
      return;
    case 'unreadable':
      return write(response, reply, JSON.stringify(reply.body).slice(0, -8));
    case 'never':
      return hold(service, response, holdMs, () => response.destroy());
    case 'slow':
      return hold(service, response, delivery.delayMs, () => write(response, reply));
  }
}

/** How long a request under way may take to end when the service stops. */
const stopWithinMs = 1000;

async function stop(server: Server, held: Service['held']): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const [response, timer] of held) {
    clearTimeout(timer);
    response.destroy();
  }
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), stopWithinMs);
  await closed;
  clearTimeout(cut);
}

/**
 * The sandbox over HTTP. Every route but `GET /health` wants `Authorization: Bearer <secret>`. `stop` takes no
 * more requests and ends within a second or so.
 */
export function createProcessorServer(
  sandbox: Sandbox,
  secret: string,
  stripe: Pick<StripeSettings, 'accounts' | 'keysMs'>,
): { server: Server; stop(): Promise<void> } {
  const faults = createFaults();
  const service: Service = {
    routes: createRoutes(sandbox, faults),
    faults,
    stripe: createStripeFront({ store: sandbox.stripe, faults, ...stripe }),
    authorization: Buffer.from(`Bearer ${secret}`),
    held: new Map(),
  };
  // Longer than any client keeps an idle connection, so that it is the client who closes it.
  const limits = { keepAliveTimeout: 65_000, requestTimeout: 30_000, headersTimeout: 10_000 };
  const server = createServer(limits, (request, response) => {
    answer(service, request)
      .catch(explain)
      .then((reply) => deliver(service, response, reply))
      .catch((error: unknown) => console.error(error));
  });
  return { server, stop: () => stop(server, service.held) };
}
