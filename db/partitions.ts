import type { Knex } from 'knex';
import { firstIdAt, type IdKind } from '../domain/ids.ts';

/** Tables partitioned by the time in their ids, a week a partition. */
const partitioned: { table: string; kind: IdKind }[] = [
  { table: 'events', kind: 'event' },
  { table: 'webhook_deliveries', kind: 'webhookDelivery' },
  { table: 'webhook_attempts', kind: 'webhookDelivery' },
];

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** How many weeks ahead of need a partition stands ready; rows beyond go to the default partition. */
const weeksAhead = 4;

/** Makes the partitions of this week and the next ones. Safe to repeat and to run while others write. */
export async function ensurePartitions(db: Knex, now: Date): Promise<void> {
  const thisWeek = Math.floor(now.getTime() / weekMs);
  for (const { table, kind } of partitioned) {
    for (let week = thisWeek; week <= thisWeek + weeksAhead; week += 1) {
      await createPartition(db, table, kind, week);
    }
  }
}

async function createPartition(db: Knex, table: string, kind: IdKind, week: number): Promise<void> {
  const start = new Date(week * weekMs).toISOString().slice(0, 10).replaceAll('-', '');
  const from = firstIdAt(kind, week * weekMs);
  const to = firstIdAt(kind, (week + 1) * weekMs);
  await db.raw(
    `create table if not exists ${table}_${start} partition of ${table} for values from ('${from}') to ('${to}')`,
  );
}
