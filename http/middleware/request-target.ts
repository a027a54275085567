import type { Next } from 'koa';
import type { Context } from '../context.ts';

/**
 * Reads the target of a request in each form of RFC 9112 §3.2, so that all that follows sees one form: a path with its
 * query, in which only what must be encoded is.
 *
 * - absolute-form, as a proxy may send it: the host is dropped.
 * - a path whose `:` (as in `:capture`) or other permitted characters are percent-encoded, as some clients do.
 */
export function readTarget(ctx: Context, next: Next): Promise<unknown> {
  const given = ctx.req.url ?? '/';
  const target = given.startsWith('/') && !given.includes('%') ? given : toPathAndQuery(given);
  if (target !== given) ctx.url = target;
  return next();
}

function toPathAndQuery(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rooted = rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
  const query = rooted.indexOf('?');
  const path = query === -1 ? rooted : rooted.slice(0, query);
  return path.replaceAll(/%[0-9a-f]{2}/gi, decodePermitted) + rooted.slice(path.length);
}

/** RFC 3986 §3.3: what a segment of a path may hold as it is. */
const permitted = /^[\w.~!$&'()*+,;=:@-]$/;

function decodePermitted(encoded: string): string {
  const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
  return permitted.test(character) ? character : encoded;
}
