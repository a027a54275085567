import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../rig/child.ts';

/**
 * The process of the merchants: takes what is sent to it, and answers by the path. It ends with its parent.
 *
 * - `/fast/…`: 204 at once.
 * - `/timed/…`: 204 at once, and the arrival is recorded.
 * - `/slow/MS/…`: 204 after so long.
 */

/** An order. The receiver answers each with one message, and takes one at a time. */
export type ReceiverOrder =
  /** → {@link ReceiverPorts}. @param certificate of `localhost`; without it nobody can come by TLS. */
  | { order: 'open'; certificate?: { key: string; cert: string } }
  /** Counts from zero again. → {@link Arrived} */
  | { order: 'reset' }
  /** → {@link Arrived}, once so many arrived or nothing has for a while. */
  | { order: 'await'; count: number }
  /** → {@link Arrival}[], which are forgotten. */
  | { order: 'take' }
  /** How many different paths of `/slow` were tried. → {@link Arrived} */
  | { order: 'tried' }
  /** → {@link Arrived}, once `/slow` owes nobody an answer. */
  | { order: 'calm' };

export interface ReceiverPorts {
  http: number;
  https: number;
}

export interface Arrived {
  count: number;
}

export interface Arrival {
  eventId: string;
  path: string;
  /** Milliseconds since 1970, with fractions. */
  at: number;
}

/** Without any arrival for so long, nothing more is to come. */
const silenceMs = 20_000;

let count = 0;
let lastAt = 0;
let awaited: { count: number; resolve: () => void } | null = null;
let arrivals: Arrival[] = [];
const tried = new Set<string>();
/** Answers of `/slow` that are yet to come. */
let owed = 0;
let onCalm: (() => void) | null = null;

function take(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  request.on('end', () => {
    const path = request.url ?? '';
    lastAt = performance.now();
    count += 1;
    if (path.startsWith('/timed/')) recordArrival(request, path);
    if (path.startsWith('/slow/')) answerLate(response, path);
    else response.writeHead(204).end();
    if (awaited && count >= awaited.count) awaited.resolve();
  });
}

function recordArrival(request: IncomingMessage, path: string): void {
  const at = performance.timeOrigin + lastAt;
  arrivals.push({ eventId: String(request.headers['webhook-id']), path, at });
}

function answerLate(response: ServerResponse, path: string): void {
  tried.add(path);
  owed += 1;
  const late = setTimeout(() => response.writeHead(204).end(), Number(path.split('/')[2]));
  response.on('close', () => {
    clearTimeout(late);
    owed -= 1;
    if (owed === 0) onCalm?.();
  });
}

async function listen(server: Server): Promise<number> {
  // A pause of ours must not look like a receiver that closes idle connections.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function waitFor(wanted: number): Promise<void> {
  if (count >= wanted) return;
  lastAt = performance.now();
  await new Promise<void>((resolve) => {
    const silence = setInterval(() => performance.now() - lastAt > silenceMs && resolve(), 1_000);
    awaited = {
      count: wanted,
      resolve: () => {
        clearInterval(silence);
        resolve();
      },
    };
  });
  awaited = null;
}

async function carryOut(order: ReceiverOrder): Promise<ReceiverPorts | Arrived | Arrival[]> {
  switch (order.order) {
    case 'open': {
      const servers = [createServer(take), createTlsServer(order.certificate ?? {}, take)] as const;
      return { http: await listen(servers[0]), https: await listen(servers[1]) };
    }
    case 'reset':
      count = 0;
      tried.clear();
      return { count };
    case 'await':
      await waitFor(order.count);
      return { count };
    case 'take': {
      const taken = arrivals;
      arrivals = [];
      return taken;
    }
    case 'calm':
      await new Promise<void>((resolve) => {
        onCalm = resolve;
        if (owed === 0) resolve();
      });
      return { count };
    case 'tried':
      return { count: tried.size };
  }
}

answerParent(carryOut);
