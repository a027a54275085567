import type { NewEvent } from '#domain/events.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { prepared, type Database } from '../knex.ts';
import { auditValues, insertAudit, type ChangeAudit } from './authors.ts';
import { publishDeliveries } from './committed-deliveries.ts';
import { currentTrace } from './event-traces.ts';
import { authorValues, type NewClaim, type StoredAnswer } from './idempotency-keys.ts';
import { insertTimeline, timelineJson } from './timeline.ts';

/**
 * An effect: the move of a resource, the answer for the caller, and the event for the merchant. Each endpoint of the account
 * that subscribed to its type gets a delivery. It is one statement, hence one transaction: all of it happens, or nothing.
 */
export interface Effect {
  /** The answer to store, if the claim has none yet. */
  answer?: { claimId: string; answer: StoredAnswer } | undefined;
  event?: NewEvent | undefined;
  /**
   * The only endpoint that gets the event, whatever it subscribed to. It is woken even if it is parked. Without an event,
   * it is woken for a delivery that the move made. (Default: the endpoints that subscribed to the type)
   */
  onlyTo?: { endpointId: string; deliveryId: string } | undefined;
  /** The entries of the step, in order. Only for a move that names its charge. */
  timeline?: readonly NewTimelineEntry[] | undefined;
  /** The entry of the audit, for a change without a claim. (Default: none; an answer of a claim has its own) */
  audit?: ChangeAudit | undefined;
}

/** A guarded change of one row, as SQL that returns `id` and `account_id` of the row if it changed. */
export interface Move {
  /** Unique to `sql`; Postgres keeps the plan under it. */
  name: string;
  sql: string;
  values: unknown[];
  /** A common table expression that `sql` reads: a guard that is another row. */
  first?: string;
  /** Changes of other rows, over the rows of `moved`, by name. Each returns something, so that what follows waits for it. */
  along?: Readonly<Record<string, string>>;
  /** The column of `moved` with the id of the charge whose timeline records the move. */
  charge?: 'id' | 'charge_id';
}

/**
 * Commits the move with its effect. Returns `false` if the row was not in the state that the move starts from. Then
 * nothing changed.
 *
 * Rows are locked in one order ({@link after}), the account's counter last, so that its lock lasts no longer than the
 * commit. So events have their sequences in the order of commits.
 */
export async function commitEffect(db: Database, move: Move, effect: Effect): Promise<boolean> {
  const { timeline = [], audit } = effect;
  const answer = effect.answer?.answer;
  const recorded = timeline.length > 0 && move.charge;
  const name = `${move.name}${recorded ? '-recorded' : ''}${audit ? '-audited' : ''}`;
  const plain = recorded ? recordedTail(recorded) : tail;
  const rows = await prepared<CommittedRow>(
    db,
    name,
    statement(name, move, audit ? auditedTail(plain, recorded ? 13 : 12) : plain),
    [
      ...move.values,
      ...eventValues(db, effect),
      effect.answer?.claimId ?? null,
      answer?.status ?? null,
      answer?.headers ?? null,
      answer?.body ?? null,
      answer?.isEncrypted ?? false,
      ...(recorded ? [timelineJson(timeline)] : []),
      ...(audit ? auditValues(audit) : []),
    ],
  );
  return isCommitted(db, rows);
}

/**
 * Commits the move of a direct write together with a claim on its key, which has its answer from the start.
 *
 * - `stale`: the row was not in the state that the move starts from.
 * - `key_taken`: another claim has the key, and is committed.
 *
 * In both cases nothing changed.
 */
export async function commitClaimed(
  db: Database,
  move: Move,
  effect: { claim: NewClaim; answer: StoredAnswer } & Pick<Effect, 'event' | 'onlyTo'>,
): Promise<'done' | 'stale' | 'key_taken'> {
  const { claim, answer } = effect;
  const name = `${move.name}-claimed`;
  try {
    const rows = await prepared<CommittedRow>(db, name, statement(name, move, claimedTail), [
      ...move.values,
      ...eventValues(db, effect),
      claim.accountId,
      claim.endpoint,
      claim.key,
      claim.claimId,
      claim.fingerprint,
      claim.resourceId,
      claim.apiVersion,
      claim.path,
      claim.traceId,
      answer.status,
      answer.headers,
      answer.body,
      answer.isEncrypted ?? false,
      ...authorValues(claim),
    ]);
    return isCommitted(db, rows) ? 'done' : 'stale';
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'idempotency_keys_pkey') return 'key_taken';
    throw error;
  }
}

/** Returns the placeholder of the n-th parameter after those of the move. */
type Placeholder = (n: number) => string;

/** Returns what follows `moved` and the changes along with it, which have these names. */
type Tail = (p: Placeholder, along: readonly string[]) => string;

/** Returns the first parameters of each tail. */
function eventValues(db: Database, { event, onlyTo }: Pick<Effect, 'event' | 'onlyTo'>): unknown[] {
  return [
    event?.id ?? null,
    event?.type ?? null,
    event ? JSON.stringify(event.object) : null,
    onlyTo?.endpointId ?? null,
    onlyTo?.deliveryId ?? null,
    event ? currentTrace(db) : null,
  ];
}

/** The result of a statement that moved its row. */
interface CommittedRow {
  woken: string[] | null;
  subscribed: string[] | null;
}

function isCommitted(db: Database, [row]: CommittedRow[]): boolean {
  if (!row) return false;
  if (row.subscribed) publishDeliveries(db, { endpoints: row.subscribed, woken: row.woken ?? [] });
  return true;
}

/** Returns a condition in SQL: the endpoint `e` subscribed to this type. */
export const subscribesTo = (type: string) =>
  `e.events && array['*', split_part(${type}, '.', 1) || '.*', ${type}]`;

/**
 * Returns tables for a `from` clause, each of one row, that are complete only once all rows of these expressions are written
 * and locked. Postgres may run the expressions of a statement in any order, but not before what they read.
 *
 * Every effect locks in this order: the row of the move, the rows changed along with it, sleeping endpoints by id, the
 * claim, the account's counter. So two effects cannot wait for each other, and none waits while it has the counter.
 */
export const after = (names: readonly string[]) =>
  names.map((name) => `, (select count(*) from ${name}) as after_${name}`).join('');

/**
 * Returns the common table expressions that mark endpoints of `subscribed s` as awake: `woken` has their ids. Of two effects
 * that wake the same endpoint, the second waits for its row, and then finds it awake.
 *
 * @param isMarked a condition on `subscribed s`.
 * @param isStillMarked a condition on the endpoint `e` as it is once it is locked.
 * @param before the expressions whose rows are locked before.
 */
export const wakeEndpoints = (isMarked: string, isStillMarked: string, before: readonly string[]) => `
  sleeping as materialized (
    select e.id from webhook_endpoints e
    -- an array, so that ids are looked up; joined, the plan might choose the order of the locks
    where e.id = any (array(select s.id from subscribed s${after(before)} where ${isMarked})) and ${isStillMarked}
    order by e.id for no key update
  ),
  woken as (
    update webhook_endpoints e set awake = true where e.id = any (array(select id from sleeping)) returning e.id
  )`;

/**
 * Returns the common table expressions that find the endpoints of the event, and wake them.
 *
 * @param along the names of the changes along with the move.
 */
const findEndpoints = (p: Placeholder, along: readonly string[]) => `
  subscribed as materialized (
    select e.id, e.awake, e.parked_until from webhook_endpoints e
    -- a subselect, so that the index is used whatever the planner takes for the size of a new table
    where e.account_id = (select account_id from moved) and e.deleted_at is null and e.status = 'enabled'
      and coalesce(${p(1)}, ${p(4)}::text) is not null
      and case when ${p(4)}::text is not null then e.id = ${p(4)}
          -- an endpoint gets no event of its own disabling
          else e.id <> (select id from moved)
            and ${subscribesTo(p(2))} end
    order by e.id
  ),
  ${wakeEndpoints(`(${p(4)}::text is not null or not s.awake and s.parked_until is null)`, `(${p(4)}::text is not null or not e.awake)`, along)}`;

/**
 * Returns the common table expressions that increase the counter, and write the event with its deliveries.
 *
 * @param cause the expression that must have a row for the event to be written.
 * @param before the expressions whose rows are locked before the counter.
 */
const writeEvent = (p: Placeholder, cause: string, before: readonly string[]) => `
  bumped as (
    update account_sequences s set sequence = s.sequence + 1
    from ${cause}${after(before)} where s.account_id = ${cause}.account_id and ${p(1)}::text is not null
    returning s.account_id, s.sequence
  ),
  delivered as (
    insert into webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at)
    select coalesce(${p(5)}, new_webhook_delivery_id(${p(1)})), bumped.account_id, subscribed.id, ${p(1)}, bumped.sequence, ${p(2)},
      clock_timestamp()
    from bumped, subscribed
  ),
  written as (
    insert into events (id, account_id, sequence, type, resource_id, object, created_at, traceparent)
    select ${p(1)}, bumped.account_id, bumped.sequence, ${p(2)}, moved.id, ${p(3)}::json, clock_timestamp(), ${p(6)}
    from bumped, moved
  )`;

const tail: Tail = (p, along) => `
  ${findEndpoints(p, along)},
  answered as (
    update idempotency_keys k
    set answered_at = clock_timestamp(), answer_status = ${p(8)}::smallint, answer_headers = ${p(9)}::jsonb,
        answer_body = ${p(10)}::bytea, answer_encrypted = ${p(11)}::boolean, request = null
    from moved${after(['woken'])} where k.claim_id = ${p(7)} and k.answered_at is null and k.begun_at is not null
    returning 1
  ),
  ${writeEvent(p, 'moved', [...along, 'woken', 'answered'])}`;

const recordedTail =
  (charge: 'id' | 'charge_id'): Tail =>
  (p, along) => `
  ${tail(p, along)},
  recorded as (${insertTimeline(`moved.${charge}`, p(12))})`;

/** @param first the number of its first parameter. */
const auditedTail =
  (plain: Tail, first: number): Tail =>
  (p, along) => `
  ${plain(p, along)},
  audited as (${insertAudit((n) => p(first - 1 + n))})`;

const claimedTail: Tail = (p, along) => `
  ${findEndpoints(p, along)},
  claimed as (
    insert into idempotency_keys
      (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id, start_by,
       begun_at, answered_at, answer_status, answer_headers, answer_body, answer_encrypted, actor_id, audit_id, action)
    select ${p(7)}, ${p(8)}, ${p(9)}, ${p(10)}, ${p(11)}::bytea, ${p(12)}, ${p(13)}, ${p(14)}, ${p(15)}, now.now,
       now.now, now.now, ${p(16)}::smallint, ${p(17)}::jsonb, ${p(18)}::bytea,
       ${p(19)}::boolean, ${p(20)}, ${p(21)}, ${p(22)}
    from moved, clock_timestamp() as now${after(['woken'])}
    returning account_id
  ),
  ${writeEvent(p, 'claimed', [...along, 'woken'])}`;

const statements = new Map<string, string>();

/** Returns the move's SQL with a tail. The tail's parameters follow those of the move. */
function statement(name: string, move: Move, buildTail: Tail): string {
  const known = statements.get(name);
  if (known) return known;
  const along = Object.entries(move.along ?? {});
  const sql = `
    with ${move.first ? `${move.first},` : ''} moved as (${move.sql}),
    ${along.map(([change, changeSql]) => `${change} as (${changeSql}),`).join('')}
    ${buildTail(
      (n) => `$${move.values.length + n}`,
      along.map(([change]) => change),
    )}
    select (select array_agg(id) from woken) as woken, (select array_agg(id) from subscribed) as subscribed from moved`;
  statements.set(name, sql);
  return sql;
}
