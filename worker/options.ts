import type { WorkerOptions } from '@temporalio/worker';

/**
 * The worker's bounds; the benchmark runs its bare workflow under the same ones.
 */
export const workerOptions = {
  maxCachedWorkflows: 500,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 200,
  maxConcurrentActivityTaskExecutions: 100,
  /** What a killed worker had cached goes to another one within a caller's window, not after its end. */
  stickyQueueScheduleToStartTimeout: '2s',
  /** On stop, what runs may end; a call to the processor takes 4 s at most. */
  shutdownGraceTime: '6s',
  shutdownForceTime: '8s',
} satisfies Partial<WorkerOptions>;
