import { standardHeaders } from '#http/middleware/security-headers.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types console',
].join('; ');

/** The headers of every answer of the console: those of the API, with what its own pages need. */
export const consoleHeaders = {
  ...standardHeaders,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': policy,
  // With `no-referrer`, forms would say `Origin: null`, and could not be told from those of others.
  'Referrer-Policy': 'same-origin',
};
