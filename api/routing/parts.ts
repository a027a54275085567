import { ProblemError } from '#domain/problems.ts';
import { queryFromVersion } from '#domain/versions/versions.ts';
import { createAuthentication } from '../http/authentication.ts';
import type { Context } from '../http/context.ts';
import type { ApiDeps } from '../http/deps.ts';
import { parseIdempotencyKey } from '../http/headers.ts';
import { noParameters, parseQuery } from '../http/query.ts';
import type { Route } from '../http/route.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import { PublicBudget } from '../limits/public-budget.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { createClientAnswers } from '../oauth/clients.ts';

export type PartsDeps = Pick<ApiDeps, 'db' | 'tokens' | 'log' | 'config'> & { load: LoadShedding };

/** Creates the parts that identify callers, limit them, and keep the audit. */
export function createParts(deps: PartsDeps) {
  const createBudget = () => new PublicBudget(deps.config.publicPagesPerSecond);
  return {
    db: deps.db,
    tokens: deps.tokens,
    load: deps.load,
    authenticate: createAuthentication(deps),
    rateLimits: new RateLimits(deps),
    /** Of people, each of whom has the budget of the settings. */
    memberLimits: new RateLimits(deps, 'member'),
    answerClient: createClientAnswers(deps),
    /** Of what anybody may read: a reader of one takes nothing from the other. */
    budgets: { documents: createBudget(), issuer: createBudget() },
  };
}

export type Parts = ReturnType<typeof createParts>;

/** One request on its way through the server of its route. */
export interface Visit {
  ctx: Context;
  /** The parameters of the path, decoded. */
  params: Record<string, string>;
  /** Leave what the request has entered. They are called when it has been answered. */
  leaves: (() => void)[];
}

/** What is known of a request that was let in. */
export interface Admission {
  /** In whose name its answer has room in memory; `null`: the answer is kept anyway, and has no bytes of its own. */
  name: string | null;
  serve: () => Promise<unknown>;
}

/**
 * Returns how requests to a route are let in and served. All that does not depend on a request is made once.
 *
 * The row of a caller owns the order. An account is known, and has a place and a token of its budget, before a byte of its
 * body is read. A stranger takes a place when its body has arrived: so nobody holds one by sending slowly.
 */
export type CallerRow = (route: Route, parts: Parts) => (visit: Visit) => Promise<Admission>;

/** Creates the reader of what the head of a request says, beside its caller. It throws {ProblemError}. */
export function createHeadReader(route: Route) {
  const { path, query = noParameters } = route;
  const empty = query.safeParse({});
  return (ctx: Context, pathParams: Record<string, string>) => {
    const { querystring, state } = ctx;
    const params = parseParams(route, pathParams);
    state.idempotencyKey = readIdempotencyKey(route, ctx.req.headers['idempotency-key']);
    const toCurrent = (name: string, value: string) => queryFromVersion(state.apiVersion, path, name, value);
    const isEmpty = querystring === '' && empty.success;
    return {
      ...describeRequest(ctx, route),
      params,
      idempotencyKey: state.idempotencyKey,
      query: isEmpty ? empty.data : parseQuery(query, querystring, toCurrent),
    };
  };
}

/** Returns the valid parameters. Throws `not_found`, and not 400, for an id that cannot exist. */
export function parseParams({ params: schema }: Route, params: Record<string, string>): unknown {
  if (!schema) return params;
  const result = schema.safeParse(params);
  if (!result.success) throw new ProblemError('not_found');
  return result.data;
}

/**
 * Returns the key. Only routes that declare it read the header (`docs/guides/keys-and-retries.md`, "Changes without a
 * key").
 */
function readIdempotencyKey(route: Route, header: string | string[] | undefined): string | null {
  if (route.idempotencyKey === undefined) return null;
  if (header !== undefined) return parseIdempotencyKey(String(header));
  if (route.idempotencyKey === 'required') throw new ProblemError('idempotency_key_required');
  return null;
}

/** Returns what every route is told of its request. */
export function describeRequest({ req, state, path, url }: Context, { method }: Route) {
  const headers = req.headers as Record<string, string | undefined>;
  return { traceId: state.traceId, method, path, url, headers };
}
