import { firstStepsMs } from '#domain/processor-calls.ts';

/**
 * Durations that tests wait for, each as short as its promise allows. They are times of the product itself, or longer than
 * one: what a test waits for in vain costs it nothing else, so nobody looks more often because of them.
 */

/** Settings of an API whose callers wait for a short time, but long enough to begin on a busy machine. */
export const hastyWindow = { SYNC_WINDOW_MS: '2500' };

/** The same, for what happens within the window: there is time for an outcome on a busy machine. */
export const narrowWindow = { SYNC_WINDOW_MS: '4000' };

/** Longer than the lease of a charge, and than Temporal waits for a workflow task (4 s). In milliseconds. */
export const standstillMs = firstStepsMs + 800;

/** A lease, the pause between two looks for lapsed ones (0.5 s), and the time that a busy machine takes. */
export const takenUpWithinMs = firstStepsMs + 10_800;
