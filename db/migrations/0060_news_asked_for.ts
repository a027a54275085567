import type { Knex } from 'knex';

/**
 * When the workflow of a notification was last signalled. From now on `delivered_at` says that the processor was asked about
 * its charge or refund after it came. The release before sets it with the signal, which does no harm.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`set local lock_timeout = '2s'`);
  await knex.raw(`alter table processor_notifications add column told_at timestamptz`);
  await knex.raw(
    `create index processor_notifications_open on processor_notifications (key, received_at) where delivered_at is null`,
  );
}
