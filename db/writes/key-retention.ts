import { prepared, type Database } from '../knex.ts';

/**
 * Deletes keys that are no longer kept. A key stays taken while its resource may change (decisions, Idempotency). Retention
 * then sets `kept_until` on its row, and reads it again an hour later. So a run reads few keys beside those it deletes.
 */

/** The result of one statement. */
export interface Expiry {
  deleted: number;
  /** Keys that were read. If it is the limit, there may be more. */
  read: number;
}

/** Conditions for keys whose time is over. Each is a range of an index. */
const over = {
  fresh: `kept_until is null and begun_at is not null
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by created_at`,
  kept: `kept_until < statement_timestamp()
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by kept_until`,
};

/** A scalar subquery: each key costs one index lookup, and no plan reads a whole table. */
const isOpen = (table: string, statuses: string) =>
  `(select true from ${table} o where o.id = read.resource_id and o.status in (${statuses}) limit 1)`;

// The setting lets this one statement delete what has begun (migration 0017).
const buildStatement = (which: keyof typeof over) => `
  with read as materialized (
    select claim_id, resource_id from idempotency_keys
    where (select set_config('payments.retention', 'on', true)) = 'on' and ${over[which]} limit $2 for update skip locked
  ), judged as materialized (
    select claim_id, coalesce(
      ${isOpen('charges', `'pending', 'requires_action', 'requires_capture'`)},
      ${isOpen('refunds', `'pending', 'processed'`)},
      ${isOpen('operations', `'queued', 'running', 'cancelling'`)}, false) as is_open from read
  ), kept as (
    update idempotency_keys k set kept_until = statement_timestamp() + interval '1 hour'
    from judged j where k.claim_id = j.claim_id and j.is_open
  ), deleted as (
    delete from idempotency_keys k using judged j where k.claim_id = j.claim_id and not j.is_open returning 1
  )
  select (select count(*) from read)::int as read, (select count(*) from deleted)::int as deleted`;

/**
 * Deletes keys that were claimed longer than `retentionMs` ago and whose resource can no longer change.
 *
 * @param which `fresh`: keys that were not read before. `kept`: keys whose resource was open then.
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
