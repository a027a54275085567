import { ActivityFailure, workflowInfo } from '@temporalio/workflow';
import { operationKinds } from '#domain/operations/operation-kinds.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import { localActivities, retriedActivities, workActivities } from './proxies.ts';
import { showProgress } from './progress-view.ts';
import { Wakes } from './runs.ts';

/**
 * One operation of any kind, from its claim until it is done: accepted with a 202, then worked on by the activity of its
 * kind. That returns `queued` if it has no slot. Called again, it resumes.
 *
 * A cancel request is on the row; a wake ends the wait before another attempt, and the next one ends the work.
 *
 * An account runs only so many operations at once. One that finds no slot waits without an activity, so that it takes no
 * place of others, until an operation that ends or the sweep wakes it.
 */
export async function operation(input: OperationInput): Promise<OperationProgress> {
  const { work, workflow } = operationKinds[input.type];
  const { workflowId, workflowType } = workflowInfo();
  if (workflowType !== workflow) throw new TypeError(`There is no workflow ${workflowType} of ${input.type}`);
  const wakes = new Wakes();
  const run = { ...input, workflowId };
  let progress = await localActivities.acceptOperation(run);
  while (!isDone(progress)) {
    showProgress(progress);
    const before = progress;
    progress = await wakes
      .endable(before, () => workActivities[work](run))
      .catch((error: unknown) => giveUp(error, input));
    // A step that was ended by a wake has not read whether it is to wait.
    if (progress !== before && progress.status === 'queued') await wakes.wait(null, 'Waits for a free slot');
  }
  showProgress(progress);
  if (progress.status !== 'not_started') await localActivities.startNext(input);
  return { status: progress.status };
}

function isDone({ status }: OperationProgress): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'cancelling';
}

/** Ends an operation whose work fails for good. */
function giveUp(error: unknown, input: OperationInput): Promise<OperationProgress> {
  if (error instanceof ActivityFailure) return retriedActivities.failOperation(input);
  throw error;
}
