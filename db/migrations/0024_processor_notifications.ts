import type { Knex } from 'knex';

/** What the processor told of what is open, so that an outage of the workflow service loses none of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table processor_notifications (
      -- the processor's own: one that is told again keeps it
      id text collate "C" primary key check (length(id) between 1 and 255),
      -- ours: the charge or refund that has news
      key text collate "C" not null check (length(key) between 1 and 255),
      received_at timestamptz not null default clock_timestamp(),
      -- when its workflow was told, or there was none to tell
      delivered_at timestamptz
    )`);
  await knex.raw(
    `create index processor_notifications_due on processor_notifications (received_at) where delivered_at is null`,
  );
  await knex.raw(`create index processor_notifications_received on processor_notifications (received_at)`);
}
