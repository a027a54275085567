/**
 * The task queues: each kind of work has its own, with workers and bounds of its own, so that a long export
 * or a slow webhook receiver takes no slot from a charge.
 */
export interface TaskQueues {
  /** Charges, refunds and maintenance: callers wait for them. */
  charges: string;
  /** Exports, batches and replays: long, and resumed where they were. */
  operations: string;
  /** Webhook deliveries. */
  deliveries: string;
}

export const taskQueues: TaskQueues = {
  charges: 'payments',
  operations: 'payments-operations',
  deliveries: 'payments-deliveries',
};
