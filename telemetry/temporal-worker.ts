import { SpanKind } from '@opentelemetry/api';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { incomingTrace, inSpan, tracer } from './spans.ts';
import { traceHeader } from './temporal-client.ts';
import type { Tracing } from './tracing.ts';

/** Each try of a step is a span; what was not asked for in a trace, such as maintenance, has none. */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const header = input.headers[traceHeader];
      if (!header) return next(input);
      const parent = incomingTrace(defaultPayloadConverter.fromPayload<string>(header));
      const attributes = { 'payments.attempt': info.attempt };
      return inSpan(info.activityType, { kind: SpanKind.INTERNAL, parent, attributes }, () => next(input));
    },
  },
});

/** A run that has ended, as it reports itself. */
export interface EndedRun {
  workflow: string;
  result: string;
  startedAt: Date;
  /** The span that started it. */
  traceparent: string;
  /** The span that its steps name as their parent. */
  spanId: string;
}

/** Makes the span of a run when it has ended: until then it may move between processes. */
export function traceRun({ ids }: Tracing, run: EndedRun): void {
  const options = {
    kind: SpanKind.INTERNAL,
    startTime: run.startedAt,
    attributes: { 'payments.result': run.result },
  };
  const start = () => tracer().startSpan(`workflow ${run.workflow}`, options, incomingTrace(run.traceparent));
  ids.withSpanId(run.spanId, start).end();
}
