import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/**
 * Serves the metrics of a process on a port of its own, so that callers of the API cannot read them, and
 * scraping needs no credentials. What stands there names no account; who may connect is the network's business.
 * `GET /livez` answers while the event loop runs: the worker has no other port that a supervisor could ask.
 */
export interface MetricsListener {
  port: number;
  close(): Promise<void>;
}

export interface MetricsSettings {
  host: string;
  port: number;
}

/** Scrapers are few: more connections are not from scrapers. */
const maxConnections = 16;
const limits = {
  maxHeaderSize: 4_096,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 65_000,
};

/** @param more texts of other exporters of this process, in the same format. */
export async function listenForScrapes(
  settings: MetricsSettings,
  registry: Registry,
  more: () => Promise<string> = () => Promise.resolve(''),
): Promise<MetricsListener> {
  const collect = shared(async () => (await Promise.all([registry.metrics(), more()])).join('\n'));
  const server = createServer(limits, (req, res) => void answer(req, res, registry.contentType, collect));
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { method, url }: IncomingMessage,
  res: ServerResponse,
  contentType: string,
  collect: () => Promise<string>,
): Promise<void> {
  if (method === 'GET' && url === '/livez') {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"alive"}');
    return;
  }
  if (method !== 'GET' || url !== '/metrics') {
    res.writeHead(404, { 'Content-Type': 'text/plain' }).end('GET /metrics or /livez\n');
    return;
  }
  try {
    const text = await collect();
    res.writeHead(200, { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff' }).end(text);
  } catch {
    res.writeHead(500, { 'Content-Type': 'text/plain' }).end('The metrics could not be collected\n');
  }
}

/** Requests during an answer share it: scrapes cannot pile up. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => (running = null));
    return running;
  };
}
