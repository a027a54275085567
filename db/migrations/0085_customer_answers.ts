import type { Knex } from 'knex';

/** An index is made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/**
 * The stored answers that show a customer, which are erased with it. Claims of charges and refunds have no entry here, so it
 * costs them nothing. An index that a failed migration left is invalid.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`drop index concurrently if exists idempotency_keys_customer`);
  await knex.raw(`
    create index concurrently idempotency_keys_customer on idempotency_keys (resource_id)
    where resource_id like 'cus\\_%'`);
}
