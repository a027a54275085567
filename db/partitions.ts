import type { Knex } from 'knex';
import { openDeliveryStatuses } from '../domain/webhook-deliveries.ts';
import { firstIdAt, type IdKind } from '../domain/ids.ts';

/** A table, and whose ids it is partitioned by. */
interface Partitioned {
  table: string;
  kind: IdKind;
  /** The open deliveries that keep a week, of which `$1` and `$2` are the bounds; `null`: it goes with its deliveries. */
  keptBy: string | null;
}

const openStatuses = openDeliveryStatuses.map((status) => `'${status}'`).join(', ');

/** Tables partitioned by the time in their ids, a week a partition; in the order in which a week is dropped. */
const partitioned: Partitioned[] = [
  // An open delivery may be a replay, weeks younger than its event.
  { table: 'events', kind: 'event', keptBy: 'event_id' },
  { table: 'webhook_deliveries', kind: 'webhookDelivery', keptBy: 'id' },
  { table: 'webhook_attempts', kind: 'webhookDelivery', keptBy: null },
];

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** How many weeks ahead of need a partition stands ready; rows beyond go to the default partition. */
const weeksAhead = 4;

/** Waiting for longer than this would hold up all who come to the table behind. The next turn tries again. */
const lockTimeoutMs = 250;

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
  const from = firstIdAt(kind, week * weekMs);
  const to = firstIdAt(kind, (week + 1) * weekMs);
  await db.raw(
    `create table if not exists ${nameOf(table, week)} partition of ${table} for values from ('${from}') to ('${to}')`,
  );
}

const nameOf = (table: string, week: number) =>
  `${table}_${new Date(week * weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;

/**
 * Drops the weeks that were over before `before`, while others read and write: it waits for a table no longer than a
 * moment. A week with a delivery that is still open stays, and so do the events of such deliveries.
 *
 * @returns how many partitions it was.
 */
export async function dropPartitions(db: Knex, before: Date): Promise<number> {
  let dropped = 0;
  for (const of of partitioned) {
    for (const week of await findWeeks(db, of.table)) {
      const isOver = (week + 1) * weekMs <= before.getTime();
      if (isOver && !(await isKept(db, of, week)) && (await drop(db, of.table, week))) dropped += 1;
    }
  }
  return dropped;
}

/** Of the table's partitions, the default one left out. */
async function findWeeks(db: Knex, table: string): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = ?::regclass order by 1`,
    [table],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    return year === undefined ? [] : [Date.UTC(+year, Number(month) - 1, Number(day)) / weekMs];
  });
}

/** Ids of long ago are not made any more, so that what is closed stays closed. */
async function isKept(db: Knex, { kind, keptBy }: Partitioned, week: number): Promise<boolean> {
  if (keptBy === null) return (await findWeeks(db, 'webhook_deliveries')).includes(week);
  const { rows } = await db.raw<{ rows: { kept: boolean }[] }>(
    `select exists (
       select from webhook_deliveries where status in (${openStatuses}) and ${keptBy} >= ? and ${keptBy} < ?) as kept`,
    [firstIdAt(kind, week * weekMs), firstIdAt(kind, (week + 1) * weekMs)],
  );
  return rows[0]?.kept ?? true;
}

/** `false`: somebody uses the table for longer than we may wait. */
async function drop(db: Knex, table: string, week: number): Promise<boolean> {
  try {
    await db.transaction(async (transaction) => {
      await transaction.raw(`set local lock_timeout = ${lockTimeoutMs}`);
      await transaction.raw(`drop table if exists ${nameOf(table, week)}`);
    });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = '55P03';
