import type { Knex } from 'knex';
import { openDeliveryStatuses } from '#domain/webhook-deliveries.ts';
import { firstIdAt, type IdKind } from '#domain/ids.ts';
import { isLockTimeout, whenFree } from './lock-waits.ts';

/** A table, and the kind of id that partitions it. */
interface Partitioned {
  table: 'events' | 'webhook_deliveries' | 'webhook_attempts';
  kind: IdKind;
  /** The column of that id. */
  key: 'id' | 'delivery_id';
  /** The column of open deliveries that keeps a week. `null`: a week is dropped with its deliveries. */
  keptBy: string | null;
}

const openStatuses = openDeliveryStatuses.map((status) => `'${status}'`).join(', ');

/** Tables with a partition for each week, by the time in their ids. In the order in which a week is dropped. */
const partitioned: Partitioned[] = [
  // An open delivery may be a replay, made weeks after its event.
  { table: 'events', kind: 'event', key: 'id', keptBy: 'event_id' },
  { table: 'webhook_deliveries', kind: 'webhookDelivery', key: 'id', keptBy: 'id' },
  { table: 'webhook_attempts', kind: 'webhookDelivery', key: 'delivery_id', keptBy: null },
];

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** How many weeks ahead partitions are made. Later rows go to the default partition. */
const weeksAhead = 4;

/** A longer wait would delay all other users of the table. The next run tries again. */
const lockTimeoutMs = 250;

/** A partition that could not be made yet. Its rows go to the default partition meanwhile. */
export interface MissingPartition {
  name: string;
  startsAt: Date;
}

/** Rows of a week that are moved out of the default partition at most. Others wait meanwhile, some tenths of a second. */
const movedAtMost = 20_000;

/**
 * Makes the partitions of this week and the next ones. Safe to repeat, and to run while others write: it waits only a
 * short time for a table, and tries again.
 *
 * @param maxWaitMs how long it tries in all.
 * @returns the partitions that could not be made, because the tables were in use.
 */
export async function ensurePartitions(db: Knex, now: Date, maxWaitMs = 0): Promise<MissingPartition[]> {
  const until = performance.now() + maxWaitMs;
  const thisWeek = Math.floor(now.getTime() / weekMs);
  const missing: MissingPartition[] = [];
  for (const partition of partitioned) {
    const { table } = partition;
    const there = new Set(await findWeeks(db, table));
    for (let week = thisWeek; week <= thisWeek + weeksAhead; week += 1) {
      if (there.has(week)) continue;
      const isMade = await tryWithin(until - performance.now(), () => createPartition(db, partition, week));
      if (!isMade) missing.push({ name: toPartitionName(table, week), startsAt: new Date(week * weekMs) });
    }
  }
  return missing;
}

/**
 * Makes a table, moves the week's rows of the default partition into it, and attaches it, in one transaction. Only the
 * default partition is locked against reads and writes. A week with too many rows in the default partition stays there.
 */
function createPartition(db: Knex, { table, kind, key }: Partitioned, week: number): Promise<void> {
  const name = toPartitionName(table, week);
  const range = [firstIdAt(kind, week * weekMs), firstIdAt(kind, (week + 1) * weekMs)];
  return db.transaction(async (transaction) => {
    await transaction.raw(`set local lock_timeout = ${lockTimeoutMs}`);
    await transaction.raw(`lock table only ${table} in share update exclusive mode`);
    if ((await findWeeks(transaction, table)).includes(week)) return;
    await transaction.raw(`lock table ${table}_default in access exclusive mode`);
    const { rows } = await transaction.raw<{ rows: object[] }>(
      `select from ${table}_default where ${key} >= ? and ${key} < ? limit ${movedAtMost + 1}`,
      range,
    );
    if (rows.length > movedAtMost) return;
    await transaction.raw(`create table ${name} (like ${table} including all)`);
    if (rows.length > 0) {
      await transaction.raw(
        `with moved as (delete from ${table}_default where ${key} >= ? and ${key} < ? returning *)
         insert into ${name} select * from moved`,
        range,
      );
    }
    await transaction.raw(
      `alter table ${table} attach partition ${name} for values from ('${range[0]}') to ('${range[1]}')`,
    );
  });
}

/** Returns `false` if the tables were in use all the time. */
async function tryWithin(maxWaitMs: number, work: () => Promise<void>): Promise<boolean> {
  try {
    await whenFree(maxWaitMs, work);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

const toPartitionName = (table: string, week: number) =>
  `${table}_${new Date(week * weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;

/**
 * Drops the weeks that ended before `before`, while others read and write. A week with an open delivery stays, and so do
 * the events of such deliveries. A table that is in use stays too.
 *
 * @returns the number of dropped partitions.
 */
export async function dropPartitions(db: Knex, before: Date): Promise<number> {
  let dropped = 0;
  for (const partition of partitioned) {
    const { table } = partition;
    for (const week of await findWeeks(db, table)) {
      const isOver = (week + 1) * weekMs <= before.getTime();
      if (isOver && !(await isKept(db, partition, week)) && (await drop(db, table, week))) dropped += 1;
    }
  }
  return dropped;
}

/** Returns the weeks that the table has partitions for. */
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

/** Returns whether open deliveries need the week. Nothing new gets an old id, so a week that is not needed stays so. */
async function isKept(db: Knex, { kind, keptBy }: Partitioned, week: number): Promise<boolean> {
  if (keptBy === null) return (await findWeeks(db, 'webhook_deliveries')).includes(week);
  const { rows } = await db.raw<{ rows: { kept: boolean }[] }>(
    `select exists (
       select from webhook_deliveries where status in (${openStatuses}) and ${keptBy} >= ? and ${keptBy} < ?) as kept`,
    [firstIdAt(kind, week * weekMs), firstIdAt(kind, (week + 1) * weekMs)],
  );
  return rows[0]?.kept ?? true;
}

/** Drops one partition. Returns `false` if the table is in use. */
async function drop(db: Knex, table: string, week: number): Promise<boolean> {
  try {
    await db.transaction(async (transaction) => {
      await transaction.raw(`set local lock_timeout = ${lockTimeoutMs}`);
      await transaction.raw(`drop table if exists ${toPartitionName(table, week)}`);
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/**
 * Deletes rows of weeks that ended before `before` from the default partitions, at most `limit` of each table. They are
 * there because their partition was not made in time.
 */
export async function deleteFromDefaults(
  db: Knex,
  before: Date,
  limit: number,
): Promise<{ done: number; hasMore: boolean }> {
  const isOpen = `status in (${openStatuses})`;
  const isOver = {
    events: `id not in (select event_id from webhook_deliveries where ${isOpen})`,
    webhook_deliveries: `not (${isOpen})`,
    webhook_attempts: `delivery_id not in (select id from webhook_deliveries where ${isOpen})`,
  };
  const week = Math.floor(before.getTime() / weekMs);
  const deleted: number[] = [];
  for (const { table, kind, key } of partitioned) {
    const result = await db.raw<{ rowCount: number }>(
      `delete from ${table}_default where ctid in (
         select ctid from ${table}_default where ${key} < ? and ${isOver[table]} limit ?)`,
      [firstIdAt(kind, week * weekMs), limit],
    );
    deleted.push(result.rowCount);
  }
  return { done: deleted.reduce((sum, count) => sum + count, 0), hasMore: deleted.includes(limit) };
}
