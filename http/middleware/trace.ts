import { randomUUID } from 'node:crypto';
import type { Next } from 'koa';
import type { Context } from '../context.ts';

/** W3C Trace Context §3.2: version, trace id, parent id, flags; later versions may append members. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Returns the trace id of a `traceparent` header, or a new one if it is missing or invalid (§4.3). */
export function readTraceId(header: string | undefined): string {
  const match = header === undefined ? null : traceparent.exec(header);
  const [, version, traceId, more] = match ?? [];
  if (traceId === undefined || (version === '00' && more !== undefined)) return newTraceId();
  return traceId;
}

/** Returns 122 random bits. Node has a stock of them for UUIDs; 16 fresh bytes would cost a system call. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Gives every request its state and every response its `Trace-Id`. */
export function trace(ctx: Context, next: Next): Promise<unknown> {
  const header = ctx.req.headers['traceparent'];
  ctx.state = {
    traceId: readTraceId(typeof header === 'string' ? header : undefined),
    route: null,
    accountId: null,
    clientId: null,
    memberId: null,
    isTurnedAway: false,
  };
  ctx.set('Trace-Id', ctx.state.traceId);
  return next();
}
