import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
  type LocalActivityOptions,
} from '@temporalio/workflow';
import { longestStepMs } from '#domain/processor-calls.ts';
import type { Activities } from '#activities/index.ts';

export type { Activities };

/** What each step does, for operators who read a history. */
const summaries: Partial<Record<keyof Activities, string>> = {
  authorizeCharge: 'Records the charge, sends it to the processor, and stores the answer',
  acceptCharge: 'Records the charge, and answers 202',
  resolveCharge: 'Asks the processor for the charge',
  captureCharge: 'Carries out the captures that wait for the charge',
  resolveCapture: 'Asks the processor for the capture, and sends it again if need be',
  voidCharge: 'Gives back what the processor holds of the charge',
  refundCharge: 'Records the refund, sends it to the processor, and stores the answer',
  acceptRefund: 'Records the refund, and answers 202',
  resolveRefund: 'Asks the processor for the refund, and sends it again if need be',
  reverseRefund: 'Carries out the reversals that wait for the refund',
  resolveReversal: 'Sends the reversal again until the processor has decided',
  settleRefund: 'Settles the refund, after a last question to the processor',
  acceptOperation: 'Records the operation, and answers 202',
  failOperation: 'Ends the operation as failed',
  startNext: 'Wakes the operations that waited for this one',
  deliverDue: 'Delivers what is due to the endpoint',
};

/** Returns the steps under these options, each with its summary. */
function summarize<Options extends ActivityOptions | LocalActivityOptions>(
  proxy: (options: Options) => object,
  options: Options,
): Activities {
  return new Proxy(proxy(options) as Activities, {
    get(steps, name: string) {
      const summary = summaries[name as keyof Activities];
      return Reflect.get(summary ? proxy({ ...options, summary }) : steps, name) as unknown;
    },
  });
}

/** The only time-outs and retry policies of the workflows. */

/**
 * Steps that a caller waits for: they run in the worker that holds the workflow task, without a trip to the server.
 * {@link retriedActivities} resolve what they leave unknown. Steps are retried for as long as Postgres is away, after 5 s by
 * timers of the server.
 */
export const localActivities = summarize(proxyLocalActivities<Activities>, {
  startToCloseTimeout: longestStepMs,
  localRetryThreshold: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '1m' },
});

/**
 * Steps that are retried until the processor answers: their retries add nothing to the history, and the UI shows the last
 * failure of a waiting one. A step of a killed worker begins again after its time-out.
 */
export const retriedActivities = summarize(proxyActivities<Activities>, {
  startToCloseTimeout: longestStepMs,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Delivery sessions, of some 10 s each. A session of a killed worker begins again once its heartbeats are missed, and is
 * retried for as long as Postgres is away.
 */
export const sessionActivities = summarize(proxyActivities<Activities>, {
  startToCloseTimeout: '1m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

/**
 * Tasks of maintenance: the next run makes up for one that failed. The time-outs leave time for the last tasks of a run,
 * which ends after 15 minutes, when the first ones hang.
 */
export const maintenanceActivities = summarize(proxyActivities<Activities>, {
  startToCloseTimeout: '90s',
  // A task of a killed worker must not hold up the sweep for as long as it might take.
  heartbeatTimeout: '5s',
  scheduleToCloseTimeout: '95s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 },
});

/** Reconciliation: it reads the whole ledger. A worker that dies is noticed by its missing heartbeats. */
export const reconciliationActivities = summarize(proxyActivities<Activities>, {
  startToCloseTimeout: '6h',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '10m', maximumAttempts: 5 },
});

/**
 * The work of an operation: one activity that resumes at the last checkpoint, sends heartbeats, and reads from the row
 * whether a cancel was requested. A worker that dies is noticed by its missing heartbeats.
 */
export const workActivities = summarize(proxyActivities<Activities>, {
  startToCloseTimeout: '1h',
  scheduleToCloseTimeout: '24h',
  heartbeatTimeout: '5s',
  // The attempt that runs sees the cancel on the row; the next one takes up what it leaves behind.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
