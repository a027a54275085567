import type { Next } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import type { Context } from '../context.ts';

/** Refuses a request with two Hosts, and one of HTTP/1.1 without (RFC 9112 §3.2). Node drops the second one in silence. */
export function requireHost(ctx: Context, next: Next): Promise<unknown> {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') {
    throw new ProblemError('malformed_request', { detail: 'The Host header is missing.' });
  }
  if (countHosts(ctx.req.rawHeaders) > 1)
    throw new ProblemError('malformed_request', { detail: 'Send one Host header.' });
  return next();
}

function countHosts(rawHeaders: readonly string[]): number {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') seen += 1;
  }
  return seen;
}
