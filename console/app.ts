import Koa from 'koa';
import type { Context, RequestState } from '#http/context.ts';
import { requireHost } from '#http/middleware/host.ts';
import { accessLog } from '#http/middleware/log.ts';
import { measure } from '#http/middleware/measure.ts';
import { securityHeaders } from '#http/middleware/security-headers.ts';
import { traceRequests } from '#http/middleware/trace-requests.ts';
import { trace } from '#http/middleware/trace.ts';
import type { ConsoleDeps } from './deps.ts';
import { consoleHeaders } from './headers.ts';
import { screens as allScreens, type Screens } from './pages.ts';
import { answerErrors } from './serving/errors.tsx';
import { answerHealth, serveAssets } from './serving/plain-routes.ts';
import { createRouter } from './serving/router.ts';
import { requireSameOrigin } from './session/same-origin.ts';

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
