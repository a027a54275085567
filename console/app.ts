import Koa, { type Middleware } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import type { Context, RequestState } from '#http/context.ts';
import { requireHost } from '#http/middleware/host.ts';
import { accessLog } from '#http/middleware/log.ts';
import { measure } from '#http/middleware/measure.ts';
import { securityHeaders, standardHeaders } from '#http/middleware/security-headers.ts';
import { traceRequests } from '#http/middleware/trace-requests.ts';
import { trace } from '#http/middleware/trace.ts';
import type { ConsoleDeps } from './deps.ts';
import { type Screens, screens as allScreens } from './pages.ts';
import { answerErrors } from './serving/errors.tsx';
import { answerHealth, serveAssets } from './serving/plain-routes.ts';
import { createRouter } from './serving/router.ts';

/**
 * Creates the application of the console. It does not listen.
 *
 * @param screens what it serves. (Default: all screens)
 */
export function createConsole(deps: ConsoleDeps, screens: Screens = allScreens): Koa<RequestState> {
  const { trustProxy, consoleUrl } = deps.config;
  const app = new Koa<RequestState>({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  const middleware = [
    trace,
    ...(deps.isTraced ? [traceRequests] : []),
    ...(deps.metrics ? [measure(deps.metrics)] : []),
    ...(deps.log.isLevelEnabled('info') ? [accessLog(deps.log)] : []),
    answerErrors(deps),
    securityHeaders(consoleHeaders),
    requireHost,
    answerHealth(deps.lifecycle),
    serveAssets,
    requireSameOrigin(consoleUrl),
    deps.signIn.serve,
    createRouter(deps, screens),
  ];
  for (const step of middleware) app.use(step);
  // These errors happen while a response is being sent.
  app.on('error', (error: unknown, ctx?: Context) =>
    deps.log.debug({ err: error, trace_id: ctx?.state.traceId }, 'connection lost during a response'),
  );
  return app;
}

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
const consoleHeaders = {
  ...standardHeaders,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': policy,
  // With `no-referrer`, forms would say `Origin: null`, and could not be told from those of others.
  'Referrer-Policy': 'same-origin',
};

/**
 * Refuses a POST that no page of ours sent, with 403: a page elsewhere may post a form for somebody who is signed in.
 * Browsers say where a request comes from in `Sec-Fetch-Site` (Fetch Metadata), and older ones in `Origin`. A request
 * with neither is refused too.
 *
 * @param consoleUrl how browsers reach the console.
 */
function requireSameOrigin(consoleUrl: string): Middleware<RequestState> {
  const { origin } = new URL(consoleUrl);
  return (ctx, next) => {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    const site = ctx.req.headers['sec-fetch-site'];
    const isOurs = site === undefined ? ctx.req.headers.origin === origin : site === 'same-origin';
    if (!isOurs) throw new ProblemError('insufficient_scope', { detail: foreignForm });
    return next();
  };
}

const foreignForm = 'This form was not sent from a page of the console.';
