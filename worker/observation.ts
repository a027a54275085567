import type { ActivityInterceptorsFactory, InjectedSinks, WorkerOptions } from '@temporalio/worker';
import { keepBeating } from './heartbeats.ts';
import type { WorkMetrics } from '../telemetry/work-metrics.ts';
import { traceActivities, traceRun } from '../telemetry/temporal-worker.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { RunSinks } from '../workflows/interceptors.ts';

/** Workflows whose steps answer how many they repaired, deleted or counted. */
const upkeep = new Set(['sweep', 'retention']);

/** What a worker is created with, so that its work is told. */
export interface Observation {
  sinks: InjectedSinks<RunSinks>;
  interceptors: NonNullable<WorkerOptions['interceptors']>;
}

export interface Observers {
  metrics: WorkMetrics | null;
  tracing: Tracing | null;
}

export function observeWork({ metrics, tracing }: Observers): Observation {
  const activity = [
    keepBeating,
    ...(tracing ? [traceActivities] : []),
    ...(metrics ? [measureActivities(metrics)] : []),
  ];
  return { sinks: sinksTo({ metrics, tracing }), interceptors: { activity } };
}

/** There without observers too: a run that tells what nobody takes is an error to the SDK. */
function sinksTo({ metrics, tracing }: Observers): InjectedSinks<RunSinks> {
  return {
    runs: {
      closed: {
        fn(_run, workflow, result, startedAtMs, trace) {
          metrics?.workflowClosed(workflow, result);
          if (tracing && trace)
            traceRun(tracing, { workflow, result, startedAt: new Date(startedAtMs), ...trace });
        },
        callDuringReplay: false,
      },
    },
  };
}

function measureActivities(metrics: WorkMetrics): ActivityInterceptorsFactory {
  return ({ info: { activityType, workflowType } }) => ({
    inbound: {
      async execute(input, next) {
        const since = performance.now();
        let outcome: 'completed' | 'failed' = 'failed';
        try {
          const answer = await next(input);
          outcome = 'completed';
          if (typeof answer === 'number' && upkeep.has(workflowType ?? ''))
            metrics.upkeepDone(activityType, answer);
          return answer;
        } finally {
          metrics.activityEnded(activityType, outcome, (performance.now() - since) / 1_000);
        }
      },
    },
  });
}
