import type { WorkerOptions } from '@temporalio/worker';
import type { TaskQueues } from '#temporal/queues.ts';

type Bounds = Partial<WorkerOptions>;

/** The options of every queue. */
const stopping = {
  /** Workflows that a killed worker had cached go to another one within a caller's window. */
  stickyQueueScheduleToStartTimeout: '2s',
  /** On stop, running activities may end. One that takes longer is taken again by another worker, which asks first. */
  shutdownGraceTime: '6s',
  shutdownForceTime: '8s',
} satisfies Bounds;

/** The worker's bounds for charges; the benchmark runs its bare workflow under the same ones. */
export const workerOptions = {
  ...stopping,
  maxCachedWorkflows: 500,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 200,
  maxConcurrentActivityTaskExecutions: 100,
} satisfies Bounds;

/**
 * The API runs first steps only, and holds a slot of each kind for as long as the processor takes: two or three for each
 * write that may be under way at once.
 */
export const hostedOptions = {
  ...stopping,
  maxCachedWorkflows: 1_000,
  maxConcurrentWorkflowTaskExecutions: 400,
  maxConcurrentLocalActivityExecutions: 400,
  // Steps that are retried belong to the workers.
  enableNonLocalActivities: false,
} satisfies Bounds;

/** Operations are few and heavy: each holds a slot for as long as it works. */
const operations = {
  ...stopping,
  maxCachedWorkflows: 50,
  maxConcurrentWorkflowTaskExecutions: 10,
  maxConcurrentLocalActivityExecutions: 20,
  maxConcurrentActivityTaskExecutions: 8,
  maxConcurrentWorkflowTaskPolls: 2,
  maxConcurrentActivityTaskPolls: 2,
} satisfies Bounds;

/** Deliveries wait for receivers, and wait cheaply. */
const deliveries = {
  ...stopping,
  maxCachedWorkflows: 500,
  maxConcurrentWorkflowTaskExecutions: 20,
  maxConcurrentActivityTaskExecutions: 200,
  maxConcurrentWorkflowTaskPolls: 2,
  maxConcurrentActivityTaskPolls: 2,
} satisfies Bounds;

/** The bounds of each queue's worker. */
export const queueBounds = { charges: workerOptions, operations, deliveries } satisfies Record<
  keyof TaskQueues,
  Bounds
>;
