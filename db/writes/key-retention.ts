import { prepared, type Database } from '../knex.ts';

/**
 * Which keys are over. A key stays taken for as long as its resource may change (decisions, Idempotency): retention notes
 * so on its row, in `kept_until`, and reads it again an hour later. So a run reads the keys it deletes, and few others.
 */

/** What a statement did. */
export interface Expiry {
  deleted: number;
  /** Read; as many as were asked for: there may be more. */
  read: number;
}

/** Where the keys are whose time is over: each is a range of an index. */
const over = {
  fresh: `kept_until is null and begun_at is not null
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by created_at`,
  kept: `kept_until < statement_timestamp()
    and created_at < statement_timestamp() - $1 * interval '1 millisecond' order by kept_until`,
};

/** Scalar, so that each key costs a look at an index, and no plan reads a table whole. */
const isOpen = (table: string, statuses: string) =>
  `(select true from ${table} o where o.id = read.resource_id and o.status in (${statuses}) limit 1)`;

// The setting lets this one statement delete what has begun (migration 0017).
const statementOf = (which: keyof typeof over) => `
  with read as materialized (
    select claim_id, resource_id from idempotency_keys
    where (select set_config('payments.retention', 'on', true)) = 'on' and ${over[which]} limit $2 for update skip locked
  ), judged as materialized (
    select claim_id, coalesce(
      ${isOpen('charges', `'pending', 'requires_capture'`)},
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
 * @param which `fresh`: those that were not read before; `kept`: those whose resource was open then.
 * @param limit keys read at most.
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
    statementOf(which),
    [retentionMs, limit],
  );
  return row ?? { read: 0, deleted: 0 };
}
