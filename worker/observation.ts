import type { ActivityInterceptorsFactory, InjectedSinks, WorkerOptions } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import { currentTimeMs } from '#db/clock.ts';
import { readFigureLag } from '#db/payments/charge-figures.ts';
import { countOpenDeliveries } from '#db/webhooks/due-deliveries.ts';
import type { Database } from '#db/knex.ts';
import { longestUncheckedMs } from '#db/open-resources.ts';
import { countSetAside, type RowTask } from '#db/maintenance-faults.ts';
import type { NewAttempt } from '#db/webhooks/webhook-attempts.ts';
import { idTime } from '#domain/ids.ts';
import { DeliveryMetrics } from '#telemetry/delivery-metrics.ts';
import { MaintenanceMetrics } from '#telemetry/maintenance-metrics.ts';
import type { WorkMetrics } from '#telemetry/work-metrics.ts';
import { traceActivities, traceRun } from '#telemetry/temporal-worker.ts';
import type { Tracing } from '#telemetry/tracing.ts';
import type { RunSinks } from '#workflows/interceptors.ts';

/** Workflows whose activities return how many rows they repaired, deleted or counted. */
const maintenance = new Set(['sweep', 'retention', 'reconcile']);

/** In milliseconds. */
const heartbeatMs = 1_000;

/** Workflows whose activities send no heartbeats by themselves; those of operations do, with their progress. */
const withHeartbeats = new Set(['sweep', 'retention', 'webhookEndpoint']);

/**
 * Sends the heartbeats of activities that are to begin again seconds after their worker was killed, and not after their
 * time-out: a sweep that was cut off holds up the next one.
 */
const sendHeartbeats: ActivityInterceptorsFactory = ({ info, heartbeat }) => ({
  inbound: {
    async execute(input, next) {
      if (!info.heartbeatTimeoutMs || !withHeartbeats.has(info.workflowType ?? '')) return next(input);
      const timer = setInterval(() => heartbeat(), heartbeatMs);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});

/** The options of a worker that report its work. */
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
    sendHeartbeats,
    ...(tracing ? [traceActivities] : []),
    ...(metrics ? [measureActivities(metrics)] : []),
  ];
  return { sinks: buildSinks({ metrics, tracing }), interceptors: { activity } };
}

/** Returns sinks without observers too: to the SDK, a report without a sink is an error. */
function buildSinks({ metrics, tracing }: Observers): InjectedSinks<RunSinks> {
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
          if (maintenance.has(workflowType ?? '')) recordCounts(metrics, activityType, answer);
          return answer;
        } finally {
          metrics.activityEnded(activityType, outcome, (performance.now() - since) / 1_000);
        }
      },
    },
  });
}

/** Records a count, or several with a name each: `repairOperations.ended`. */
function recordCounts(metrics: WorkMetrics, step: string, answer: unknown): void {
  if (typeof answer === 'number') metrics.maintenanceDone(step, answer);
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, count] of Object.entries(answer)) recordCounts(metrics, `${step}.${name}`, count);
}

/** Measures how far maintenance is behind. Returns the function that counts a row for which a task failed. */
export function observeMaintenance(registry: Registry, db: Database): (step: RowTask) => void {
  const metrics = new MaintenanceMetrics(registry, {
    async unchecked() {
      const [charges, refunds] = await Promise.all([
        longestUncheckedMs(db, 'charges'),
        longestUncheckedMs(db, 'refunds'),
      ]);
      return { charges, refunds };
    },
    setAside: () => countSetAside(db),
    figureLag: () => readFigureLag(db),
  });
  return (step) => metrics.rowFailed(step);
}

/** Measures deliveries. Returns the function that records an attempt. */
export function observeDeliveries(registry: Registry, db: Database): (attempt: NewAttempt) => void {
  const metrics = new DeliveryMetrics(registry, () => countOpenDeliveries(db));
  return ({ deliveryId, number, error, latencyMs }) =>
    metrics.attempted({
      outcome: error ?? 'delivered',
      seconds: latencyMs / 1_000,
      isFirst: number === 1,
      // The id of a delivery has the time of its event.
      lagSeconds: (currentTimeMs() - idTime(deliveryId)) / 1_000,
    });
}
