import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { currentTime } from './clock.ts';
import { tellWaits, whenFree } from './lock-waits.ts';
import { ensurePartitions } from './partitions.ts';

interface Migration {
  up(knex: Knex): Promise<void>;
  /** (Default: each is a transaction) */
  config?: { transaction: boolean };
}

const folder = new URL('./migrations/', import.meta.url);

/** The files of `migrations/` by their numbers; the tables record their names without `.ts`. A landed one is never edited. */
const source: Knex.MigrationSource<string> = {
  async getMigrations() {
    const files = await readdir(folder);
    return files.map((file) => file.replace(/\.ts$/, '')).toSorted();
  },
  getMigrationName: (name) => name,
  async getMigration(name) {
    const migration = (await import(new URL(`${name}.ts`, folder).href)) as Migration;
    // Forward only: a mistake is mended by the next migration.
    return {
      ...withShortWaits(migration),
      down: () => Promise.reject(new Error('Migrations go forward')),
    };
  },
};

/** While a migration waits for a table, everybody else waits behind it. One that is no transaction sees to that itself. */
function withShortWaits(migration: Migration): Migration {
  if (migration.config?.transaction === false) return migration;
  return {
    ...migration,
    async up(transaction) {
      await transaction.raw(`set local lock_timeout = '2s'`);
      await migration.up(transaction);
    },
  };
}

/** Any number, as long as it is the same in every process that migrates. */
const lockNumber = 7_201_117;

export interface MigrateOptions {
  /** Called with a line for people. (Default: nobody is told) */
  log?: (line: string) => void;
  /** For how long a migration tries to get the tables it changes, in milliseconds. (Default: 15 min) */
  patienceMs?: number;
  /** The same of the partitions, which the worker makes too. (Default: 1 min) */
  partitionPatienceMs?: number;
}

/**
 * Brings the schema up to date. Safe to repeat, and to run in several processes at once. It waits for tables in use, each
 * time for 2 s at most, and says for whom.
 *
 * @throws if a migration did not get its tables in time; then repeat it.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { log = () => undefined, patienceMs = 15 * 60_000, partitionPatienceMs = 60_000 } = options;
  const name = `payments-migrate-${process.pid}`;
  const connection = { connectionString: databaseUrl, application_name: name };
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 4 }, log: { warn: () => undefined } });
  try {
    // Held by the session, and in no transaction: the making of indexes waits for all older ones.
    const session: pg.Client = await db.client.acquireConnection();
    try {
      await takeTurn(session, log);
      // Whoever has the turn is alone: a mark that somebody else migrates was left by a process that was killed.
      await db.migrate.forceFreeMigrationsLock();
      await tellWaits(db, name, log, async () => {
        await whenFree(patienceMs, () => db.migrate.latest({ migrationSource: source }));
        const missing = await ensurePartitions(db, currentTime(), partitionPatienceMs);
        for (const partition of missing) log(`${partition.name} is not made yet: a worker makes it later`);
      });
    } finally {
      await session.query('select pg_advisory_unlock_all()').catch(() => undefined);
      await db.client.releaseConnection(session);
    }
  } finally {
    await db.destroy();
  }
}

/** Asks again and again: the making of indexes would wait for a statement that waits. */
async function takeTurn(session: pg.Client, log: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lockNumber,
    ]);
    if (rows[0]?.taken) return;
    if (tries === 0) log('waiting for another process that migrates');
    await sleep(200);
  }
}
