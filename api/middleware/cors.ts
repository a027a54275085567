import type { Middleware } from 'koa';
import type { RequestState } from '../http/context.ts';

/** The headers that a page may send, besides the CORS-safelisted ones (Fetch). */
export const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'API-Version',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Range',
  'If-Unmodified-Since',
  'Prefer',
  'Range',
  'traceparent',
  'tracestate',
  'baggage',
  // What tracing libraries add to each request of a page: Sentry, Zipkin, Datadog, New Relic, Elastic, Jaeger, AWS,
  // Google, and Application Insights. One that is not listed would stop the request itself.
  'sentry-trace',
  'b3',
  'X-B3-TraceId',
  'X-B3-SpanId',
  'X-B3-ParentSpanId',
  'X-B3-Sampled',
  'X-B3-Flags',
  'x-datadog-trace-id',
  'x-datadog-parent-id',
  'x-datadog-origin',
  'x-datadog-sampling-priority',
  'x-datadog-tags',
  'newrelic',
  'elastic-apm-traceparent',
  'uber-trace-id',
  'X-Amzn-Trace-Id',
  'X-Cloud-Trace-Context',
  'Request-Id',
  'Request-Context',
];

/** The headers that a page may read, besides the CORS-safelisted ones (Fetch). */
export const exposedHeaders = [
  'Accept-Encoding',
  'Accept-Patch',
  'Accept-Ranges',
  'Allow',
  'API-Version',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Last-Modified',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'Trace-Id',
  'WWW-Authenticate',
];

/** The seconds for which a browser may keep a preflight. */
const preflightMaxAge = '600';

/**
 * Lets pages of these origins call, with a token and without cookies. It is not mounted without
 * origins: then no answer mentions origins.
 *
 * @param origins exact; there is no wildcard.
 */
export function cors(origins: readonly string[]): Middleware<RequestState> {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    await next();
    // On answers to other origins too: a cache must not mix them up.
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!allowed.has(origin)) return;
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', exposedHeaders.join(', '));
    const methods = ctx.res.getHeader('Allow');
    if (ctx.method !== 'OPTIONS' || !ctx.get('Access-Control-Request-Method') || !methods) return;
    ctx.set('Access-Control-Allow-Methods', String(methods));
    ctx.set('Access-Control-Allow-Headers', requestHeaders.join(', '));
    ctx.set('Access-Control-Max-Age', preflightMaxAge);
  };
}
