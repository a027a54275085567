import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import { createAuthentication } from './authentication.ts';
import { announcedBytes, readBytes } from './body.ts';
import type { Context, RequestState } from './context.ts';
import { blockOf } from '../limits/address-budgets.ts';
import type { ApiDeps } from './deps.ts';
import { isSingleHeader } from './headers.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import type { RawRequest, RawRoute } from './raw-route.ts';
import { renderAnswer } from './render.ts';
import { createRouteServer, type Callers, type Serve } from './serve-route.ts';
import type { Route } from './route.ts';

/** All that is served under one path template, by method. */
interface Resource {
  template: string;
  pattern: RegExp;
  parameters: string[];
  methods: Map<string, Serve>;
  /** For the Allow header. */
  allow: string;
}

/**
 * Mounts the routes and holds the rules that are the same for each of them: 404, 405 with Allow, HEAD as GET,
 * OPTIONS, 308 for a trailing slash (contract, Method semantics).
 */
export function createRouter(
  deps: Pick<ApiDeps, 'db' | 'tokens' | 'log' | 'config'> & { load: LoadShedding },
  table: { routes: Route[]; rawRoutes: RawRoute[] },
): Middleware<RequestState> {
  const callers = {
    authenticate: createAuthentication(deps),
    rateLimits: new RateLimits(deps),
    load: deps.load,
  };
  const resources = collect(table, callers);
  const dispatchers = createDispatchers(resources);
  return (ctx) => {
    const dispatch = dispatchers.get(nounOf(ctx.path));
    return dispatch ? dispatch(ctx, () => missed(ctx, resources)) : missed(ctx, resources);
  };
}

/** A router for each noun: the library tries its routes one by one, and there are many. */
function createDispatchers(resources: readonly Resource[]): Map<string, Middleware<RequestState>> {
  const routers = new Map<string, Router<RequestState>>();
  for (const resource of resources) {
    const noun = nounOf(resource.template);
    const router = routers.get(noun) ?? new Router<RequestState>();
    routers.set(
      noun,
      router.all(resource.pattern, (ctx) => serve(ctx as Context, resource)),
    );
  }
  return new Map(
    [...routers].map(([noun, router]) => [noun, router.routes() as unknown as Middleware<RequestState>]),
  );
}

/** `/v1/charges` of `/v1/charges/ch_1`, `/livez` of itself. */
function nounOf(path: string): string {
  return path.split('/', path.startsWith('/v1/') ? 3 : 2).join('/');
}

function collect(table: { routes: Route[]; rawRoutes: RawRoute[] }, callers: Callers): Resource[] {
  const resources = new Map<string, Resource>();
  const add = (method: string, template: string, serve: Serve) => {
    const resource = resources.get(template) ?? createResource(template);
    if (resource.methods.has(method)) throw new Error(`${method} ${template} is there twice`);
    resource.methods.set(method, serve);
    resource.allow = allowOf(resource);
    resources.set(template, resource);
  };
  for (const route of table.routes) add(route.method, route.path, createRouteServer(route, callers));
  for (const route of table.rawRoutes) add(route.method, route.path, createRawServer(route, callers.load));
  return [...resources.values()];
}

/** `/v1/charges/{id}:capture`: a parameter holds neither `/` nor `:`, so that no id swallows a verb; a key may hold `:`. */
function createResource(template: string): Resource {
  const parameters: string[] = [];
  const source = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
      parameters.push(name);
      return name === 'key' ? '([^/]+)' : '([^/:]+)';
    });
  // oxlint-disable-next-line patterns/linear -- a template holds a parameter or two, each up to the next slash
  const pattern = new RegExp(`^${source}$`);
  return { template, pattern, parameters, methods: new Map(), allow: '' };
}

function allowOf({ methods }: Resource): string {
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...allowed, 'OPTIONS'].join(', ');
}

async function serve(ctx: Context, resource: Resource): Promise<void> {
  ctx.state.route = resource.template;
  const handler = resource.methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
  if (handler) return handler(ctx, paramsOf(ctx.path, resource));
  if (ctx.method !== 'OPTIONS') {
    throw new ProblemError('method_not_allowed', { headers: { Allow: resource.allow } });
  }
  ctx.set('Allow', resource.allow);
  ctx.status = 204;
}

function paramsOf(path: string, { pattern, parameters }: Resource): Record<string, string> {
  if (parameters.length === 0) return {};
  const values = pattern.exec(path) ?? [];
  return Object.fromEntries(parameters.map((name, index) => [name, decode(values[index + 1] ?? '')]));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ProblemError('not_found');
  }
}

/** 308 where only a trailing slash is in the way, 404 otherwise. */
function missed(ctx: Context, resources: Resource[]): Promise<void> {
  const path = withoutTrailingSlashes(ctx.path);
  // Only to a path of ours: a Location of `//elsewhere` would lead away.
  const isKnown = path !== ctx.path && resources.some(({ pattern }) => pattern.test(path));
  if (!isKnown) return Promise.reject(new ProblemError('not_found'));
  // Koa takes a body of null for a 204, hence the order.
  ctx.body = null;
  ctx.status = 308;
  ctx.set('Location', path + ctx.search);
  return Promise.resolve();
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** How long a stranger may take to send a body, in milliseconds; it has 16 KiB at most. */
const strangersBodyMs = 5_000;

function createRawServer(route: RawRoute, load: LoadShedding): Serve {
  const kind = route.callers ?? 'public';
  return async (ctx, params) => {
    const caller = blockOf(ctx.ip);
    const leaves: (() => void)[] = [];
    const enter = async () => void leaves.push(await load.admit(kind, caller));
    const request: RawRequest = {
      method: route.method,
      params,
      traceId: ctx.state.traceId,
      headers: ctx.req.headers as RawRequest['headers'],
      prefers: (types) => ctx.accepts([...types]) || null,
      isSingle: (header) => isSingleHeader(ctx.req, header),
      // Whoever sends half of it has no place meanwhile.
      async readBody(limit) {
        leaves.push(load.reserve('strange', caller, announcedBytes(ctx.req, limit)));
        const bytes = await readBytes(ctx.req, limit, strangersBodyMs);
        await enter();
        return bytes;
      },
    };
    try {
      if (!route.body && !route.isAlwaysServed) await enter();
      renderAnswer(ctx, await route.handle(request));
    } finally {
      for (const leave of leaves) leave();
    }
  };
}
