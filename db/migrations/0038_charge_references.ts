import type { Knex } from 'knex';

/** The indexes are made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

const indexes: Record<string, string> = {
  charges_account_reference: 'charges (account_id, reference, id) where reference is not null',
  customers_account_email: 'customers (account_id, email, id) where email is not null and deleted_at is null',
};

/**
 * Charges carry the merchant's own reference, and are found by it; customers are found by their email address. The column
 * may be null, so the release before still runs. Each step may be repeated after a failure.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = '2s'`);
    await transaction.raw(`
      alter table charges
        -- the merchant's own name of what is paid, such as the number of an order
        add column if not exists reference text`);
  });
  for (const [name, definition] of Object.entries(indexes)) {
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create index concurrently ${name} on ${definition}`);
  }
}
