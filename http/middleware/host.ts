import type { Next } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '../context.ts';

/** Refuses a request of HTTP/1.1 without Host (RFC 9112 §3.2). */
export function requireHost(ctx: Context, next: Next): Promise<unknown> {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') {
    throw new ProblemError('malformed_request', { detail: 'The Host header is missing.' });
  }
  return next();
}
