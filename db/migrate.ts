import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import * as accounts from './migrations/0001_accounts.ts';
import * as charges from './migrations/0002_charges.ts';
import * as refunds from './migrations/0003_refunds.ts';
import * as customers from './migrations/0004_customers.ts';
import * as timeline from './migrations/0005_timeline.ts';
import * as rateLimits from './migrations/0006_rate_limits.ts';
import * as grants from './migrations/0007_grants.ts';
import * as operations from './migrations/0008_operations.ts';
import * as webhooks from './migrations/0009_webhooks.ts';
import * as encryptedAnswers from './migrations/0010_encrypted_answers.ts';
import * as chargeBatches from './migrations/0011_charge_batches.ts';
import * as exports from './migrations/0012_exports.ts';
import * as webhookTurns from './migrations/0013_webhook_turns.ts';
import * as webhookReplays from './migrations/0014_webhook_replays.ts';
import * as eventTraces from './migrations/0015_event_traces.ts';
import * as resultDrafts from './migrations/0016_result_drafts.ts';
import * as keptClaims from './migrations/0017_kept_claims.ts';
import * as cancelSignals from './migrations/0018_cancel_signals.ts';
import * as upkeep from './migrations/0019_upkeep.ts';
import * as xidOrigin from './migrations/0020_xid_origin.ts';
import * as operationSlots from './migrations/0021_operation_slots.ts';
import * as clientBudgets from './migrations/0022_client_budgets.ts';
import * as sends from './migrations/0023_sends.ts';
import * as processorNotifications from './migrations/0024_processor_notifications.ts';
import * as keptKeys from './migrations/0025_kept_keys.ts';
import * as timelineOrder from './migrations/0026_timeline_order.ts';
import { currentTime } from './clock.ts';
import { tellWaits, whenFree } from './lock-waits.ts';
import { ensurePartitions } from './partitions.ts';

interface Migration {
  up(knex: Knex): Promise<void>;
  /** (Default: each is a transaction) */
  config?: { transaction: boolean };
}

/** In order; a landed one is never edited. Each must be safe while the code before it runs. */
const migrations: Record<string, Migration> = {
  '0001_accounts': accounts,
  '0002_charges': charges,
  '0003_refunds': refunds,
  '0004_customers': customers,
  '0005_timeline': timeline,
  '0006_rate_limits': rateLimits,
  '0007_grants': grants,
  '0008_operations': operations,
  '0009_webhooks': webhooks,
  '0010_encrypted_answers': encryptedAnswers,
  '0011_charge_batches': chargeBatches,
  '0012_exports': exports,
  '0013_webhook_turns': webhookTurns,
  '0014_webhook_replays': webhookReplays,
  '0015_event_traces': eventTraces,
  '0016_result_drafts': resultDrafts,
  '0017_kept_claims': keptClaims,
  '0018_cancel_signals': cancelSignals,
  '0019_upkeep': upkeep,
  '0020_xid_origin': xidOrigin,
  '0021_operation_slots': operationSlots,
  '0022_client_budgets': clientBudgets,
  '0023_sends': sends,
  '0024_processor_notifications': processorNotifications,
  '0025_kept_keys': keptKeys,
  '0026_timeline_order': timelineOrder,
};

const source: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`There is no migration ${name}`);
    // Forward only: a mistake is mended by the next migration.
    return Promise.resolve({
      ...withShortWaits(migration),
      down: () => Promise.reject(new Error('Migrations go forward')),
    });
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
