import { taskQueues } from '#temporal/queues.ts';
import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { readConfig } from '#startup/config.ts';

/*
 * A program for health checks: exits with 0 when a worker of this machine, which in a container is the
 * container, has asked Temporal for workflow tasks lately, and with 1 otherwise.
 */

/** A worker asks again at least every minute, also when there is nothing to do. */
const latelyMs = 90_000;

async function isPolling(): Promise<boolean> {
  const { temporal, workerQueues } = readConfig(process.env);
  const { namespace } = temporal;
  const connection = await Connection.connect({ ...temporal.connection, connectTimeout: '5 s' });
  // Temporal's `TASK_QUEUE_TYPE_WORKFLOW`. A worker is known as PROCESS@HOST.
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    // One process serves all its queues, or none.
    taskQueue: { name: taskQueues[workerQueues[0] ?? 'charges'] },
    taskQueueType: 1,
  });
  return (pollers ?? []).some(
    ({ identity, lastAccessTime }) =>
      identity?.endsWith(`@${hostname()}`) && Date.now() - tsToMs(lastAccessTime) < latelyMs,
  );
}

const healthy = await isPolling().catch(() => false);
process.exit(healthy ? 0 : 1);
