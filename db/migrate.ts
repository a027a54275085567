import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { readConfig } from '../config.ts';
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
import { ensurePartitions } from './partitions.ts';

/** In order; a landed one is never edited. Each must be safe while the code before it runs. */
const migrations: Record<string, { up(knex: Knex): Promise<void> }> = {
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
};

const source: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    if (!migration) throw new Error(`There is no migration ${name}`);
    // Forward only: a mistake is mended by the next migration.
    return Promise.resolve({ ...migration, down: () => Promise.reject(new Error('Migrations go forward')) });
  },
};

/** Any number, as long as it is the same in every process that migrates. */
const lockNumber = 7_201_117;

/** Brings the schema up to date. Safe to repeat, and to run in several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
  try {
    await db.transaction(async (lock) => {
      await lock.raw('select pg_advisory_xact_lock(?)', [lockNumber]);
      await db.migrate.latest({ migrationSource: source });
      await ensurePartitions(db, new Date());
    });
  } finally {
    await db.destroy();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await migrate(readConfig(process.env).databaseUrl);
}
