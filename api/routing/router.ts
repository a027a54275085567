import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { ProblemError } from '#domain/problems.ts';
import type { Context, RequestState } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { createRouteServer, type Serve } from './callers.ts';
import { createParts, type Parts, type PartsDeps } from './parts.ts';

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
export function createRouter(deps: PartsDeps, routes: readonly Route[]): Middleware<RequestState> {
  const parts = createParts(deps);
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const resource of collectResources(routes, parts)) {
    router.all(toPattern(resource.template), (ctx) => serve(ctx as Context, ctx.params, resource));
  }
  const dispatch = router.routes() as unknown as Middleware<RequestState>;
  return (ctx) =>
    dispatch(ctx, async () => {
      await parts.budgets.documents.pay(ctx.ip);
      answerUnknownPath(ctx, router);
    });
}

/** Returns `/v1/charges/:id\:capture` for `/v1/charges/{id}:capture`: in the library's templates `:` begins a parameter. */
function toPattern(template: string): string {
  return template.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Returns a resource for each path template. Commands such as `{id}:capture` come first, since `{id}` matches them too. */
function collectResources(routes: readonly Route[], parts: Parts): Resource[] {
  const resources = new Map<string, Resource>();
  for (const route of routes) {
    const { method, path: template } = route;
    const resource = resources.get(template) ?? { template, methods: new Map<string, Serve>(), allow: '' };
    if (resource.methods.has(method)) throw new Error(`There are two routes for ${method} ${template}`);
    resource.methods.set(method, createRouteServer(route, parts));
    resource.allow = listAllowed(resource);
    resources.set(template, resource);
  }
  const isCommand = ({ template }: Resource) => Number(template.includes(':'));
  return [...resources.values()].toSorted((a, b) => isCommand(b) - isCommand(a));
}

function listAllowed({ methods }: Resource): string {
  const allowed = [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...allowed, 'OPTIONS'].join(', ');
}

async function serve(ctx: Context, params: Record<string, string>, resource: Resource): Promise<void> {
  ctx.state.route = resource.template;
  const handler = resource.methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
  // An id with a colon is a 404 of the route, with all that its answers have.
  if (handler) return handler(ctx, params);
  // Only a key may hold a colon. Otherwise it is a command that does not exist.
  if (params['key'] === undefined && ctx.path.includes(':') && !resource.template.includes(':'))
    throw new ProblemError('not_found');
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
