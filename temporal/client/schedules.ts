import type { Duration } from '@temporalio/common';
import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from 'pino';

/** The upkeep of the service: what runs, and how often. */
function schedules(taskQueue: string): ScheduleOptions[] {
  const upkeep = (name: string, every: Duration, within: Duration): ScheduleOptions => ({
    scheduleId: `maintenance/${name}/${taskQueue}`,
    spec: { intervals: [{ every }] },
    // A turn that is late is dropped: the next one sees the same rows.
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
    upkeep('sweep', '30s', '15m'),
    upkeep('retention', '10m', '15m'),
    upkeep('reconcile', '24h', '12h'),
  ];
}

const ensureEveryMs = 60_000;

/**
 * Sees to it that the Schedules exist, now and every minute: Temporal's store may be lost and come back empty.
 * Returns what stops it.
 */
export function keepSchedules(client: Client, taskQueue: string, log: Logger): () => void {
  const ensure = async () => {
    for (const schedule of schedules(taskQueue)) {
      try {
        await client.schedule.create(schedule);
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) log.warn({ err: error }, 'schedule not ensured');
      }
    }
  };
  void ensure();
  const timer = setInterval(() => void ensure(), ensureEveryMs);
  return () => clearInterval(timer);
}
