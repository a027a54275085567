import { createDatabase, type Database, type DatabaseLog } from '#db/knex.ts';
import type { Config } from './config.ts';

/** The connection pools of an API process. */
export interface ApiDatabases {
  /** For all but lists and the probe of readiness. */
  db: Database;
  /** For lists alone: their statements are bounded in time. */
  lists: Database;
  /** For the probe of readiness alone: one connection. */
  probe: Database;
}

/**
 * Returns how an API process divides its connections, so that payments wait behind no list, and the probe of readiness
 * behind nothing. With fewer than three connections, each part has one all the same.
 */
export function divideConnections(connections: number): { lists: number; others: number } {
  const lists = Math.max(1, Math.floor(connections / 4));
  return { lists, others: Math.max(1, connections - lists - 1) };
}

/** The part of a read's time that one of its statements may take: it may have to wait for its turn before. */
const statementPart = 0.6;

/** Opens the pools of an API process. */
export function openApiDatabases(
  { databaseUrl, databasePool, load }: Pick<Config, 'databaseUrl' | 'databasePool' | 'load'>,
  log?: DatabaseLog,
): ApiDatabases {
  const { lists, others } = divideConnections(databasePool);
  const statementMs = Math.ceil(load.listReadMs * statementPart);
  return {
    db: createDatabase(databaseUrl, others, log),
    lists: createDatabase(databaseUrl, lists, log, { statementMs, waitMs: load.listReadMs }),
    probe: createDatabase(databaseUrl, 1, log),
  };
}
