import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepared, type Database, type DatabaseLog } from '../knex.ts';

/**
 * Tells processes that endpoints have something new to deliver, those that are awake above all. A notice goes out
 * after the commit it tells of: inside, it would make all commits take turns. A lost one costs time only.
 */

const channel = 'webhook_deliveries';

/** Postgres takes 8,000 bytes; an id has 29. */
const idsPerNotice = 200;

const reconnectMs = 500;

export async function notifyDeliveries(db: Database, endpointIds: readonly string[]): Promise<void> {
  for (let start = 0; start < endpointIds.length; start += idsPerNotice) {
    const payload = endpointIds.slice(start, start + idsPerNotice).join(',');
    await prepared(db, 'notify-deliveries', `select pg_notify('${channel}', $1)`, [payload]);
  }
}

export interface NoticeListener {
  /** A notice came. */
  onEndpoints: (endpointIds: string[]) => void;
  /** It listens, again perhaps: what came before was missed. */
  onListening: () => void;
  log: DatabaseLog;
}

/** Listens on a connection of its own, made anew when it is lost. Returns what ends it. */
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
      await listenOnce().catch((error: unknown) => listener.log.warn(`not listening: ${String(error)}`));
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
