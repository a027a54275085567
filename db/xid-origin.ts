import { hasRow, prepared, type Database } from './knex.ts';

/**
 * Whether the transaction ids in rows (`created_xid`, `operations.snapshot`) are of this cluster. Exports and replays
 * decide by them which rows existed. A dump, logical replication or a copy brings them to clusters where they mean nothing.
 */

/** SQLSTATEs of `db/schema/operations.sql`: the rows' ids, or an operation's snapshot, are of another cluster. */
const foreignStates: ReadonlySet<unknown> = new Set(['XIDS1', 'XIDS2']);

/**
 * The first id that no transaction of this cluster has had, as SQL. A row with this id or a higher one was copied from
 * another cluster.
 */
export const nextXid = `(select pg_snapshot_xmax(pg_current_snapshot()))`;

/** A row exists that no transaction of this cluster can have made. */
export class ForeignRowError extends Error {
  override readonly name = 'ForeignRowError';
}

/** Returns whether the error says that transaction ids are of another cluster. */
export function isForeignSnapshot(error: unknown): boolean {
  return error instanceof ForeignRowError || foreignStates.has((error as { code?: unknown } | null)?.code);
}

/** Returns `false` if exports must wait for {@link adoptRows}. */
export function ownsTransactionIds(db: Database): Promise<boolean> {
  return hasRow(
    db,
    'owns-transaction-ids',
    `select from xid_origin where system_identifier = system_identifier()`,
    [],
  );
}

/** Tables whose rows keep the transaction that made them. */
export const tablesWithXids = ['charges', 'refunds', 'events', 'audit_entries'] as const;

/** Rows that one statement reads at most, so that its locks are short. */
const adoptedAtOnce = 5_000;

/**
 * Makes each existing row visible to all later snapshots, and records this cluster as the origin of transaction ids. Safe
 * to repeat, and to run while the service runs. Meanwhile no export begins, and open ones fail.
 *
 * @returns the number of changed rows.
 */
export async function adoptRows(db: Database): Promise<number> {
  await db.transaction(async (transaction) => {
    await transaction.raw(`delete from xid_origin`);
    await transaction.raw(`update operations set snapshot_of = null where done_at is null`);
  });
  // Lower ids have ended in this cluster: all later snapshots see rows with them.
  const { rows } = await db.raw<{ rows: [{ bound: string }] }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as bound`,
  );
  let adopted = 0;
  for (const table of tablesWithXids) adopted += await adoptTable(db, table, rows[0].bound);
  await db.raw(`insert into xid_origin default values on conflict do nothing`);
  return adopted;
}

async function adoptTable(
  db: Database,
  table: (typeof tablesWithXids)[number],
  bound: string,
): Promise<number> {
  let adopted = 0;
  for (let after: string | null = ''; after !== null;) {
    const [chunk]: { last: string | null; changed: number }[] = await prepared(
      db,
      `adopt-${table}`,
      `with seen as materialized (
         select id, created_xid >= $2::xid8 as is_younger from ${table} where id > $1 order by id limit $3
       ), changed as (
         update ${table} t set created_xid = '0' from seen s where t.id = s.id and s.is_younger returning t.id
       )
       select (select max(id) from seen) as last, (select count(*) from changed) as changed`,
      [after, bound, adoptedAtOnce],
    );
    adopted += chunk?.changed ?? 0;
    after = chunk?.last ?? null;
  }
  return adopted;
}
