import { defineUpdate } from '@temporalio/workflow';

/** The messages of the bare workflows and their callers. */

export const bareTaskQueue = 'bare';
export const bareEagerTaskQueue = 'bare-eager';

/** Waits until the workflow is through. */
export const bareOutcome = defineUpdate<void, []>('outcome');
