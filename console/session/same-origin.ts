import type { Middleware } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import type { RequestState } from '#http/context.ts';

/**
 * Refuses a POST that no page of ours sent, with 403: a page elsewhere may post a form for somebody who is signed in.
 * Browsers say where a request comes from in `Sec-Fetch-Site` (Fetch Metadata), and older ones in `Origin`. A request
 * with neither is refused too.
 *
 * @param consoleUrl how browsers reach the console.
 */
export function requireSameOrigin(consoleUrl: string): Middleware<RequestState> {
  const { origin } = new URL(consoleUrl);
  return (ctx, next) => {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    const site = ctx.req.headers['sec-fetch-site'];
    const isOurs = site === undefined ? ctx.req.headers.origin === origin : site === 'same-origin';
    if (!isOurs) throw new ForeignForm();
    return next();
  };
}

/** A form that was sent from elsewhere. */
export class ForeignForm extends ProblemError {
  constructor() {
    super('insufficient_scope', { detail: 'This form was not sent from a page of the console.' });
  }
}
