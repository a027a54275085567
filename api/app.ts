import Koa from 'koa';
import { findBeginWait } from '#db/writes/begin-waits.ts';
import { requireHost } from '#http/middleware/host.ts';
import { accessLog } from '#http/middleware/log.ts';
import { measure } from '#http/middleware/measure.ts';
import { securityHeaders } from '#http/middleware/security-headers.ts';
import { traceRequests } from '#http/middleware/trace-requests.ts';
import { readPublicPath, servePublicPath } from '#http/middleware/public-path.ts';
import { readTarget } from '#http/middleware/request-target.ts';
import { trace } from '#http/middleware/trace.ts';
import type { Context, RequestState } from './http/context.ts';
import type { ApiDeps } from './http/deps.ts';
import { LoadShedding } from './limits/load-shedding.ts';
import { countAnswers } from './middleware/answer-figures.ts';
import { limitAuthenticationFailures } from './middleware/authentication-failures.ts';
import { cors } from './middleware/cors.ts';
import { announceDeprecation } from './middleware/version.ts';
import { pauseRefusals } from './middleware/refusal-pause.ts';
import { logRequests } from './middleware/request-log.ts';
import { answerProblems } from './middleware/problems.ts';
import { startVersion } from './middleware/version.ts';
import type { Route } from './http/route.ts';
import { createRoutes } from './routes.ts';
import { createRouter } from './routing/router.ts';
import { BrokenFile } from './http/send-file.ts';

/**
 * Creates the HTTP application. It does not listen.
 *
 * @param routes the routes to serve. (Default: all routes)
 */
export function createApp(deps: ApiDeps, routes: readonly Route[] = createRoutes(deps)): Koa<RequestState> {
  // Each proxy adds the address of its caller. With `trustProxy` proxies of ours, the outermost one saw the first
  // address.
  const { trustProxy } = deps.config;
  const app = new Koa<RequestState>({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  const publicPath = readPublicPath(deps.config.publicUrl);
  const middleware = [
    trace,
    // Before all that measures a request: the pause is no work.
    pauseRefusals(),
    readTarget,
    ...(publicPath === '' ? [] : [servePublicPath(publicPath)]),
    startVersion,
    ...(deps.isTraced ? [traceRequests] : []),
    ...(deps.metrics ? [measure(deps.metrics)] : []),
    ...(deps.onAnswer ? [countAnswers(deps.onAnswer)] : []),
    ...(deps.logRequest ? [logRequests(deps.logRequest)] : []),
    ...(deps.log.isLevelEnabled('info') ? [accessLog(deps.log)] : []),
    ...(deps.config.corsOrigins.length > 0 ? [cors(deps.config.corsOrigins)] : []),
    announceDeprecation(deps.config.publicUrl),
    answerProblems(deps.config.publicUrl, deps.log),
    securityHeaders(),
    requireHost,
    limitAuthenticationFailures(deps),
    createRouter({ ...deps, load: createLoadShedding(deps) }, routes),
  ];
  for (const step of middleware) app.use(step);
  // These errors happen while a response is being sent.
  app.on('error', (error: unknown, ctx?: Context) => {
    const at = { err: error, trace_id: ctx?.state.traceId, route: ctx?.state.route };
    if (error instanceof BrokenFile)
      deps.log.error(at, 'response aborted: stored file differs from its operation');
    else deps.log.debug(at, 'connection lost during a response');
  });
  return app;
}

function createLoadShedding({ config, db, log }: ApiDeps): LoadShedding {
  return new LoadShedding({
    log,
    settings: config.load,
    findBeginWait: (sinceMs) => findBeginWait(db, sinceMs),
  });
}
