import type { NewEvent } from '#domain/events.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { prepared, type Database } from '../knex.ts';
import { insertAudit, type ChangeAudit } from './authors.ts';
import { publishDeliveries } from './committed-deliveries.ts';
import { currentTrace } from './event-traces.ts';
import { recordedAuthor, type NewClaim, type StoredAnswer } from './idempotency-keys.ts';
import { toColumn } from '../columns.ts';
import { inputTable, inputValues, type InputColumns, type InputRow } from './input-rows.ts';
import { inOrderOfTime } from './timeline.ts';

/**
 * An effect: the change of a resource, the answer for the caller, and the event for the merchant. Each endpoint of the account
 * that subscribed to its type gets a delivery. It is one statement, hence one transaction: all of it happens, or nothing.
 */
export interface Effect {
  /** The answer to store, if the claim has none yet. */
  answer?: { claimId: string; answer: StoredAnswer } | undefined;
  event?: NewEvent | undefined;
  /**
   * The only endpoint that gets the event, whatever it subscribed to. It is woken even if it is parked. Without an event,
   * it is woken for a delivery that the change made. (Default: the endpoints that subscribed to the type)
   */
  onlyTo?: { endpointId: string; deliveryId: string } | undefined;
  /** The entries of the step, in order. Only for a change that names its charge. */
  timeline?: readonly NewTimelineEntry[] | undefined;
  /** The entry of the audit, for a change without a claim. (Default: none; an answer of a claim has its own) */
  audit?: ChangeAudit | undefined;
}

/** A guarded change of one row, as SQL that returns `id` and `account_id` of the row if it changed. */
export interface Change {
  /** Unique to `sql`; Postgres keeps the plan under it. */
  name: string;
  sql: string;
  values: unknown[];
  /** A common table expression that `sql` reads: a guard that is another row. */
  first?: string;
  /** Changes of other rows, over the rows of `moved`, by name. Each returns something, so that what follows waits for it. */
  along?: Readonly<Record<string, string>>;
  /** The column of `moved` with the id of the charge whose timeline records the change. */
  charge?: 'id' | 'charge_id';
}

/**
 * Commits the change with its effect. Returns `false` if the row was not in the state that the change starts from. Then
 * nothing changed.
 *
 * Rows are locked in one order ({@link after}), the account's counter last, so that its lock lasts no longer than the
 * commit. So events have their sequences in the order of commits.
 */
export async function commitEffect(db: Database, change: Change, effect: Effect): Promise<boolean> {
  return (await commit(db, change, [effect], false)).size > 0;
}

/**
 * Commits a change of many rows of one account with the effect of each, in one statement. Returns the ids of the rows that
 * were in the state that the change starts from. Of the others nothing changed. Events are in the order of the effects.
 */
export function commitEffects(
  db: Database,
  change: Change,
  effects: readonly (Effect & { id: string })[],
): Promise<ReadonlySet<string>> {
  return commit(db, change, effects, true);
}

/**
 * Commits the change of a direct write together with a claim on its key, which has its answer from the start. Returns `false`
 * if the row was not in the state that the change starts from, or if another claim has the key and is committed. Then nothing
 * changed.
 */
export async function commitClaimed(
  db: Database,
  change: Change,
  { claim, answer, ...effect }: { claim: NewClaim; answer: StoredAnswer } & Pick<Effect, 'event' | 'onlyTo'>,
): Promise<boolean> {
  const claimed = { ...effect, claim, answer: { claimId: claim.claimId, answer } };
  try {
    return (await commit(db, change, [claimed], false)).size > 0;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'idempotency_keys_pkey') return false;
    throw error;
  }
}

/** The effect on one row. With `claim`, the statement makes the claim with its answer. */
type Told = Effect & { id?: string; claim?: NewClaim };

/** The ids that a statement has moved, and the endpoints of their events. */
type Committed = Record<'moved' | 'woken' | 'subscribed', string[] | null>;

async function commit(
  db: Database,
  change: Change,
  rows: readonly Told[],
  isMany: boolean,
): Promise<ReadonlySet<string>> {
  const { name, sql, columns } = toStatement(change, rows, isMany);
  const trace = currentTrace(db);
  const input = rows.map((row, n) => toInput(row, n, trace));
  const values = [...change.values, ...inputValues(columns, isMany, input)];
  const [result] = await prepared<Committed>(db, name, sql, values);
  const { moved, woken, subscribed } = result ?? {};
  if (moved && subscribed) publishDeliveries(db, { endpoints: subscribed, woken: woken ?? [] });
  return new Set(moved);
}

/** The columns of each row that is told of. */
const toldColumns: InputColumns = {
  eventId: 'text',
  eventType: 'text',
  object: 'json',
  trace: 'text',
  onlyTo: 'text',
  deliveryId: 'text',
  claimId: 'text',
  answerStatus: 'smallint',
  answerHeaders: 'jsonb',
  answerBody: 'bytea',
  answerEncrypted: 'boolean',
  entries: 'json',
};

/** The further columns of many rows: the id finds the moved row of each, and the number keeps their order. */
const manyColumns: InputColumns = { id: 'text', n: 'integer' };

/** The further columns of a row whose change has an author. */
const authorColumns: InputColumns = { actorId: 'text', auditId: 'text', action: 'text', traceId: 'text' };

/** The further columns of a row whose claim is made by the same statement. */
const claimColumns: InputColumns = {
  endpoint: 'text',
  key: 'text',
  fingerprint: 'bytea',
  resourceId: 'text',
  apiVersion: 'text',
  path: 'text',
};

function toInput(told: Told, n: number, trace: string | null): InputRow {
  const { id, answer: { claimId, answer } = {}, event, onlyTo, timeline, audit, claim } = told;
  return {
    ...claim,
    ...(claim ? recordedAuthor(claim) : audit?.author),
    traceId: (claim ?? audit)?.traceId,
    id,
    n,
    eventId: event?.id,
    eventType: event?.type,
    object: event?.object,
    trace: event && trace,
    onlyTo: onlyTo?.endpointId,
    deliveryId: onlyTo?.deliveryId,
    claimId,
    answerStatus: answer?.status ?? audit?.status,
    answerHeaders: answer?.headers,
    answerBody: answer?.body,
    answerEncrypted: answer?.isEncrypted ?? false,
    entries: timeline?.length ? inOrderOfTime(timeline) : null,
  };
}

/** Returns a condition in SQL: the endpoint `e` subscribed to this type. */
export const subscribesTo = (type: string) =>
  `e.events && array['*', split_part(${type}, '.', 1) || '.*', ${type}]`;

/**
 * Returns tables for a `from` clause, each of one row, that are complete only once all rows of these expressions are written
 * and locked. Postgres may run the expressions of a statement in any order, but not before what they read.
 *
 * Every effect locks in this order: the row of the change, the rows changed along with it, sleeping endpoints by id, the
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

/** Whether the endpoint `e` gets what `t` tells. No endpoint gets an event of its own disabling. */
const hears = `case when t.only_to is not null then e.id = t.only_to
  else t.event_id is not null and e.id <> t.id and ${subscribesTo('t.event_type')} end`;

const isForOne = 'exists (select from told where only_to is not null)';

const answered = `
  update idempotency_keys k
  set answered_at = clock_timestamp(), answer_status = t.answer_status, answer_headers = t.answer_headers,
      answer_body = t.answer_body, answer_encrypted = t.answer_encrypted, request = null
  from told t${after(['woken'])} where k.claim_id = t.claim_id and k.answered_at is null and k.begun_at is not null
  returning 1`;

const claimed = `
  insert into idempotency_keys
    (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id, start_by,
     begun_at, answered_at, answer_status, answer_headers, answer_body, answer_encrypted, actor_id, audit_id, action)
  select t.account_id, t.endpoint, t.key, t.claim_id, t.fingerprint, t.resource_id, t.api_version, t.path, t.trace_id,
    now.now, now.now, now.now, t.answer_status, t.answer_headers, t.answer_body, t.answer_encrypted, t.actor_id,
    t.audit_id, t.action
  from told t, clock_timestamp() as now${after(['woken'])}
  returning 1`;

const recorded = `
  recorded as (
    insert into charge_timeline (charge_id, entries) select charge_id, entries from told where entries is not null
  ),`;

/**
 * Returns the common table expressions that carry out what `told` says: they find the endpoints of the events and wake them,
 * answer claims, increase the counter, and write the events with their deliveries.
 *
 * @param before the expressions whose rows are locked before.
 */
const tell = (before: readonly string[], answer: string) => `
  subscribed as materialized (
    select e.id, e.awake, e.parked_until, e.events from webhook_endpoints e
    -- a subselect, so that the index is used whatever the planner takes for the size of a new table
    where e.account_id = (select account_id from told where coalesce(event_id, only_to) is not null limit 1)
      and e.deleted_at is null and e.status = 'enabled' and exists (select from told t where ${hears})
    order by e.id
  ),
  ${wakeEndpoints(`(${isForOne} or not s.awake and s.parked_until is null)`, `(${isForOne} or not e.awake)`, before)},
  answered as (${answer}),
  bumped as (
    update account_sequences s set sequence = s.sequence + t.events
    from told t${after([...before, 'woken', 'answered'])}
    -- once, by the last event
    where s.account_id = t.account_id and t.event_id is not null and t.nth = t.events
    returning s.account_id, s.sequence - t.events as before
  ),
  delivered as (
    insert into webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at)
    select coalesce(t.delivery_id, new_webhook_delivery_id(t.event_id)), b.account_id, e.id, t.event_id, b.before + t.nth,
      t.event_type, clock_timestamp()
    from bumped b, told t, subscribed e where t.event_id is not null and ${hears}
  ),
  written as (
    insert into events (id, account_id, sequence, type, resource_id, object, created_at, traceparent)
    select t.event_id, b.account_id, b.before + t.nth, t.event_type, t.id, t.object, clock_timestamp(), t.trace
    from bumped b, told t where t.event_id is not null
  )`;

interface Statement {
  name: string;
  sql: string;
  columns: InputColumns;
}

const statements = new Map<string, Statement>();

/** Returns the change's SQL with what tells of it, whose parameters follow those of the change. */
function toStatement(change: Change, rows: readonly Told[], isMany: boolean): Statement {
  const isRecorded = Boolean(change.charge && rows.some(({ timeline }) => timeline?.length));
  const isAudited = rows.some(({ audit }) => audit);
  const isClaimed = rows.some(({ claim }) => claim);
  const name = `${change.name}${isRecorded ? '-recorded' : ''}${isAudited ? '-audited' : ''}${isClaimed ? '-claimed' : ''}`;
  const known = statements.get(name);
  if (known) return known;
  const told = {
    ...toldColumns,
    ...((isClaimed || isAudited) && authorColumns),
    ...(isClaimed && claimColumns),
  };
  const columns = isMany ? { ...manyColumns, ...told } : told;
  const input = inputTable(columns, isMany, change.values.length + 1);
  const along = Object.entries(change.along ?? {});
  const sql = `
    with ${change.first ? `${change.first},` : ''} moved as (${change.sql}),
    ${along.map(([name, alongSql]) => `${name} as (${alongSql}),`).join('')}
    -- the parameters of one row stand where they are used: that costs the least
    told as ${isMany ? '' : 'not'} materialized (
      select m.id, m.account_id, m.${change.charge ?? 'id'} as charge_id, ${Object.keys(told)
        .map((name) => `x.${toColumn(name)}`)
        .join(', ')},
        ${isMany ? 'count(x.event_id) over (order by x.n) as nth, count(x.event_id) over () as events' : '1 as nth, 1 as events'}
      from moved m join ${input} on ${isMany ? 'x.id = m.id' : 'true'}
    ),
    ${isRecorded ? recorded : ''}
    ${isAudited ? `audited as (${insertAudit}),` : ''}
    ${tell([...(isMany ? ['moved'] : []), ...along.map(([name]) => name)], isClaimed ? claimed : answered)}
    select (select array_agg(id) from moved) as moved, (select array_agg(id) from woken) as woken,
      (select array_agg(id) from subscribed) as subscribed`;
  const statement = { name, sql, columns };
  statements.set(name, statement);
  return statement;
}
