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
 * What every run tells the worker that runs it, and the trace that it goes on in. What is told goes out by sinks, which
 * are silent in a replay; the trace is a header of what starts and commands the run, and of the steps it takes. Neither
 * changes the order of commands, so histories replay with and without it.
 *
 * Our own and not `@temporalio/interceptors-opentelemetry`: that one brings an SDK of two major versions ago into every
 * workflow's sandbox, for a string that has to be passed on.
 */
export interface RunSinks extends Sinks {
  runs: {
    /**
     * @param result the status that the run answered, or how it ended without one.
     * @param startedAtMs as the history has it; @param trace `null` when it was not started in one.
     */
    closed(workflow: string, result: string, startedAtMs: number, trace: RunTrace | null): void;
  };
}

export interface RunTrace {
  /** Of whoever started the run. */
  traceparent: string;
  /** The run's own span. */
  spanId: string;
}

const traceHeader = 'traceparent';

/** The name under which the bundler's module is asked for; called once a run. */
export function interceptors(): WorkflowInterceptors {
  const told = { started: null as string | null, last: null as string | null };
  const take = (headers: Headers) => {
    const traceparent = traceparentOf(headers);
    if (traceparent === null) return;
    // The first one starts the run; what it does next is done for whoever commanded last.
    if (told.started === null) told.started = told.last = traceparent;
    else if (!isSameTrace(traceparent, told.started)) told.last = traceparent;
  };

  const inbound: WorkflowInboundCallsInterceptor = {
    execute(input, next) {
      take(input.headers);
      return tellResult(next(input), () => told.started);
    },
    handleUpdate(input, next) {
      take(input.headers);
      return next(input);
    },
  };

  const own = () => headersOf(told.last, told.started);
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...own() } }),
    scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...own() } }),
  };
  return { inbound: [inbound], outbound: [outbound] };
}

type Headers = Parameters<NonNullable<WorkflowInboundCallsInterceptor['execute']>>[0]['headers'];

function traceparentOf(headers: Headers): string | null {
  const header = headers[traceHeader];
  return header ? defaultPayloadConverter.fromPayload<string>(header) : null;
}

/** `00-<trace>-<span>-<flags>` (W3C Trace Context §3.2). */
const traceOf = (traceparent: string) => traceparent.split('-')[1];
const isSameTrace = (one: string, other: string) => traceOf(one) === traceOf(other);

/** Steps are children of the run's span in its own trace, and of the command's in another. */
function headersOf(last: string | null, started: string | null): Headers {
  if (last === null) return {};
  const [version, trace, , flags] = last.split('-');
  const traceparent = last === started ? [version, trace, ownSpanId(), flags].join('-') : last;
  return { [traceHeader]: defaultPayloadConverter.toPayload(traceparent) };
}

/** The random end of the run's id: the same in every replay, and nothing is drawn for it. */
function ownSpanId(): string {
  return workflowInfo().runId.replaceAll('-', '').slice(-16);
}

function tellResult(running: Promise<unknown>, startedBy: () => string | null): Promise<unknown> {
  const { runs } = proxySinks<RunSinks>();
  const { workflowType, startTime } = workflowInfo();
  const tell = (result: string) => {
    const traceparent = startedBy();
    const trace = traceparent === null ? null : { traceparent, spanId: ownSpanId() };
    runs.closed(workflowType, result, startTime.getTime(), trace);
  };
  return running.then(
    (answer) => {
      tell(statusOf(answer));
      return answer;
    },
    (error: unknown) => {
      tell(error instanceof ContinueAsNew ? 'continued' : 'failed');
      throw error;
    },
  );
}

function statusOf(answer: unknown): string {
  const { status } = (answer ?? {}) as { status?: unknown };
  return typeof status === 'string' ? status : 'completed';
}
