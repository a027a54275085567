import type { Middleware } from 'koa';
import type { RequestState } from '../http/context.ts';

/** What a page may send beyond what every page may (Fetch, CORS-safelisted request-header). */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'API-Version',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Prefer',
  'traceparent',
].join(', ');

/** What a page may read beyond what every page may (Fetch, CORS-safelisted response-header name). */
const exposedHeaders = [
  'Accept-Patch',
  'Allow',
  'API-Version',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'Trace-Id',
  'WWW-Authenticate',
].join(', ');

/** Seconds that a browser may rely on a preflight. */
const preflightMaxAge = '600';

/**
 * Lets pages of these origins call, with a token and without cookies (decisions, CORS). Not mounted where there
 * are none: then no answer says anything of origins.
 *
 * @param origins exact; there is no wildcard.
 */
export function cors(origins: readonly string[]): Middleware<RequestState> {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    await next();
    // Of other origins too: a cache must not give the answer to one of them to this one.
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!allowed.has(origin)) return;
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    const methods = ctx.res.getHeader('Allow');
    if (ctx.method !== 'OPTIONS' || !ctx.get('Access-Control-Request-Method') || !methods) return;
    ctx.set('Access-Control-Allow-Methods', String(methods));
    ctx.set('Access-Control-Allow-Headers', requestHeaders);
    ctx.set('Access-Control-Max-Age', preflightMaxAge);
  };
}
