import type { z } from 'zod';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import type { Author } from '#db/writes/authors.ts';
import { toAction } from '#domain/audit.ts';
import { findIdInPath } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { bodyFromVersion, queryFromVersion } from '#domain/versions/versions.ts';
import type { AuditOutcome, NewAuditEntry } from '#db/access/audit-entries.ts';
import { audited, auditedAfter } from './audit.ts';
import { createEstimate, serveInRoom } from './answer-rooms.ts';
import { authorize, type Authenticate, type Caller } from './authentication.ts';
import { toAddressBlock } from '#http/address-blocks.ts';
import { announcedBytes, createBodyReader, defaultBodyLimit, type ParsedBody } from './body.ts';
import type { Context } from './context.ts';
import { parseApiVersion, parseIdempotencyKey } from './headers.ts';
import { unavailableWithoutDatabase } from './outage.ts';
import type { LoadShedding } from '../limits/load-shedding.ts';
import { noParameters, parseQuery } from './query.ts';
import { limitRate, type BucketState, type RateLimits } from '../limits/rate-limits.ts';
import { renderAnswer } from './render.ts';
import { listScopes, type ApiRequest, type CallerRequest, type Route } from './route.ts';
import { sendFile } from './send-file.ts';

/** Serves the requests of one route. `params` are the parameters of the path, decoded. */
export type Serve = (ctx: Context, params: Record<string, string>) => Promise<void>;

/** The parts that authenticate callers, limit them, and keep the audit. */
export interface Callers {
  db: Database;
  authenticate: Authenticate;
  rateLimits: RateLimits;
  /** Of people, each of whom has the budget of the settings. */
  memberLimits: RateLimits;
  load: LoadShedding;
}

/**
 * Creates the server of a route. It authenticates, then authorizes, then reads the request itself: no byte of the body is
 * read before. All that does not depend on a request is made once.
 */
export function createRouteServer(route: Route, callers: Callers): Serve {
  if (route.access === 'public')
    throw new Error(`${route.path}: a route without authentication must be a raw route`);
  const serve = auditWrites(route, callers, createCallerServer(route, callers));
  const admit = createAdmission(route, callers.load);
  const estimate = createEstimate(route);
  return async (ctx, pathParams) => {
    const caller = await identify(ctx, callers).catch(unavailableWithoutDatabase);
    const leave = await admit(ctx, caller.account.id);
    try {
      limitRate(ctx, await findBudget(caller, callers).take().catch(unavailableWithoutDatabase));
      const answer = { caller: caller.account.id, bytes: estimate(ctx) };
      await serveInRoom(ctx, callers.load, answer, () => serve(ctx, caller, pathParams));
    } finally {
      leave();
    }
  };
}

/** What a caller's requests are paid from. */
interface Budget {
  take(): Promise<BucketState>;
  payFor(tokens: number): Promise<void>;
  owe(tokens: number): void;
}

/** People have budgets of their own, so that looking at the console takes nothing from the programs of the account. */
function findBudget({ account, grant }: Caller, { rateLimits, memberLimits }: Callers): Budget {
  const limits = grant.memberId === null ? rateLimits : memberLimits;
  const standard = { requestsPerSecond: null, burst: null };
  const owner = grant.memberId === null ? account : { id: grant.memberId, rateLimit: standard };
  return {
    take: () => limits.take(owner),
    payFor: (tokens) => limits.payFor(owner, tokens),
    owe: (tokens) => limits.owe(owner, tokens),
  };
}

/** Serves a request whose caller is known. */
type ServeCaller<More extends unknown[] = []> = (
  ctx: Context,
  caller: Caller,
  pathParams: Record<string, string>,
  ...more: More
) => Promise<void>;

/**
 * Returns a server whose writes the audit names. The entry of a change is made in the transaction of the change, by the
 * author that the request carries (`db/writes/authors.ts`). What else people asked for has its entry afterwards: refusals,
 * repeats, and what changed nothing. Programs have the log of requests for that.
 */
function auditWrites(route: Route, { db }: Callers, serve: ServeCaller<[author: Author]>): ServeCaller {
  const action = toAction(route.method, route.path);
  const isRead = route.method === 'GET';
  return async (ctx, caller, pathParams) => {
    const { memberId, clientId } = caller.grant;
    const actor = { memberId, clientId: memberId === null ? clientId : null };
    const actorId = memberId ?? clientId;
    if (isRead) return serve(ctx, caller, pathParams, { actorId, action, auditId: null });
    const isAudited = memberId !== null || route.isAuditedForPrograms !== false;
    const author: Author = { actorId, action, auditId: isAudited ? newId('auditEntry') : null };
    const entry: NewAuditEntry = {
      ...actor,
      action,
      ...(author.auditId !== null && { id: author.auditId }),
      traceId: ctx.state.traceId,
      accountId: caller.account.id,
      resourceId: findIdInPath(ctx.path),
    };
    const run = () => serve(ctx, caller, pathParams, author);
    if (route.isAuditedAhead) return audited(db, entry, run, () => toOutcome(ctx));
    if (memberId === null) return run();
    return auditedAfter(db, entry, run, () => toOutcome(ctx));
  };
}

function toOutcome(ctx: Context): AuditOutcome {
  return {
    status: ctx.status,
    resourceId: findIdInPath(ctx.response.get('Location')),
    isReplayed: ctx.response.get('Idempotent-Replayed') === 'true',
  };
}

/** Creates the server of authenticated requests. */
function createCallerServer(route: Route, callers: Callers): ServeCaller<[author: Author]> {
  const readQuery = createQueryStep(route);
  const readBody = createBodyStep(route);
  const produced = route.produces ?? ['application/json'];
  return async (ctx, caller, pathParams, author) => {
    admitCaller(ctx, route, caller);
    if (!ctx.accepts(...produced)) throw new ProblemError('not_acceptable');
    const params = parseParams(route.params, pathParams);
    const idempotencyKey = readIdempotencyKey(route, ctx.req.headers['idempotency-key']);
    ctx.state.idempotencyKey = idempotencyKey;
    const query = readQuery(ctx);
    const budget = findBudget(caller, callers);
    await payForBody(ctx, route, budget);
    const body = await readBody(ctx);
    if (route.method === 'GET') ctx.set('Cache-Control', 'private, no-cache');
    const further = createFurtherScopes(route, caller);
    const answer = await route.handle({
      account: caller.account,
      apiVersion: ctx.state.apiVersion,
      traceId: ctx.state.traceId,
      method: route.method,
      path: ctx.path,
      url: ctx.url,
      params,
      query,
      body: body.value,
      rawJson: body.json,
      headers: ctx.req.headers as ApiRequest['headers'],
      idempotencyKey,
      author,
      requireFurther: further.require,
      requireHeld: (scopes) => authorize(caller, scopes),
      payFor: (tokens) => budget.payFor(tokens),
    });
    if (!further.isSettled()) throw new Error(`${route.method} ${route.path} did not call requireFurther`);
    if (answer.file)
      await sendFile(ctx, answer.file, () => callers.load.admit('downloads', caller.account.id));
    // A large answer costs as much as a large body does. How large it is was not known before.
    else budget.owe(Math.ceil((await renderAnswer(ctx, answer)) / defaultBodyLimit) - 1);
  };
}

/** Authenticates the caller. Until then its address takes a place among the arrivals. */
async function identify(ctx: Context, { authenticate, load }: Callers): Promise<Caller> {
  ctx.set('Vary', 'Accept, API-Version, Authorization');
  const leave = await load.admit('arrivals', toAddressBlock(ctx.ip, 48));
  try {
    const caller = await authenticate(ctx.req);
    ctx.state.accountId = caller.account.id;
    ctx.state.clientId = caller.grant.clientId;
    ctx.state.memberId = caller.grant.memberId;
    return caller;
  } finally {
    leave();
  }
}

/** Takes a place of the account, and room for the body. The returned function releases both. */
function createAdmission(
  route: Route,
  load: LoadShedding,
): (ctx: Context, caller: string) => Promise<() => void> {
  const limit = route.bodyLimit ?? defaultBodyLimit;
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
  const kind = route.method === 'GET' ? 'reads' : 'writes';
  return async (ctx, caller) => {
    const bytes = takesBody ? announcedBytes(ctx.req, limit) : 0;
    const giveBack = load.reserve(bytes > defaultBodyLimit ? 'large' : 'small', caller, bytes);
    try {
      const leave = await load.admit(kind, caller);
      return () => {
        leave();
        giveBack();
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  };
}

/** Takes a token for each 256 KiB of a large body before reading it. An unknown length counts as the largest. */
async function payForBody(
  ctx: Context,
  { bodyLimit = defaultBodyLimit }: Route,
  budget: Budget,
): Promise<void> {
  const bytes = bodyLimit > defaultBodyLimit ? announcedBytes(ctx.req, bodyLimit) : 0;
  if (bytes > defaultBodyLimit) await budget.payFor(Math.ceil(bytes / defaultBodyLimit));
}

/** Checks the scopes of the caller, and sets the version of the answer. */
function admitCaller(ctx: Context, route: Route, caller: Caller): void {
  authorize(caller, listScopes(route.access));
  const version = ctx.req.headers['api-version'];
  ctx.state.apiVersion = version === undefined ? caller.account.apiVersion : parseApiVersion(String(version));
  ctx.set('API-Version', ctx.state.apiVersion);
}

/** Requires a route to ask for one of the sets of scopes that it declares, and for no other. */
function createFurtherScopes(
  { access, furtherScopes = [], path }: Route,
  caller: Caller,
): { require: CallerRequest['requireFurther']; isSettled(): boolean } {
  let isSettled = furtherScopes.length === 0;
  return {
    require(scopes) {
      const declared = furtherScopes.some((set) => set.join(' ') === scopes.join(' '));
      if (!declared) throw new Error(`${path} does not declare the scopes ${scopes.join(' ')}`);
      authorize(caller, [...listScopes(access), ...scopes]);
      isSettled = true;
    },
    isSettled: () => isSettled,
  };
}

function createQueryStep({ path, query = noParameters }: Route): (ctx: Context) => unknown {
  const empty = query.safeParse({});
  return ({ querystring, state }) =>
    querystring === '' && empty.success
      ? empty.data
      : parseQuery(query, querystring, (name, value) =>
          queryFromVersion(state.apiVersion, path, name, value),
        );
}

const noBody: { json: unknown; value: unknown } = { json: null, value: undefined };

function createBodyStep(route: Route): (ctx: Context) => Promise<{ json: unknown; value: unknown }> {
  // RFC 9110 §9.3: the content of these methods has no meaning.
  if (route.method === 'GET' || route.method === 'DELETE') return () => Promise.resolve(noBody);
  const { method, path, bodyLimit: limit, documentedBody } = route;
  const isFrame = documentedBody !== undefined;
  const read = createBodyReader(route.body ?? noParameters, { method, limit, isFrame }, (version, json) =>
    bodyFromVersion(version, path, json),
  );
  return (ctx): Promise<ParsedBody<z.ZodType>> => read(ctx.req, ctx.state.apiVersion);
}

/** Returns the valid parameters. Throws `not_found`, and not 400, for an id that cannot exist. */
function parseParams(schema: z.ZodType | undefined, params: Record<string, string>): unknown {
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
