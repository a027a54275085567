import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import { createEstimate, serveInRoom } from './answer-rooms.ts';
import { createAuthentication } from './authentication.ts';
import { announcedBytes, readBytes } from './body.ts';
import type { Context, RequestState } from './context.ts';
import { toAddressBlock } from '#http/address-blocks.ts';
import type { ApiDeps } from './deps.ts';
import { isSingleHeader } from './headers.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import { PublicBudget } from '../limits/public-budget.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import type { RawRequest, RawRoute } from './raw-route.ts';
import { renderAnswer } from './render.ts';
import { createRouteServer, type Callers, type Serve } from './serve-route.ts';
import type { Route } from './route.ts';

/** A path template with its methods. */
interface Resource {
  template: string;
  methods: Map<string, Serve>;
  /** The `Allow` header. */
  allow: string;
}

/**
 * Mounts the routes, with the rules that all of them share: 404, 405 with `Allow`, HEAD as GET, OPTIONS, and 308 for a
 * trailing slash.
 */
export function createRouter(
  deps: Pick<ApiDeps, 'db' | 'tokens' | 'log' | 'config'> & { load: LoadShedding },
  table: { routes: Route[]; rawRoutes: RawRoute[] },
): Middleware<RequestState> {
  const callers = {
    db: deps.db,
    authenticate: createAuthentication(deps),
    rateLimits: new RateLimits(deps),
    memberLimits: new RateLimits(deps, 'member'),
    load: deps.load,
  };
  const perSecond = deps.config.publicPagesPerSecond;
  const budgets = { documents: new PublicBudget(perSecond), issuer: new PublicBudget(perSecond) };
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const resource of collectResources(table, callers, budgets)) {
    router.all(toPattern(resource.template), (ctx) => serve(ctx as Context, ctx.params, resource));
  }
  const dispatch = router.routes() as unknown as Middleware<RequestState>;
  return (ctx) =>
    dispatch(ctx, async () => {
      await budgets.documents.pay(ctx.ip);
      answerUnknownPath(ctx, router);
    });
}

/** Returns `/v1/charges/:id\:capture` for `/v1/charges/{id}:capture`: in the library's templates `:` begins a parameter. */
function toPattern(template: string): string {
  return template.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Returns a resource for each path template. Commands such as `{id}:capture` come first, since `{id}` matches them too. */
function collectResources(
  table: { routes: Route[]; rawRoutes: RawRoute[] },
  callers: Callers,
  budgets: PublicBudgets,
): Resource[] {
  const resources = new Map<string, Resource>();
  const add = (method: string, template: string, serve: Serve) => {
    const resource = resources.get(template) ?? { template, methods: new Map<string, Serve>(), allow: '' };
    if (resource.methods.has(method)) throw new Error(`There are two routes for ${method} ${template}`);
    resource.methods.set(method, serve);
    resource.allow = listAllowed(resource);
    resources.set(template, resource);
  };
  for (const route of table.routes) add(route.method, route.path, createRouteServer(route, callers));
  for (const route of table.rawRoutes)
    add(route.method, route.path, createRawServer(route, callers.load, budgets));
  const isCommand = ({ template }: Resource) => Number(template.includes(':'));
  return [...resources.values()].toSorted((a, b) => isCommand(b) - isCommand(a));
}

function listAllowed({ methods }: Resource): string {
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...allowed, 'OPTIONS'].join(', ');
}

async function serve(ctx: Context, params: Record<string, string>, resource: Resource): Promise<void> {
  // Only a key may hold a colon: an id with one is a command that does not exist.
  if (params['key'] === undefined && ctx.path.includes(':') && !resource.template.includes(':'))
    throw new ProblemError('not_found');
  ctx.state.route = resource.template;
  const handler = resource.methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
  if (handler) return handler(ctx, params);
  if (ctx.method !== 'OPTIONS') {
    throw new ProblemError('method_not_allowed', { headers: { Allow: resource.allow } });
  }
  ctx.set('Allow', resource.allow);
  ctx.status = 204;
}

/** Answers 308 if the path is known without its trailing slashes, and 404 otherwise. */
function answerUnknownPath(ctx: Context, router: Router<RequestState>): void {
  if (ctx.url === '*') return answerAsterisk(ctx);
  const path = ctx.path.replace(/(?<!\/)\/+$/, '');
  // Only to a known path: a `Location` of `//elsewhere` would lead to another host.
  if (path === ctx.path || !router.match(path, ctx.method).route) throw new ProblemError('not_found');
  // Koa takes a body of null for a 204, hence the order.
  ctx.body = null;
  ctx.status = 308;
  ctx.set('Location', path + ctx.search);
}

/** Answers a request about the service as a whole, which only OPTIONS makes (RFC 9110 §9.3.7). */
function answerAsterisk(ctx: Context): void {
  if (ctx.method !== 'OPTIONS') throw new ProblemError('malformed_request');
  ctx.set('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  ctx.status = 204;
}

/** The longest time in which a stranger sends a body, in milliseconds. The body has at most 16 KiB. */
const strangersBodyMs = 5_000;

/** The budgets of what anybody may read: a reader of one takes nothing from the other. */
type PublicBudgets = Record<'documents' | 'issuer', PublicBudget>;

function createRawServer(route: RawRoute, load: LoadShedding, budgets: PublicBudgets): Serve {
  const kind = route.callers ?? 'public';
  const estimate = createEstimate(route);
  return async (ctx, params) => {
    const caller = toAddressBlock(ctx.ip, 48);
    const leaves: (() => void)[] = [];
    const enter = async () => void leaves.push(await load.admit(kind, caller));
    const request: RawRequest = {
      method: route.method,
      params,
      path: ctx.path,
      search: ctx.search,
      traceId: ctx.state.traceId,
      address: ctx.ip,
      headers: ctx.req.headers as RawRequest['headers'],
      prefers: (types) => ctx.accepts([...types]) || null,
      isSingle: (header) => isSingleHeader(ctx.req, header),
      // A request takes no place while its body arrives.
      async readBody(limit) {
        leaves.push(load.reserve('strange', caller, announcedBytes(ctx.req, limit)));
        const bytes = await readBytes(ctx.req, limit, strangersBodyMs);
        await enter();
        return bytes;
      },
    };
    try {
      if (kind === 'public' && !route.isAlwaysServed) {
        const budget = route.tag === 'documents' ? budgets.documents : budgets.issuer;
        await budget.pay(ctx.ip, route.cost);
      }
      if (!route.body && !route.isAlwaysServed) await enter();
      const respond = async () => renderAnswer(ctx, await route.handle(request));
      // Public pages are kept, and have no bytes of their own; the health of the process is told in any case.
      if (kind === 'public') await respond();
      else await serveInRoom(ctx, load, { caller: `${kind} ${caller}`, bytes: estimate(ctx) }, respond);
    } finally {
      for (const leave of leaves) leave();
    }
  };
}
