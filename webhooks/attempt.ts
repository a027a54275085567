import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { currentTime } from '#db/clock.ts';
import type { DueDelivery } from '#db/webhooks/due-deliveries.ts';
import type { Lease } from '#db/webhooks/endpoint-leases.ts';
import type { NewAttempt } from '#db/webhooks/webhook-attempts.ts';
import { retryDelayMs } from '#domain/webhook-deliveries.ts';
import { incomingTrace, inSpan } from '#telemetry/spans.ts';
import type { SendResult } from './exchange.ts';

/** Builds the record of an attempt, and how long its delivery waits for the next one. (ms; `null`: there is none) */
export function buildAttempt(
  delivery: DueDelivery & { chargeId: string | null },
  lease: Lease,
  at: Date,
  result: SendResult,
  endedAt: number,
): { attempt: NewAttempt; retryMs: number | null } {
  const number = delivery.attempts + 1;
  const failed = { deliveryId: delivery.id, attempts: number, retryAfterMs: result.retryAfterMs };
  const retryMs = result.error === null ? null : retryDelayMs(lease.scheduleMs, failed);
  const attempt: NewAttempt = {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    number,
    at,
    statusCode: result.statusCode,
    latencyMs: result.latencyMs,
    error: result.error,
    responseBody: result.excerpt,
    status: result.error === null ? 'delivered' : retryMs === null ? 'dead_letter' : 'retrying',
    nextAttemptAt: retryMs === null ? null : new Date(endedAt + retryMs),
    timeline: null,
  };
  return { attempt: { ...attempt, timeline: buildTimelineEntry(delivery, attempt, endedAt) }, retryMs };
}

/** Builds the last record of a delivery whose event is deleted after its retention: nothing is left to send. */
export function buildExpiredAttempt(delivery: DueDelivery): NewAttempt {
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    number: delivery.attempts + 1,
    at: currentTime(),
    statusCode: null,
    latencyMs: 0,
    error: 'event_expired',
    responseBody: null,
    status: 'dead_letter',
    nextAttemptAt: null,
    timeline: null,
  };
}

function buildTimelineEntry(
  delivery: DueDelivery & { chargeId: string | null },
  { number, statusCode, error }: NewAttempt,
  endedAt: number,
): NewAttempt['timeline'] {
  if (delivery.chargeId === null) return null;
  const detail = {
    endpoint: delivery.endpointId,
    delivery: delivery.id,
    event: delivery.type,
    attempt: number,
    ...(statusCode !== null && { status_code: statusCode }),
  };
  const at = new Date(endedAt);
  return {
    chargeId: delivery.chargeId,
    entry:
      error === null
        ? { at, type: 'delivered', detail }
        : { at, type: 'delivery_attempted', detail: { ...detail, error } },
  };
}

/**
 * Makes an attempt within a span of the trace of its event, if the event has one. The receiver does not get the trace's
 * ids: with them, a stranger could write into our traces.
 */
export function inAttemptSpan(
  { traceparent, type, attempts }: Pick<DueDelivery, 'type' | 'attempts'> & { traceparent: string | null },
  post: () => Promise<SendResult>,
): Promise<SendResult> {
  if (traceparent === null) return post();
  const options = {
    kind: SpanKind.CLIENT,
    parent: incomingTrace(traceparent),
    attributes: { 'payments.event': type, 'payments.attempt': attempts + 1 },
  };
  return inSpan('webhook', options, async (span) => {
    const result = await post();
    if (result.statusCode !== null) span.setAttribute('http.response.status_code', result.statusCode);
    if (result.error !== null)
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', result.error);
    return result;
  });
}
