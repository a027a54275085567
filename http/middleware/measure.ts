import type { Middleware } from 'koa';
import type { HttpMetrics, Refusal } from '#telemetry/http-metrics.ts';
import type { RequestState } from '../context.ts';

/** Counts and times every request, after its answer. */
export function measure(metrics: HttpMetrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const leave = metrics.enter();
    try {
      await next();
    } finally {
      const { method, status } = ctx;
      leave({ method, status, route: ctx.state.route, refusal: toRefusal(status, ctx.state.isTurnedAway) });
    }
  };
}

function toRefusal(status: number, isTurnedAway: boolean): Refusal | null {
  if (isTurnedAway) return 'shed';
  return status === 429 ? 'rate_limited' : null;
}
