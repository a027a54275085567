import type { Middleware } from 'koa';
import type { Context, RequestState } from '../context.ts';
import type { LoadKind, LoadShedding } from '../load-shedding.ts';

/** They tell whoever watches the process how it is, so they answer most of all when it is not well. */
const neverShed = new Set(['/livez', '/readyz', '/metrics']);

/** Contract, Limits: 503 with Retry-After, before anything of the request was looked at but its head. */
export function shedLoad(load: LoadShedding): Middleware<RequestState> {
  return async (ctx, next) => {
    if (neverShed.has(ctx.path)) return next();
    const leave = await load.admit(kindOf(ctx));
    try {
      return await next();
    } finally {
      leave();
    }
  };
}

/** What is outside of `/v1` waits for no outcome, whatever its method. */
function kindOf({ method, path }: Pick<Context, 'method' | 'path'>): LoadKind {
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return isSafe || !path.startsWith('/v1/') ? 'reads' : 'writes';
}
