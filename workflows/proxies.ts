import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import { longestStepMs } from '#domain/processor-calls.ts';
import type { Activities } from '#activities/index.ts';

export type { Activities };

/** The only time-outs and retry policies of the workflows. */

/**
 * Steps that a caller waits for: they run in the worker that holds the workflow task, without a trip to the server.
 * {@link retriedActivities} resolve what they leave unknown. Steps are retried for as long as Postgres is away, after 5 s by
 * timers of the server.
 */
export const localActivities = proxyLocalActivities<Activities>({
  startToCloseTimeout: longestStepMs,
  localRetryThreshold: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '1m' },
});

/**
 * Steps that are retried until the processor answers: their retries add nothing to the history, and the UI shows the last
 * failure of a waiting one. A step of a killed worker begins again after its time-out.
 */
export const retriedActivities = proxyActivities<Activities>({
  startToCloseTimeout: longestStepMs,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Delivery sessions, of some 10 s each. A session of a killed worker begins again once its heartbeats are missed, and is
 * retried for as long as Postgres is away.
 */
export const sessionActivities = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Tasks of maintenance: the next run makes up for one that failed. The time-outs leave time for the last tasks of a run,
 * which ends after 15 minutes, when the first ones hang.
 */
export const maintenanceActivities = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  // A task of a killed worker must not hold up the sweep for as long as it might take.
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '95s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
});

/** Reconciliation: it reads the whole ledger. A worker that dies is noticed by its missing heartbeats. */
export const reconciliationActivities = proxyActivities<Activities>({
  startToCloseTimeout: '6h',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m', maximumAttempts: 5 },
});

/**
 * The work of an operation: one activity that resumes at the last checkpoint, sends heartbeats, and reads from the row
 * whether a cancel was requested. A worker that dies is noticed by its missing heartbeats.
 */
export const workActivities = proxyActivities<Activities>({
  startToCloseTimeout: '1h',
  scheduleToCloseTimeout: '24h',
  heartbeatTimeout: '5s',
  // The attempt that runs sees the cancel on the row; the next one takes up what it leaves behind.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
