import type { Duration } from '@temporalio/common';
import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from 'pino';

/** Returns the Schedules of maintenance: what runs, and how often. */
function schedules(taskQueue: string): ScheduleOptions[] {
  const schedule = (name: string, every: Duration, within: Duration): ScheduleOptions => ({
    scheduleId: `maintenance/${name}/${taskQueue}`,
    spec: { intervals: [{ every }] },
    // A run that is late is dropped: the next one sees the same rows.
    policies: { overlap: 'SKIP', catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: name,
      workflowId: `maintenance/${name}`,
      taskQueue,
      workflowExecutionTimeout: within,
    },
  });
  return [
    schedule('sweep', '30s', '15m'),
    schedule('retention', '10m', '15m'),
    schedule('reconcile', '24h', '12h'),
  ];
}

/**
 * Creates the Schedules that do not exist, now and every `everyMs` milliseconds: Temporal's store may be lost and come
 * back empty. Returns the function that stops it.
 */
export function keepSchedules(client: Client, taskQueue: string, log: Logger, everyMs = 60_000): () => void {
  const ensure = async () => {
    for (const options of schedules(taskQueue)) {
      try {
        await client.schedule.create(options);
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning))
          log.warn({ err: error }, `schedule could not be created, retrying in ${everyMs / 1_000} s`);
      }
    }
  };
  void ensure();
  const timer = setInterval(() => void ensure(), everyMs);
  return () => clearInterval(timer);
}
