import { toLatencyStep } from '#domain/figures/deliveries.ts';
import type { DeliveryStatus } from '#domain/webhook-deliveries.ts';
import { addFigures, deliveryFigures } from '../figures.ts';
import { prepared, type Database } from '../knex.ts';
import { timelineJson } from '../writes/timeline.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';

/** An attempt that was made, and the new state of its delivery. */
export interface NewAttempt {
  deliveryId: string;
  endpointId: string;
  /** Counts from 1. */
  number: number;
  at: Date;
  statusCode: number | null;
  latencyMs: number;
  /** `null`: delivered. */
  error: string | null;
  responseBody: Buffer | null;
  status: DeliveryStatus;
  /** `null`: no further attempt follows. */
  nextAttemptAt: Date | null;
  /** The entry for the charge's timeline; `null`: the event is not about a charge. */
  timeline: { chargeId: string; entry: NewTimelineEntry } | null;
}

/** The health of an endpoint after its latest attempts. */
export interface NewHealth {
  endpointId: string;
  /** Whether an attempt succeeded, which ended earlier failures. */
  hasSucceeded: boolean;
  /** The time of the first failure since then; `null`: the last attempt succeeded. */
  failingSince: Date | null;
  lastFailure: { at: Date; statusCode: number | null; message: string } | null;
  parkedUntil: Date | null;
}

/**
 * Writes and counts attempts, moves their deliveries, and updates the health of their endpoints, all in one statement. Attempts that are
 * already recorded, and deliveries that another writer has moved, stay as they are.
 *
 * @param health the health of endpoints for which it changed, each once.
 */
export async function recordAttempts(
  db: Database,
  attempts: readonly NewAttempt[],
  health: readonly NewHealth[],
): Promise<void> {
  const entries = attempts.flatMap(({ timeline }) => timeline ?? []);
  await prepared(db, 'record-attempts', recordSql, [
    attempts.map(({ deliveryId }) => deliveryId),
    attempts.map(({ number }) => number),
    attempts.map(({ at }) => at),
    attempts.map(({ statusCode }) => statusCode),
    attempts.map(({ latencyMs }) => latencyMs),
    attempts.map(({ error }) => error),
    attempts.map(({ responseBody }) => responseBody),
    attempts.map(({ status }) => status),
    attempts.map(({ nextAttemptAt }) => nextAttemptAt),
    entries.map(({ chargeId }) => chargeId),
    entries.map(({ entry }) => timelineJson([entry])),
    health.map(({ endpointId }) => endpointId),
    health.map(({ hasSucceeded }) => hasSucceeded),
    health.map(({ failingSince }) => failingSince),
    health.map(({ lastFailure }) => lastFailure && failureJson(lastFailure)),
    health.map(({ parkedUntil }) => parkedUntil),
    attempts.map(({ endpointId }) => endpointId),
    attempts.map(({ latencyMs }) => toLatencyStep(latencyMs)),
  ]);
}

function failureJson({ at, statusCode, message }: NonNullable<NewHealth['lastFailure']>): string {
  return JSON.stringify({ at: at.toISOString(), status_code: statusCode, message });
}

const recordSql = `
  with made as materialized (
    select * from unnest($1::text[], $2::int2[], $3::timestamptz[], $4::int2[], $5::int4[], $6::text[], $7::bytea[],
      $8::text[], $9::timestamptz[], $17::text[], $18::int2[])
      as m (delivery_id, number, at, status_code, latency_ms, error, response_body, status, next_attempt_at,
        endpoint_id, latency_step)
  ),
  moved as (
    update webhook_deliveries d
    set status = m.status, attempts = m.number, next_attempt_at = m.next_attempt_at, updated_at = clock_timestamp()
    from made m
    where d.id = m.delivery_id and d.status in ('pending', 'retrying') and d.attempts = m.number - 1
  ),
  recorded as (
    insert into webhook_attempts (delivery_id, number, at, status_code, latency_ms, error, response_body)
    select delivery_id, number, at, status_code, latency_ms, error, response_body from made
    on conflict do nothing
    returning delivery_id, number
  ),
  attempted as (
    select m.at, m.endpoint_id, m.latency_step, 1 as count,
      case when m.error is null then 'delivered' else coalesce(m.status_code::text, m.error) end as result
    from made m join recorded r using (delivery_id, number) where m.error is distinct from 'event_expired'
  ),
  -- One that is recorded again does not count again, and a delivery that was given up has no attempt.
  counted as (${addFigures(deliveryFigures, 'minute', 'attempted')}),
  timed as (
    insert into charge_timeline (charge_id, entries)
    select t.charge_id, t.entries::json from unnest($10::text[], $11::text[]) as t (charge_id, entries)
  )
  update webhook_endpoints e set
    failing_since = case when h.has_succeeded then h.failing_since else coalesce(e.failing_since, h.failing_since) end,
    last_failure = coalesce(h.last_failure::json, e.last_failure),
    parked_until = h.parked_until,
    version = e.version + 1
  from unnest($12::text[], $13::bool[], $14::timestamptz[], $15::text[], $16::timestamptz[])
    as h (endpoint_id, has_succeeded, failing_since, last_failure, parked_until)
  where e.id = h.endpoint_id and e.deleted_at is null`;
