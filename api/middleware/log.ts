import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from '../http/context.ts';

/**
 * One line a request. The route's template and not the path, never a query, a header or a body: any of
 * them may hold what must not be kept.
 */
export function accessLog(log: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { traceId, route, accountId, clientId } = ctx.state;
    log.info(
      {
        method: ctx.method,
        route,
        status: ctx.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        trace_id: traceId,
        account: accountId,
        client: clientId,
      },
      'request',
    );
  };
}
