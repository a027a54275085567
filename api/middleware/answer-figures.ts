import type { Middleware } from 'koa';
import type { RequestState } from '../http/context.ts';

/** Asked by those who start and watch processes, not by callers. */
const probes: readonly (string | null)[] = ['/livez', '/readyz'];

/**
 * Counts every answer for the figures that operators read: an addition, and nothing waits for it.
 *
 * @param answered is told the status, and whether the request was turned away because of load.
 */
export function countAnswers(
  answered: (status: number, isTurnedAway: boolean) => void,
): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    if (!probes.includes(ctx.state.route)) answered(ctx.status, ctx.state.isTurnedAway);
  };
}
