import type { Middleware } from 'koa';
import type { RequestState } from '../context.ts';

/** The headers that name an address of this service by its path (RFC 9110 §8.7, §10.2.2; RFC 8288). */
const headersWithPaths = ['Location', 'Content-Location', 'Link'] as const;

/** Returns the path that all addresses of this service begin with; `''` if `PUBLIC_URL` has none. */
export function readPublicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Serves everything below the path of `PUBLIC_URL`. A request may come with the path or without it, as the proxy in
 * front likes. All that an answer says of our own addresses has it. It is not mounted if there is no such path.
 */
export function servePublicPath(path: string): Middleware<RequestState> {
  // RFC 8414 §3.1: the path of an issuer stands behind the well-known one.
  const wellKnown = '/.well-known/oauth-authorization-server';
  return async (ctx, next) => {
    if (ctx.path === path || ctx.path.startsWith(`${path}/`)) ctx.url = ctx.url.slice(path.length) || '/';
    if (ctx.url.startsWith('?')) ctx.url = `/${ctx.url}`;
    if (ctx.path === wellKnown + path) ctx.url = wellKnown;
    await next();
    for (const name of headersWithPaths) {
      const value = ctx.response.get(name);
      if (value) ctx.set(name, value.replace(/^\/(?!\/)/, `${path}/`).replaceAll('</', `<${path}/`));
    }
    if (ctx.response.is('text/html') && Buffer.isBuffer(ctx.body))
      ctx.body = ctx.body.toString().replaceAll(/\b(href|src|action)="\/(?!\/)/g, `$1="${path}/`);
  };
}
