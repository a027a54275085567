import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '#activities/index.ts';

export type { Activities };

/**
 * The only time-outs and retry policies of the workflows.
 */

/**
 * Steps that the caller waits for: run in the worker that holds the workflow task, without a trip to the
 * server. A call to the processor is bounded to 4 s inside; what it leaves unknown goes on in {@link patient}.
 * They retry for as long as Postgres is away, soon by timers of the server and not in the task.
 */
export const prompt = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10s',
  localRetryThreshold: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '1m' },
});

/**
 * Steps that go on until the processor tells: their retries add nothing to the history, and the UI shows the
 * last failure of a waiting one. Each asks and sends, 4 s at most each; one that a killed worker held is soon
 * begun again.
 */
export const patient = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Turns of webhook endpoints: some 10 s of delivering each. One that a killed worker held begins again once its
 * heartbeats are missed, and goes on for as long as Postgres is away.
 */
export const delivering = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Tasks of maintenance: the next run makes up for one that failed. All tasks of a run together have less than its 15
 * minutes, so that the last ones are begun too when the first ones hang.
 */
export const maintenance = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  // One that a killed worker held must not hold up the sweep for as long as it might take.
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '95s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
});

/** Reading all books takes as long as there are books; a worker that dies is noticed by its silence. */
export const audit = proxyActivities<Activities>({
  startToCloseTimeout: '6h',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m', maximumAttempts: 5 },
});

/**
 * The work of an operation: one activity that resumes where the last attempt stopped, heartbeats, and looks at the
 * row for the wish to cancel. A worker that dies is noticed by its silence.
 */
export const work = proxyActivities<Activities>({
  startToCloseTimeout: '1h',
  scheduleToCloseTimeout: '24h',
  heartbeatTimeout: '5s',
  // The attempt that runs sees the cancel on the row; what it leaves behind is taken up by the next.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
