import type { Knex } from 'knex';
import { openDeliveryStatuses } from '#domain/webhook-deliveries.ts';
import { firstIdAt, type IdKind } from '#domain/ids.ts';
import { isLockTimeout, whenFree } from './lock-waits.ts';

/** A table, and whose ids it is partitioned by. */
interface Partitioned {
  table: 'events' | 'webhook_deliveries' | 'webhook_attempts';
  kind: IdKind;
  /** The column that the weeks are told by. */
  key: 'id' | 'delivery_id';
  /** The open deliveries that keep a week, of which `$1` and `$2` are the bounds; `null`: it goes with its deliveries. */
  keptBy: string | null;
}

const openStatuses = openDeliveryStatuses.map((status) => `'${status}'`).join(', ');

/** Tables partitioned by the time in their ids, a week a partition; in the order in which a week is dropped. */
const partitioned: Partitioned[] = [
  // An open delivery may be a replay, weeks younger than its event.
  { table: 'events', kind: 'event', key: 'id', keptBy: 'event_id' },
  { table: 'webhook_deliveries', kind: 'webhookDelivery', key: 'id', keptBy: 'id' },
  { table: 'webhook_attempts', kind: 'webhookDelivery', key: 'delivery_id', keptBy: null },
];

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** How many weeks ahead of need a partition stands ready; rows beyond go to the default partition. */
const weeksAhead = 4;

/** Waiting for longer than this would hold up all who come to the table behind. The next turn tries again. */
const lockTimeoutMs = 250;

/** A partition that could not be made yet; rows go to the default partition meanwhile. */
export interface MissingPartition {
  name: string;
  startsAt: Date;
}

/** Rows of a week that are moved out of the default partition; others wait meanwhile, some tenths of a second. */
const movedAtMost = 20_000;

/**
 * Makes the partitions of this week and the next ones. Safe to repeat and to run while others write: it waits for a
 * table no longer than a moment, and tries again.
 *
 * @param patienceMs for how long it tries, in all.
 * @returns those that somebody's use of the tables did not allow.
 */
export async function ensurePartitions(db: Knex, now: Date, patienceMs = 0): Promise<MissingPartition[]> {
  const until = performance.now() + patienceMs;
  const thisWeek = Math.floor(now.getTime() / weekMs);
  const missing: MissingPartition[] = [];
  for (const of of partitioned) {
    const there = new Set(await findWeeks(db, of.table));
    for (let week = thisWeek; week <= thisWeek + weeksAhead; week += 1) {
      if (there.has(week)) continue;
      const isMade = await tryWithin(until - performance.now(), () => createPartition(db, of, week));
      if (!isMade) missing.push({ name: nameOf(of.table, week), startsAt: new Date(week * weekMs) });
    }
  }
  return missing;
}

/**
 * Makes the partition beside its table, moves what the default partition has of its week, and attaches it, in one
 * transaction. Only the default partition is locked against others, and the parent against other changes of its kind.
 * A week of which the default partition has too many rows stays there.
 */
function createPartition(db: Knex, { table, kind, key }: Partitioned, week: number): Promise<void> {
  const name = nameOf(table, week);
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

/** `false`: somebody used the tables all the time. */
async function tryWithin(patienceMs: number, work: () => Promise<void>): Promise<boolean> {
  try {
    await whenFree(patienceMs, work);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
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
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/**
 * Deletes rows of weeks that were over before `before` from the default partitions, to which they went because their
 * partition was not there in time: at most `limit` of each table.
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
