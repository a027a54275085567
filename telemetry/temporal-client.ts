import { SpanKind } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { inSpan, outgoingTrace } from './spans.ts';

/** The one header of ours in Temporal: it stays in the history, so it is a `traceparent` and nothing more. */
export const traceHeader = 'traceparent';

/** Continues the caller's trace in runs that it calls through Temporal. */
export function traceClient(): WorkflowClientInterceptor {
  const called = <T>(name: string, call: (headers: Headers) => Promise<T>): Promise<T> =>
    inSpan(name, { kind: SpanKind.CLIENT }, () => call(ownHeaders()));
  return {
    startWithDetails: (input, next) =>
      called('StartWorkflow', (own) => next({ ...input, headers: { ...input.headers, ...own } })),
    signalWithStart: (input, next) =>
      called(`SignalWithStart ${input.signalName}`, (own) =>
        next({ ...input, headers: { ...input.headers, ...own } }),
      ),
  };
}

function ownHeaders(): Headers {
  const { traceparent } = outgoingTrace();
  return traceparent === undefined ? {} : { [traceHeader]: defaultPayloadConverter.toPayload(traceparent) };
}
