import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const everyMs = 1_000;

/** Workflows whose steps tell nothing by their heartbeats, unlike operations, which tell how far they are. */
const silent = new Set(['sweep', 'retention', 'webhookEndpoint']);

/**
 * Beats for steps that are to be missed when their worker is killed. So what it held begins again after seconds, and
 * not after the longest that it may take: a sweep that was cut off holds up the next one.
 */
export const keepBeating: ActivityInterceptorsFactory = ({ info, heartbeat }) => ({
  inbound: {
    async execute(input, next) {
      if (!info.heartbeatTimeoutMs || !silent.has(info.workflowType ?? '')) return next(input);
      const beating = setInterval(() => heartbeat(), everyMs);
      try {
        return await next(input);
      } finally {
        clearInterval(beating);
      }
    },
  },
});
