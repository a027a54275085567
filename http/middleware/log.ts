import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { toAddressBlock } from '../address-blocks.ts';
import type { RequestState } from '../context.ts';
import { LineShares } from '../line-shares.ts';

/** Lines of refused requests. Those that are answered cost their callers tokens, so they are bounded already. */
const shareOfOne = { atOnce: 100, perSecond: 2 };
const shareOfAll = { atOnce: 1_000, perSecond: 100 };

/**
 * Writes a line for each request: no path, query, header or body, since these may hold secrets. A caller who is refused again
 * and again has a share of the lines. The next of them says how many were left out.
 */
export function accessLog(log: Logger): Middleware<RequestState> {
  const [ofOne, ofAll] = [new LineShares(shareOfOne), new LineShares(shareOfAll)];
  const takeLine = (caller: string): number | null => {
    const leftOut = ofOne.take(caller);
    const leftOutOfAll = leftOut === null ? null : ofAll.take('all');
    return leftOut === null || leftOutOfAll === null ? null : leftOut + leftOutOfAll;
  };
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { traceId, route, accountId, clientId } = ctx.state;
    const leftOut = ctx.status < 400 ? 0 : takeLine(accountId ?? toAddressBlock(ctx.ip, 48));
    if (leftOut === null) return;
    log.info(
      {
        method: ctx.method,
        route,
        status: ctx.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        trace_id: traceId,
        account: accountId,
        client: clientId,
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      'request',
    );
  };
}
