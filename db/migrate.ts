import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { currentTime } from './clock.ts';
import { reportWaits, whenFree } from './lock-waits.ts';
import { ensurePartitions } from './partitions.ts';

interface Migration {
  up(knex: Knex): Promise<void>;
  /** (Default: each is a transaction) */
  config?: { transaction: boolean };
}

const folder = new URL('./migrations/', import.meta.url);

/** The files of `migrations/`, by number. The database records their names without `.ts`. Nobody edits a landed one. */
const source: Knex.MigrationSource<string> = {
  async getMigrations() {
    const files = await readdir(folder);
    return files.map((file) => file.replace(/\.ts$/, '')).toSorted();
  },
  getMigrationName: (name) => name,
  async getMigration(name) {
    const migration = (await import(new URL(`${name}.ts`, folder).href)) as Migration;
    // Migrations only go forward: the next one corrects a mistake.
    return {
      ...withShortWaits(migration),
      down: () => Promise.reject(new Error('Migrations go forward')),
    };
  },
};

/** Limits how long a migration waits for a table, since all others wait behind it. One without a transaction does so itself. */
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

/** An arbitrary number, the same in each process that migrates. */
const lockNumber = 7_201_117;

export interface MigrateOptions {
  /** Called with a line for people. (Default: nothing is logged) */
  log?: (line: string) => void;
  /** How long a migration waits for its tables, in milliseconds. (Default: 15 min) */
  maxWaitMs?: number;
  /** The same for partitions, which the worker makes too. (Default: 1 min) */
  partitionMaxWaitMs?: number;
}

/**
 * Brings the schema up to date. Safe to repeat, and to run in several processes at once. It waits for tables in use for
 * 2 s at most, logs who uses them, and tries again.
 *
 * @throws if a migration did not get its tables in time. Repeat it then.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { log = () => undefined, maxWaitMs = 15 * 60_000, partitionMaxWaitMs = 60_000 } = options;
  const name = `payments-migrate-${process.pid}`;
  const connection = { connectionString: databaseUrl, application_name: name };
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 4 }, log: { warn: () => undefined } });
  try {
    // The session holds the lock without a transaction: making an index waits for all older transactions.
    const session: pg.Client = await db.client.acquireConnection();
    try {
      await takeLock(session, log);
      // This process has the lock, so a mark of another migration was left by a process that was killed.
      await db.migrate.forceFreeMigrationsLock();
      await reportWaits(db, name, log, async () => {
        await whenFree(maxWaitMs, () => db.migrate.latest({ migrationSource: source }));
        const missing = await ensurePartitions(db, currentTime(), partitionMaxWaitMs);
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

/** Polls for the lock: making an index would wait for a statement that waits. */
async function takeLock(session: pg.Client, log: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lockNumber,
    ]);
    if (rows[0]?.taken) return;
    if (tries === 0) log('waiting for another process that migrates');
    await sleep(200);
  }
}
