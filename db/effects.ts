import type { NewEvent } from '../domain/events.ts';
import { prepared, type Database } from './knex.ts';
import type { StoredAnswer } from './idempotency-keys.ts';

/**
 * An effect: a resource's move, the answer that tells the caller, and the event that tells the merchant.
 * It is one statement, hence one transaction: all of it happens, or none.
 */
export interface Effect {
  /** The answer to store, if the claim has none yet. */
  answer?: { claimId: string; answer: StoredAnswer } | undefined;
  /** A claim to free, unless it has an answer: the void of its unknown outcome is confirmed. */
  freeClaim?: string | undefined;
  event?: NewEvent | undefined;
}

/** A guarded move as SQL that returns `id` and `account_id` of the row it moved, if it did. */
export interface Move {
  /** Unique to `sql`; Postgres keeps the plan under it. */
  name: string;
  sql: string;
  values: unknown[];
  /** What another row owes to the move, as a common table expression over the rows of `moved`. */
  along?: string;
}

/**
 * Makes the move with its effect. `false`: the row was not in the state that the move leaves, and nothing changed.
 *
 * The account's counter is bumped last, so that its lock is held for no longer than the commit, and the
 * order of commits is the order of sequences.
 */
export async function commitEffect(db: Database, move: Move, effect: Effect): Promise<boolean> {
  const answer = effect.answer?.answer;
  const event = effect.event;
  const rows = await prepared(db, move.name, statement(move), [
    ...move.values,
    effect.answer?.claimId ?? null,
    answer?.status ?? null,
    answer?.headers ?? null,
    answer?.body ?? null,
    effect.freeClaim ?? null,
    event?.id ?? null,
    event?.type ?? null,
    event ? JSON.stringify(event.object) : null,
  ]);
  return rows.length > 0;
}

const statements = new Map<string, string>();

/** The move's SQL with the common tail, whose parameters follow the move's own. */
function statement(move: Move): string {
  const known = statements.get(move.name);
  if (known) return known;
  const p = (n: number) => `$${move.values.length + n}`;
  const sql = `
    with moved as (${move.sql}),
    ${move.along ? `${move.along},` : ''}
    answered as (
      update idempotency_keys k
      set answered_at = clock_timestamp(), answer_status = ${p(2)}::smallint, answer_headers = ${p(3)}::jsonb,
          answer_body = ${p(4)}::bytea, request = null
      from moved where k.claim_id = ${p(1)} and k.answered_at is null and k.begun_at is not null
    ),
    freed as (
      delete from idempotency_keys k using moved where k.claim_id = ${p(5)} and k.answered_at is null
    ),
    bumped as (
      update account_sequences s set sequence = s.sequence + 1
      from moved where s.account_id = moved.account_id and ${p(6)}::text is not null
      returning s.account_id, s.sequence
    ),
    told as (
      insert into events (id, account_id, sequence, type, resource_id, object, created_at)
      select ${p(6)}, bumped.account_id, bumped.sequence, ${p(7)}, moved.id, ${p(8)}::json, clock_timestamp()
      from bumped, moved
    )
    select id from moved`;
  statements.set(move.name, sql);
  return sql;
}
