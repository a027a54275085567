import type { z } from 'zod';
import type { AuditOutcome, NewAuditEntry } from '#db/access/audit-entries.ts';
import { newId } from '#db/new-id.ts';
import type { Author } from '#db/writes/authors.ts';
import { toAction } from '#domain/audit.ts';
import { findIdInPath } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { bodyFromVersion } from '#domain/versions/versions.ts';
import { toAddressBlock } from '#http/address-blocks.ts';
import { audited, auditedAfter } from '../http/audit.ts';
import { authorize, type Caller } from '../http/authentication.ts';
import { announcedBytes, createBodyReader, defaultBodyLimit, type ParsedBody } from '../http/body.ts';
import type { Context } from '../http/context.ts';
import { parseApiVersion } from '../http/headers.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import { noParameters } from '../http/query.ts';
import { renderAnswer } from '../http/render.ts';
import { listScopes, takesBody, type CallerRequest, type Route } from '../http/route.ts';
import { sendFile } from '../http/send-file.ts';
import { limitRate } from '../limits/rate-limits.ts';
import { createHeadReader, type CallerRow, type Parts, type Visit } from './parts.ts';

/**
 * Serves accounts, known by their token. It authenticates, then authorizes, then reads the request itself: no byte of the
 * body is read before.
 */
export const serveAccount: CallerRow = (route, parts) => {
  if (route.access === undefined) throw new Error(`${route.path} names no scope, nor that it needs none`);
  const serve = createServer(route, parts);
  const action = toAction(route.method, route.path);
  return async (visit) => {
    const { ctx } = visit;
    const caller = await identify(ctx, parts).catch(unavailableWithoutDatabase);
    const budget = findBudget(caller, parts);
    await takePlace(route, parts, visit, caller.account.id);
    limitRate(ctx, await budget.take().catch(unavailableWithoutDatabase));
    return {
      name: caller.account.id,
      serve: () =>
        auditWrite(ctx, { route, caller, action }, parts, (author) => serve(visit, caller, budget, author)),
    };
  };
};

/** People have budgets of their own, so that looking at the console takes nothing from the programs of the account. */
function findBudget({ account, grant }: Caller, { rateLimits, memberLimits }: Parts) {
  const limits = grant.memberId === null ? rateLimits : memberLimits;
  const standard = { requestsPerSecond: null, burst: null };
  const owner = grant.memberId === null ? account : { id: grant.memberId, rateLimit: standard };
  return {
    take: () => limits.take(owner),
    payFor: (tokens: number) => limits.payFor(owner, tokens),
    owe: (tokens: number) => limits.owe(owner, tokens),
  };
}

/** What a caller's requests are paid from. */
type Budget = ReturnType<typeof findBudget>;

/**
 * Serves a request, and has the audit name a write. The entry of a change is made in the transaction of the change, by the
 * author that the request carries (`db/writes/authors.ts`). What else people asked for has its entry afterwards: refusals,
 * repeats, and what changed nothing. Programs have the log of requests for that.
 */
async function auditWrite(
  ctx: Context,
  { route, caller, action }: { route: Route; caller: Caller; action: string },
  { db }: Parts,
  serve: (author: Author) => Promise<void>,
): Promise<void> {
  const { memberId, clientId } = caller.grant;
  const actorId = memberId ?? clientId;
  if (route.method === 'GET') return serve({ actorId, action, auditId: null });
  const isAudited = memberId !== null || route.isAuditedForPrograms !== false;
  const author: Author = { actorId, action, auditId: isAudited ? newId('auditEntry') : null };
  const entry: NewAuditEntry = {
    memberId,
    clientId: memberId === null ? clientId : null,
    action,
    ...(author.auditId !== null && { id: author.auditId }),
    traceId: ctx.state.traceId,
    accountId: caller.account.id,
    resourceId: findIdInPath(ctx.path),
  };
  const run = () => serve(author);
  if (route.isAuditedAhead) return audited(db, entry, run, () => toOutcome(ctx));
  return memberId === null ? run() : auditedAfter(db, entry, run, () => toOutcome(ctx));
}

function toOutcome(ctx: Context): AuditOutcome {
  return {
    status: ctx.status,
    resourceId: findIdInPath(ctx.response.get('Location')),
    isReplayed: ctx.response.get('Idempotent-Replayed') === 'true',
  };
}

/** Creates the server of authenticated requests. */
function createServer(route: Route, { load }: Parts) {
  const readHead = createHeadReader(route);
  const readBody = createBodyStep(route);
  const produced = route.produces ?? ['application/json'];
  return async ({ ctx, params }: Visit, caller: Caller, budget: Budget, author: Author): Promise<void> => {
    admitCaller(ctx, route, caller);
    if (!ctx.accepts(...produced)) throw new ProblemError('not_acceptable');
    const head = readHead(ctx, params);
    await payForBody(ctx, route, budget);
    const body = await readBody(ctx);
    if (route.method === 'GET') ctx.set('Cache-Control', 'private, no-cache');
    const further = createFurtherScopes(route, caller);
    const answer = await route.handle({
      ...head,
      account: caller.account,
      apiVersion: ctx.state.apiVersion,
      body: body.value,
      rawJson: body.json,
      author,
      requireFurther: further.require,
      requireHeld: (scopes) => authorize(caller, scopes),
      payFor: (tokens) => budget.payFor(tokens),
    });
    if (!further.isSettled()) throw new Error(`${route.method} ${route.path} did not call requireFurther`);
    if (answer.file) await sendFile(ctx, answer.file, () => load.admit('downloads', caller.account.id));
    // A large answer costs as much as a large body does. How large it is was not known before.
    else budget.owe(Math.ceil((await renderAnswer(ctx, answer)) / defaultBodyLimit) - 1);
  };
}

/** Authenticates the caller. Until then its address takes a place among the arrivals. */
async function identify(ctx: Context, { authenticate, load }: Parts): Promise<Caller> {
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

/** Takes room for the body, and a place of the account. */
async function takePlace(route: Route, { load }: Parts, { ctx, leaves }: Visit, id: string): Promise<void> {
  const bytes = takesBody(route) ? announcedBytes(ctx.req, route.bodyLimit ?? defaultBodyLimit) : 0;
  leaves.push(load.reserve(bytes > defaultBodyLimit ? 'large' : 'small', id, bytes));
  leaves.push(await load.admit(route.method === 'GET' ? 'reads' : 'writes', id));
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

const noBody: { json: unknown; value: unknown } = { json: null, value: undefined };

function createBodyStep(route: Route): (ctx: Context) => Promise<{ json: unknown; value: unknown }> {
  // RFC 9110 §9.3: the content of these methods has no meaning.
  if (!takesBody(route)) return () => Promise.resolve(noBody);
  const { method, path, bodyLimit: limit, documentedBody } = route;
  const isFrame = documentedBody !== undefined;
  const read = createBodyReader(route.body ?? noParameters, { method, limit, isFrame }, (version, json) =>
    bodyFromVersion(version, path, json),
  );
  return (ctx): Promise<ParsedBody<z.ZodType>> => read(ctx.req, ctx.state.apiVersion);
}
