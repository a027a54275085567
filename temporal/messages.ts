import { defineSignal } from '@temporalio/workflow';

/**
 * The only message to a run: it looks at its row at once, which says what is wanted. The signal carries nothing, so one
 * that is lost costs time and nothing else.
 */
export const wakeSignal = defineSignal('wake');
