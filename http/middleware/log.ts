import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from '../context.ts';

/** Writes a line for each request: no path, query, header or body, since these may hold secrets. */
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
