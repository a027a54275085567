import { prepared, type Database } from '../knex.ts';

/**
 * Deletes keys that are no longer kept. A key stays taken for as long as its resource may change, and for the time of its
 * retention after its answer and after the end of its resource (`docs/guides/keys-and-retries.md`, "What the service does
 * with a key"): whoever repeats a request learns of an answer that came late. Retention sets `kept_until` on the row of a
 * key that it may not delete yet, and reads it again then. So a run reads few keys beside those it deletes.
 */

/** The result of one statement. */
export interface Expiry {
  deleted: number;
  /** Keys that were read. If it is the limit, there may be more. */
  read: number;
}

/** Conditions for keys whose time may be over. Each is a range of an index. */
const over = {
  fresh: `kept_until is null and begun_at is not null
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by created_at`,
  kept: `kept_until < statement_timestamp()
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by kept_until`,
};

/** The tables of resources that change by themselves: the statuses in which they may, and when they ended. */
const resources = [
  {
    table: 'charges',
    open: `'pending', 'requires_action', 'requires_capture'`,
    endedAt: 'coalesce(o.captured_at, o.cancelled_at, o.updated_at)',
  },
  { table: 'refunds', open: `'pending', 'processed'`, endedAt: 'o.updated_at' },
  { table: 'operations', open: `'queued', 'running', 'cancelling'`, endedAt: 'o.done_at' },
];

/**
 * Returns an expression: the time from which on the claim's retention counts, `infinity` while its resource is open.
 * Scalar subqueries: each key costs one index lookup a table, and no plan reads a whole table.
 *
 * @param claim the alias of a row with `resource_id`, `created_at` and `answered_at`.
 */
export function retainedFrom(claim: string): string {
  const ends = resources.map(
    ({ table, open, endedAt }) => `(
      select case when o.status in (${open}) then 'infinity'::timestamptz else ${endedAt} end
      from ${table} o where o.id = ${claim}.resource_id limit 1)`,
  );
  return `greatest(${claim}.created_at, ${claim}.answered_at, coalesce(${ends.join(', ')}))`;
}

// The setting lets this one statement delete what has begun (`db/schema/claims.sql`).
const buildStatement = (which: keyof typeof over) => `
  with read as materialized (
    select claim_id, resource_id, created_at, answered_at from idempotency_keys
    where (select set_config('payments.retention', 'on', true)) = 'on' and ${over[which]} limit $2 for update skip locked
  ), judged as materialized (
    select claim_id, ${retainedFrom('read')} + $1 * interval '1 millisecond' as until from read
  ), kept as (
    update idempotency_keys k
    set kept_until = case when j.until = 'infinity' then statement_timestamp() + interval '1 hour' else j.until end
    from judged j where k.claim_id = j.claim_id and j.until >= statement_timestamp()
  ), deleted as (
    delete from idempotency_keys k using judged j
    where k.claim_id = j.claim_id and j.until < statement_timestamp() returning 1
  )
  select (select count(*) from read)::int as read, (select count(*) from deleted)::int as deleted`;

/**
 * Deletes keys that were answered, and whose resource ended, longer than `retentionMs` ago.
 *
 * @param which `fresh`: keys that were not read before. `kept`: keys that had to stay then.
 * @param limit keys that are read at most.
 */
export async function deleteExpiredClaims(
  db: Database,
  which: keyof typeof over,
  retentionMs: number,
  limit: number,
): Promise<Expiry> {
  const [row] = await prepared<{ read: number; deleted: number }>(
    db,
    `delete-expired-claims-${which}`,
    buildStatement(which),
    [retentionMs, limit],
  );
  return row ?? { read: 0, deleted: 0 };
}
