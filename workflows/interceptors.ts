import {
  ContinueAsNew,
  defaultPayloadConverter,
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';

/**
 * Reports the end of every run to its worker, and passes its trace on. The report goes out by sinks, which are silent in a
 * replay; the trace is a header of each call that starts or commands the run, and of its steps. Neither changes the order
 * of commands, so histories replay with and without it.
 *
 * Our own and not `@temporalio/interceptors-opentelemetry`: that one brings an SDK of two major versions ago into every
 * workflow's sandbox, for a string that has to be passed on.
 */
export interface RunSinks extends Sinks {
  runs: {
    /**
     * @param result the status that the run returned, or how it ended without one.
     * @param startedAtMs the start in the history; @param trace `null` when the run was not started in one.
     */
    closed(workflow: string, result: string, startedAtMs: number, trace: RunTrace | null): void;
  };
}

export interface RunTrace {
  /** Of the caller that started the run. */
  traceparent: string;
  /** The run's own span. */
  spanId: string;
}

const traceHeader = 'traceparent';

/** The SDK calls this export once a run. */
export function interceptors(): WorkflowInterceptors {
  const seen = { started: null as string | null, last: null as string | null };
  const take = (headers: Headers) => {
    const traceparent = readTraceparent(headers);
    if (traceparent === null) return;
    // The first one starts the run; its next steps belong to the last command.
    if (seen.started === null) seen.started = seen.last = traceparent;
    else if (!isSameTrace(traceparent, seen.started)) seen.last = traceparent;
  };

  const inbound: WorkflowInboundCallsInterceptor = {
    execute(input, next) {
      take(input.headers);
      return reportResult(next(input), () => seen.started);
    },
    handleSignal(input, next) {
      take(input.headers);
      return next(input);
    },
  };

  const buildOwn = () => buildHeaders(seen.last, seen.started);
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...buildOwn() } }),
    scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...buildOwn() } }),
  };
  return { inbound: [inbound], outbound: [outbound] };
}

type Headers = Parameters<NonNullable<WorkflowInboundCallsInterceptor['execute']>>[0]['headers'];

function readTraceparent(headers: Headers): string | null {
  const header = headers[traceHeader];
  return header ? defaultPayloadConverter.fromPayload<string>(header) : null;
}

/** `00-<trace>-<span>-<flags>` (W3C Trace Context §3.2). */
const readTraceId = (traceparent: string) => traceparent.split('-')[1];
const isSameTrace = (one: string, other: string) => readTraceId(one) === readTraceId(other);

/** Steps are children of the run's span in its own trace, and of the command's in another. */
function buildHeaders(last: string | null, started: string | null): Headers {
  if (last === null) return {};
  const [version, trace, , flags] = last.split('-');
  const traceparent = last === started ? [version, trace, runSpanId(), flags].join('-') : last;
  return { [traceHeader]: defaultPayloadConverter.toPayload(traceparent) };
}

/** Returns the random end of the run's id: the same in every replay, without a random number. */
function runSpanId(): string {
  return workflowInfo().runId.replaceAll('-', '').slice(-16);
}

function reportResult(running: Promise<unknown>, startedBy: () => string | null): Promise<unknown> {
  const { runs } = proxySinks<RunSinks>();
  const { workflowType, startTime } = workflowInfo();
  const report = (result: string) => {
    const traceparent = startedBy();
    const trace = traceparent === null ? null : { traceparent, spanId: runSpanId() };
    runs.closed(workflowType, result, startTime.getTime(), trace);
  };
  return running.then(
    (answer) => {
      report(readStatus(answer));
      return answer;
    },
    (error: unknown) => {
      report(error instanceof ContinueAsNew ? 'continued' : 'failed');
      throw error;
    },
  );
}

function readStatus(answer: unknown): string {
  const { status } = (answer ?? {}) as { status?: unknown };
  return typeof status === 'string' ? status : 'completed';
}
