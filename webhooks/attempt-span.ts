import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { DueDelivery } from '#db/webhooks/due-deliveries.ts';
import { incomingTrace, inSpan } from '#telemetry/spans.ts';
import type { SendResult } from './exchange.ts';

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
