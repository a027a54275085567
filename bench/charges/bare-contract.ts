import { defineUpdate } from '@temporalio/workflow';

/** What the bare workflow and its caller agree on. */

export const bareTaskQueue = 'bare';

/** Waits until the workflow is through. */
export const bareOutcome = defineUpdate<void, []>('outcome');
