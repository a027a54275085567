import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const intervalMs = 1_000;

/** Workflows whose activities send no heartbeats by themselves; those of operations do, with their progress. */
const workflows = new Set(['sweep', 'retention', 'webhookEndpoint']);

/**
 * Sends the heartbeats of activities that are to begin again seconds after their worker was killed, and not after their
 * time-out: a sweep that was cut off holds up the next one.
 */
export const sendHeartbeats: ActivityInterceptorsFactory = ({ info, heartbeat }) => ({
  inbound: {
    async execute(input, next) {
      if (!info.heartbeatTimeoutMs || !workflows.has(info.workflowType ?? '')) return next(input);
      const timer = setInterval(() => heartbeat(), intervalMs);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
