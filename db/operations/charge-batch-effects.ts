import { publishDeliveries } from '../writes/committed-deliveries.ts';
import { currentTrace } from '../writes/event-traces.ts';
import { after, subscribesTo, wakeEndpoints, type Effect } from '../writes/effects.ts';
import type { Charge } from '#domain/charges.ts';
import type { Send } from '../payments/charge-sends.ts';
import type { ProblemResource } from '#domain/problems.ts';
import { prepared, type Database } from '../knex.ts';
import { inOrderOfTime } from '../writes/timeline.ts';

/**
 * The effects of many rows of a batch in one statement. They equal an {@link Effect} for each charge. For a row that another
 * writer has moved, nothing happens.
 */

/** The charge of a row as it was read and as it becomes, and the outcome of the row. */
export interface RowEffect {
  row: number;
  read: Charge;
  moved: Charge;
  effect: Pick<Effect, 'answer' | 'event' | 'timeline'>;
  /** The status that `POST /v1/charges` would have answered. */
  status: number;
  error: ProblemResource | null;
  /** The caller wants it cancelled. The charge's own workflow does so. */
  cancel?: boolean;
  /** The only send that was begun, if it had no effect. */
  undone?: Send | null;
}

/**
 * Saves the rows that no other writer has moved since they were read, and ends the batch's ownership of their charges.
 * Returns the numbers of the saved rows.
 *
 * The account's counter is increased once, by the number of events, and last. Rows are locked in the order of
 * `db/writes/effects.ts`.
 */
export async function settleRows(
  db: Database,
  batch: { operationId: string; accountId: string },
  effects: readonly RowEffect[],
): Promise<Set<number>> {
  const [result] = await prepared<{
    rows: number[] | null;
    woken: string[] | null;
    subscribed: string[] | null;
  }>(db, 'settle-batch-rows', settleSql, [
    batch.operationId,
    batch.accountId,
    JSON.stringify(effects.map(toInput)),
    currentTrace(db),
  ]);
  if (result?.subscribed) publishDeliveries(db, { endpoints: result.subscribed, woken: result.woken ?? [] });
  return new Set(result?.rows);
}

/** Returns the effect as `json_to_recordset` reads it. */
function toInput({ row, read, moved, effect, status, error, cancel = false, undone }: RowEffect) {
  const { answer, event, timeline = [] } = effect;
  return {
    row,
    id: read.id,
    version: read.version,
    cancel,
    undone: undone?.sends,
    charge_status: moved.status,
    amount_captured: moved.amountCaptured,
    failure: moved.failure,
    processor_pending: moved.processorPending,
    processor_fault: moved.processorFault,
    void_reason: moved.voidReason,
    updated_at: moved.updatedAt,
    captured_at: moved.capturedAt,
    cancelled_at: moved.cancelledAt,
    expires_at: moved.expiresAt,
    status,
    error,
    claim_id: answer?.claimId,
    answer_status: answer?.answer.status,
    answer_headers: answer?.answer.headers,
    answer_body: answer?.answer.body.toString(),
    event_id: event?.id,
    event_type: event?.type,
    event_object: event?.object,
    timeline: inOrderOfTime(timeline),
  };
}

const inputColumns = `
  row integer, id text, version integer, cancel boolean, undone integer, charge_status text, amount_captured bigint, failure json,
  processor_pending boolean, processor_fault text, void_reason text, updated_at timestamptz, captured_at timestamptz,
  cancelled_at timestamptz, expires_at timestamptz, status smallint, error json, claim_id text, answer_status smallint,
  answer_headers jsonb, answer_body text, event_id text, event_type text, event_object json, timeline json`;

const settleSql = `
  with input as materialized (
    select * from json_to_recordset($3::json) as x(${inputColumns})
  ), moved as (
    update charges c set
      status = x.charge_status, amount_captured = x.amount_captured, failure = x.failure,
      processor_pending = x.processor_pending, processor_fault = x.processor_fault, void_reason = x.void_reason,
      updated_at = x.updated_at,
      captured_at = x.captured_at, cancelled_at = x.cancelled_at, expires_at = x.expires_at,
      cancel_requested_at = case when x.cancel then coalesce(c.cancel_requested_at, clock_timestamp())
        else c.cancel_requested_at end,
      sent_at = case when c.sends = x.undone then null else c.sent_at end,
      first_terms = case when x.charge_status in ('pending', 'requires_capture') then c.first_terms end,
      charge_batch_id = null, version = c.version + 1
    from input x
    where c.id = x.id and c.version = x.version and c.status = 'pending' and c.charge_batch_id = $1
    returning c.id, c.account_id, x.row
  ), happened as materialized (
    select x.event_id, x.event_type, x.event_object, x.id, row_number() over (order by x.row) as n
    from input x join moved on moved.id = x.id where x.event_id is not null
  ), subscribed as materialized (
    select e.id, e.awake, e.parked_until, e.events from webhook_endpoints e
    where e.account_id = $2 and e.deleted_at is null and e.status = 'enabled'
      and exists (select from happened h where ${subscribesTo('h.event_type')})
    order by e.id
  ), ${wakeEndpoints('not s.awake and s.parked_until is null', 'not e.awake', ['moved'])},
  answered as (
    update idempotency_keys k
    set answered_at = clock_timestamp(), answer_status = x.answer_status, answer_headers = x.answer_headers,
        answer_body = convert_to(x.answer_body, 'UTF8'), request = null
    from input x join moved on moved.id = x.id${after(['woken'])}
    where k.claim_id = x.claim_id and k.answered_at is null and k.begun_at is not null
    returning 1
  ), ended as (
    update charge_batch_rows r set state = 'done', status = x.status, error = x.error
    from input x join moved on moved.id = x.id${after(['answered'])}
    where r.operation_id = $1 and r.row = x.row and r.state = 'begun'
    returning 1
  ), bumped as (
    update account_sequences s set sequence = s.sequence + h.events
    from (select count(*) as events from happened) h${after(['woken', 'answered', 'ended'])}
    where s.account_id = $2 and h.events > 0
    returning s.account_id, s.sequence - h.events as before
  ), delivered as (
    insert into webhook_deliveries (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at)
    select new_webhook_delivery_id(h.event_id), b.account_id, e.id, h.event_id, b.before + h.n, h.event_type,
      clock_timestamp()
    from bumped b, happened h join subscribed e on ${subscribesTo('h.event_type')}
  ), written as (
    insert into events (id, account_id, sequence, type, resource_id, object, created_at, traceparent)
    select h.event_id, b.account_id, b.before + h.n, h.event_type, h.id, h.event_object, clock_timestamp(), $4
    from bumped b, happened h order by h.n
  ), recorded as (
    insert into charge_timeline (charge_id, entries)
    select x.id, x.timeline from input x join moved on moved.id = x.id where json_array_length(x.timeline) > 0
  )
  select (select array_agg(row) from moved) as rows, (select array_agg(id) from woken) as woken,
    (select array_agg(id) from subscribed) as subscribed`;
