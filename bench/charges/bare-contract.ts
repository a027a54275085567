import { defineUpdate } from '@temporalio/workflow';

/** The messages of the bare workflow and its caller. */

export const bareTaskQueue = 'bare';

/** Waits until the workflow is through. */
export const bareOutcome = defineUpdate<void, []>('outcome');
