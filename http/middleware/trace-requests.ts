import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { incomingTrace, inSpan } from '#telemetry/spans.ts';
import type { RequestState } from '../context.ts';

/** Makes a span of each request, and gives the request its trace id. Mounted only if spans are sent. */
export const traceRequests: Middleware<RequestState> = (ctx, next) => {
  const header = ctx.req.headers['traceparent'];
  const parent = incomingTrace(typeof header === 'string' ? header : undefined);
  return inSpan(ctx.method, { kind: SpanKind.SERVER, parent }, async (span) => {
    ctx.state.traceId = span.spanContext().traceId;
    ctx.set('Trace-Id', ctx.state.traceId);
    await next();
    const { route } = ctx.state;
    if (route) span.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route);
    span.setAttributes({ 'http.request.method': ctx.method, 'http.response.status_code': ctx.status });
    if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  });
};
