import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { currentTime } from './clock.ts';
import { reportWaits, whenFree } from './lock-waits.ts';
import { ensurePartitions } from './partitions.ts';

export interface Migration {
  up(knex: Knex): Promise<void>;
  /** (Default: each is a transaction) */
  config?: { transaction: boolean };
}

const folder = new URL('./migrations/', import.meta.url);

/**
 * Returns the names of the files of `migrations/`, without `.ts`, and of the `later` ones, by number. The database records
 * them. Nobody edits a file that a release has.
 */
async function findNames(later: Readonly<Record<string, Migration>>): Promise<string[]> {
  const files = await readdir(folder);
  return [...files.map((file) => file.replace(/\.ts$/, '')), ...Object.keys(later)].toSorted();
}

function createSource(later: Readonly<Record<string, Migration>>): Knex.MigrationSource<string> {
  return {
    getMigrations: () => findNames(later),
    getMigrationName: (name) => name,
    async getMigration(name) {
      const migration = later[name] ?? ((await import(new URL(`${name}.ts`, folder).href)) as Migration);
      // Migrations only go forward: the next one corrects a mistake.
      return {
        ...withShortWaits(migration),
        down: () => Promise.reject(new Error('Migrations go forward')),
      };
    },
  };
}

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
  /** Migrations by name that follow the files, as a test has them. (Default: none) */
  later?: Readonly<Record<string, Migration>>;
}

/**
 * Brings the schema up to date. Safe to repeat, and to run in several processes at once. It waits for tables in use for
 * 2 s at most, logs who uses them, and tries again.
 *
 * @throws if a migration did not get its tables in time: repeat it then. Throws too if the database has migrations that this
 * release does not have.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { log = () => undefined, maxWaitMs = 15 * 60_000, partitionMaxWaitMs = 60_000, later = {} } = options;
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
      await requireKnown(db, await findNames(later));
      await reportWaits(db, name, log, async () => {
        await whenFree(maxWaitMs, () => db.migrate.latest({ migrationSource: createSource(later) }));
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

/** Throws if the database has a migration that is not among these. */
async function requireKnown(db: Knex, names: readonly string[]): Promise<void> {
  if (!(await db.schema.hasTable('knex_migrations'))) return;
  const recorded: string[] = await db('knex_migrations').orderBy('id').pluck('name');
  const unknown = recorded.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `The database has the migration ${unknown}, which this release does not know. Either a later release made the database, ` +
      'or one before 1.0.0: those are made anew (CHANGELOG.md).',
  );
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
