import type { Next } from 'koa';
import type { Context } from '../http/context.ts';

/**
 * What every answer says, unless its route says otherwise: nothing here is for a shared cache, a frame, another
 * site's page or a browser's guess. helmet's headers, as strict as something allows that is no page; a test
 * compares the two. Set by ourselves, since helmet would decide them anew for each request.
 */
export const alwaysSaid = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
};

/** A year, and for names beneath too: who can forge one of those could set cookies and pages for this one. */
export const strictTransport = 'max-age=31536000; includeSubDomains';

const entries = Object.entries(alwaysSaid);

export function securityHeaders(ctx: Context, next: Next): Promise<unknown> {
  // Past Koa's own `set`, which looks at each value.
  for (const [name, value] of entries) ctx.res.setHeader(name, value);
  if (ctx.secure) ctx.res.setHeader('Strict-Transport-Security', strictTransport);
  return next();
}
