import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepared, type Database, type DatabaseLog } from '../knex.ts';

/**
 * Notifies processes that endpoints have new deliveries. A notice is sent after the commit: inside the transaction, it would
 * make all commits wait for each other. A lost notice costs time only.
 */

const channel = 'webhook_deliveries';

/** Postgres accepts 8,000 bytes, and an id has 29. */
const idsPerNotice = 200;

const reconnectMs = 500;

/** Notifies all processes. */
export async function notifyDeliveries(db: Database, endpointIds: readonly string[]): Promise<void> {
  for (let start = 0; start < endpointIds.length; start += idsPerNotice) {
    const payload = endpointIds.slice(start, start + idsPerNotice).join(',');
    await prepared(db, 'notify-deliveries', `select pg_notify('${channel}', $1)`, [payload]);
  }
}

export interface NoticeListener {
  /** Called for each notice. */
  onEndpoints: (endpointIds: string[]) => void;
  /** Called when it begins to listen, also after a lost connection. Earlier notices were missed. */
  onListening: () => void;
  log: DatabaseLog;
}

/** Listens on a connection of its own, and opens a new one when it is lost. Returns a function that ends it. */
export function listenForDeliveries(url: string, listener: NoticeListener): () => Promise<void> {
  let current: pg.Client | null = null;
  const stopping = new AbortController();

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true });
    current = client;
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', ({ payload }) => listener.onEndpoints(payload?.split(',') ?? []));
    await client.connect();
    await client.query(`listen ${channel}`);
    listener.onListening();
    await lost;
  }

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error: unknown) =>
        listener.log.warn(`cannot listen for deliveries, retrying in ${reconnectMs} ms: ${String(error)}`),
      );
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const listening = listen();
  return async () => {
    stopping.abort();
    await current?.end().catch(() => undefined);
    await listening;
  };
}
