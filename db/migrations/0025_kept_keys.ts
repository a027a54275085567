import type { Knex } from 'knex';

/** Indexes are made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/** Retention reads only what it can delete. Each step may be repeated after a failure. */
export async function up(knex: Knex): Promise<void> {
  // Its resource was open when the key's time was over; null, as nearly always: nobody has looked yet.
  await knex.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = '2s'`);
    await transaction.raw(`alter table idempotency_keys add column if not exists kept_until timestamptz`);
  });
  await index(
    knex,
    'idempotency_keys_retained',
    `idempotency_keys (created_at) where kept_until is null and begun_at is not null`,
  );
  await index(knex, 'idempotency_keys_kept', `idempotency_keys (kept_until) where kept_until is not null`);
  await index(knex, 'operations_results', `operations (done_at) where (result ->> 'key') is not null`);
  // Only retention read it. While the release before still runs, its turns delete no keys, and ours do.
  await knex.raw(`drop index concurrently if exists idempotency_keys_created`);
}

/** One that was broken off is there, and of no use. */
async function index(knex: Knex, name: string, on: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`);
  await knex.raw(`create index concurrently ${name} on ${on}`);
}
