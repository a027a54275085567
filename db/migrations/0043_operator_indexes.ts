import type { Knex } from 'knex';

/** Indexes are made beside the work that goes on, which a transaction cannot do. */
export const config = { transaction: false };

/** What operators look for, oldest first: a row leaves its index when there is nothing to look at. */
const indexes: Record<string, string> = {
  charges_unknown: `charges (id) where status in ('pending', 'requires_action', 'requires_capture')
    and (status = 'pending' or capture_claim_id is not null or void_reason is not null)`,
  refunds_unknown: `refunds (id) where status = 'pending' or (status = 'processed' and reversal_claim_id is not null)`,
  operations_open_order: `operations (id) where status in ('queued', 'running', 'cancelling')`,
  webhook_endpoints_failing: `webhook_endpoints (failing_since, id) where failing_since is not null and status = 'enabled'`,
};

/** Each step may be repeated after a failure. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create index concurrently ${name} on ${definition}`);
  }
  await indexDeadLetters(knex);
}

/** An index of a partitioned table cannot be made beside its work as a whole: its parts are made first, then joined. */
async function indexDeadLetters(knex: Knex): Promise<void> {
  const name = 'webhook_deliveries_dead';
  await knex.raw(`
    create index if not exists ${name} on only webhook_deliveries (id) where status = 'dead_letter'`);
  const { rows } = await knex.raw<{ rows: { part: string }[] }>(
    `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'webhook_deliveries'::regclass`,
  );
  for (const { part } of rows) {
    // A part with its share of the index was joined before a failure, or made after the index.
    if (await isIndexed(knex, part, name)) continue;
    await knex.raw(`drop index concurrently if exists ${part}_dead`);
    await knex.raw(`create index concurrently ${part}_dead on ${part} (id) where status = 'dead_letter'`);
    await knex.raw(`alter index ${name} attach partition ${part}_dead`);
  }
}

async function isIndexed(knex: Knex, part: string, name: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: object[] }>(
    `select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
     where i.inhparent = ?::regclass and x.indrelid = ?::regclass`,
    [name, part],
  );
  return rows.length > 0;
}
