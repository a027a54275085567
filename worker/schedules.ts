import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Logger } from 'pino';

/** The upkeep of the service: what runs, and how often. */
function schedules(taskQueue: string): ScheduleOptions[] {
  const upkeep = (name: 'retention' | 'sweep', every: '30s' | '10m'): ScheduleOptions => ({
    scheduleId: `maintenance/${name}/${taskQueue}`,
    spec: { intervals: [{ every }] },
    // A turn that is late is dropped: the next one sees the same rows.
    policies: { overlap: 'SKIP', catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: name,
      workflowId: `maintenance/${name}`,
      taskQueue,
      workflowExecutionTimeout: '15m',
    },
  });
  return [upkeep('sweep', '30s'), upkeep('retention', '10m')];
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
