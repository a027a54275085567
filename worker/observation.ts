import type { ActivityInterceptorsFactory, InjectedSinks, WorkerOptions } from '@temporalio/worker';
import { keepBeating } from './heartbeats.ts';
import type { WorkMetrics } from '../telemetry/work-metrics.ts';
import type { RunSinks } from '../workflows/interceptors.ts';

/** Workflows whose steps answer how many they repaired, deleted or counted. */
const upkeep = new Set(['sweep', 'retention']);

/** What a worker is created with, so that its work is told. */
export interface Observation {
  sinks: InjectedSinks<RunSinks>;
  interceptors: NonNullable<WorkerOptions['interceptors']>;
}

export function observeWork(metrics: WorkMetrics | null): Observation {
  return {
    sinks: sinksTo(metrics),
    interceptors: { activity: [keepBeating, ...(metrics ? [measureActivities(metrics)] : [])] },
  };
}

/** There without metrics too: a run that tells what nobody takes is an error to the SDK. */
function sinksTo(metrics: WorkMetrics | null): InjectedSinks<RunSinks> {
  return {
    runs: {
      closed: {
        fn: (_run, workflow, result) => metrics?.workflowClosed(workflow, result),
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
