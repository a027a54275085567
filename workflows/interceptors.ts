import {
  ContinueAsNew,
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

/**
 * What every run tells the worker that runs it. It goes out by sinks, which are silent in a replay and leave nothing
 * in the history, so that histories replay with and without it.
 */
export interface RunSinks extends Sinks {
  runs: {
    /** @param result the status that the run answered, or how it ended without one. */
    closed(workflow: string, result: string): void;
  };
}

/** The name under which the bundler's module is asked for. */
export function interceptors(): WorkflowInterceptors {
  return { inbound: [{ execute: tellResult }] };
}

const tellResult: NonNullable<WorkflowInboundCallsInterceptor['execute']> = (input, next) => {
  const { runs } = proxySinks<RunSinks>();
  const { workflowType } = workflowInfo();
  return next(input).then(
    (answer) => {
      runs.closed(workflowType, statusOf(answer));
      return answer;
    },
    (error: unknown) => {
      runs.closed(workflowType, error instanceof ContinueAsNew ? 'continued' : 'failed');
      throw error;
    },
  );
};

function statusOf(answer: unknown): string {
  const { status } = (answer ?? {}) as { status?: unknown };
  return typeof status === 'string' ? status : 'completed';
}
