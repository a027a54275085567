import type { Middleware } from 'koa';
import type { RequestState } from '../context.ts';

/**
 * The headers of every answer of an API, unless its route sets others. They are helmet's headers, as strict as an API allows; a
 * test compares the two. Helmet itself would decide them again for each request.
 */
export const standardHeaders = {
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

/** A year, subdomains included: a forged subdomain could set cookies for this host. */
export const strictTransport = 'max-age=31536000; includeSubDomains';

/** Sets these headers on every answer. (Default: as an API has them) */
export function securityHeaders(
  headers: Readonly<Record<string, string>> = standardHeaders,
): Middleware<RequestState> {
  const entries = Object.entries(headers);
  return (ctx, next) => {
    // Koa's own `set` would check each value again.
    for (const [name, value] of entries) ctx.res.setHeader(name, value);
    if (ctx.secure) ctx.res.setHeader('Strict-Transport-Security', strictTransport);
    return next();
  };
}
