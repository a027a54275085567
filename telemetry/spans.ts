import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';

/** Spans of this service. Without a collector all of it does nothing. */

export interface SpanOptions {
  kind: SpanKind;
  /** Ids of ours that are no person's, codes and counts: a collector is one more place that people read. */
  attributes?: Attributes;
  /** (Default: the span that is active) */
  parent?: Context;
}

export const tracer = () => trace.getTracer('payments');

/** Runs `work` within a span, which shows whether it failed, but not the message: that may quote the request. */
export async function inSpan<T>(
  name: string,
  { parent = context.active(), ...options }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns the header that names the active span to the next process; empty without a span. */
export function outgoingTrace(): { traceparent?: string } {
  const carrier: { traceparent?: string; tracestate?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent };
}

/** Returns the span that another process named, without its `tracestate`: anybody can write anything there. */
export function incomingTrace(traceparent: string | undefined): Context {
  return traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}
