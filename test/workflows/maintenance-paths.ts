import { ApplicationFailure } from '@temporalio/common';
import { newId } from '#db/new-id.ts';
import type { RetentionTask, SweepTask } from '#temporal/maintenance.ts';
import { taskQueues } from '#temporal/queues.ts';
import { eventually } from '../support/eventually.ts';
import type { Environment } from '../support/stack/environment.ts';
import type { Drive, TakenPath } from './taken-path.ts';

/** Every way that the workflows of maintenance can take: all tasks succeed, or one fails and stops no other. */

type Workflow = 'sweep' | 'retention' | 'reconcile';

/** Starts a run beside those of its Schedule. */
async function start({ temporal }: Environment, workflow: Workflow): Promise<TakenPath> {
  const workflowId = `maintenance/${workflow}/${newId('operation')}`;
  await temporal.workflow.start(workflow, { workflowId, taskQueue: taskQueues.charges });
  return { workflowId };
}

/** Fails a task while it waits for a table. */
const failing =
  (workflow: Workflow, task: SweepTask | RetentionTask, table: string): Drive =>
  async (env) => {
    const lock = await env.db.transaction();
    try {
      await lock.raw(`lock table ${table} in access exclusive mode`);
      const { workflowId } = await start(env, workflow);
      const activityId = await eventually(`${task} waits`, async () => {
        const { raw } = await env.temporal.workflow.getHandle(workflowId).describe();
        const [pending] = raw.pendingActivities ?? [];
        return pending?.activityType?.name === task && pending.activityId;
      });
      const failure = ApplicationFailure.nonRetryable('failed, for the recording');
      await env.temporal.activity.fail({ workflowId, activityId }, failure);
      return { workflowId, fails: true };
    } finally {
      await lock.rollback();
    }
  };

export const sweepPaths: Record<string, Drive> = {
  swept: (env) => start(env, 'sweep'),
  'one-task-failed': failing('sweep', 'writeBatchResults', 'charge_batch_rows'),
};

export const retentionPaths: Record<string, Drive> = {
  deleted: (env) => start(env, 'retention'),
  'one-task-failed': failing('retention', 'deleteAbandonedUploads', 'result_drafts'),
};

export const reconcilePaths: Record<string, Drive> = {
  compared: (env) => start(env, 'reconcile'),
};
