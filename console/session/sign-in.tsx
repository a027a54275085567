import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { AddressBudgets } from '#http/address-budgets.ts';
import type { Context, RequestState } from '#http/context.ts';
import type { ConsoleConfig } from '../config.ts';
import type { Sealing } from '../sealing.ts';
import { readForm } from '../serving/forms.ts';
import { SessionCookie } from './cookie.ts';
import { Cookies } from './cookies.ts';
import { safeReturnPath } from './return-path.ts';
import type { AnswerStranger, FindSession } from './session.ts';
import {
  sendArrival,
  sendFailedSignIn,
  sendLinkPage,
  sendSignedOut,
  sendSignInPage,
} from './sign-in-pages.tsx';
import { GrantRefused, TokenEndpoint } from './token-endpoint.ts';
import { AccessTokens } from './tokens.ts';

/** Failed sign-ins that an address may have in a minute. The API sees the console's address alone, and bounds none. */
const failuresPerMinute = 10;

/** How long the console remembers where somebody was who has to sign in, in seconds. */
const returnWithinSeconds = 3_600;

/** Who is signed in, and how people sign in and out. */
export interface SignIn {
  findSession: FindSession;
  answerStranger: AnswerStranger;
  /** Serves `/sign-in` and `/sign-out`, and brings back the cookie of who arrives from elsewhere. */
  serve: Middleware<RequestState>;
}

interface Parts {
  log: Logger;
  endpoint: TokenEndpoint;
  tokens: AccessTokens;
  cookies: Cookies;
  cookie: SessionCookie;
  failures: AddressBudgets;
}

export function createSignIn({
  config,
  sealing,
  log,
}: {
  config: ConsoleConfig;
  sealing: Sealing;
  log: Logger;
}): SignIn {
  const endpoint = new TokenEndpoint(config);
  const cookies = new Cookies(config.consoleUrl);
  const parts: Parts = {
    log,
    endpoint,
    tokens: new AccessTokens(endpoint),
    cookies,
    cookie: new SessionCookie(cookies, sealing),
    failures: new AddressBudgets(failuresPerMinute),
  };
  return {
    findSession: async (ctx) => {
      const kept = await parts.cookie.read(ctx);
      if (!kept) return null;
      return { session: kept.session, accessToken: () => parts.tokens.current(kept.refreshToken) };
    },
    answerStranger: (ctx) => answerStranger(ctx, parts),
    serve: (ctx, next) => serve(ctx, next, parts),
  };
}

async function serve(ctx: Context, next: () => Promise<unknown>, parts: Parts): Promise<unknown> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.path === '/sign-in') {
    ctx.state.route = ctx.path;
    return isRead ? showSignIn(ctx) : signIn(ctx, parts);
  }
  if (ctx.path === '/sign-out' && ctx.method === 'POST') {
    ctx.state.route = ctx.path;
    return signOut(ctx, parts);
  }
  if (isRead && parts.cookie.isThere(ctx) && hasArrived(ctx))
    return ctx.redirect(safeReturnPath(pathWithoutArrived(ctx)));
  return next();
}

/** Shows a button. It uses nothing up, since scanners of mail and previews of chats open links. */
function showSignIn(ctx: Context): Promise<void> {
  const code = new URLSearchParams(ctx.querystring).get('code');
  return code === null ? sendSignInPage(ctx, 200, false) : sendLinkPage(ctx, code);
}

/** Trades the code of a link for a session, and leads back to where its person was. */
async function signIn(
  ctx: Context,
  { log, endpoint, tokens, cookies, cookie, failures }: Parts,
): Promise<void> {
  const waitMs = failures.waitMs(ctx.ip);
  if (waitMs > 0) {
    ctx.set('Retry-After', String(Math.ceil(waitMs / 1_000)));
    return sendFailedSignIn(ctx, 429);
  }
  const code = (await readForm(ctx)).get('code') ?? '';
  try {
    const taken = await endpoint.take({ grant_type: 'authorization_code', code });
    tokens.keep(taken);
    await cookie.begin(ctx, taken);
    log.info({ member: taken.member.id, session: taken.session, trace_id: ctx.state.traceId }, 'signed in');
  } catch (error) {
    if (error instanceof GrantRefused) failures.spend(ctx.ip);
    return sendFailedSignIn(ctx, error instanceof GrantRefused ? 400 : 503);
  }
  const path = cookies.get(ctx, 'console-return');
  cookies.clear(ctx, 'console-return');
  ctx.status = 303;
  ctx.redirect(safeReturnPath(path && Buffer.from(path, 'base64url').toString('utf8')));
}

/** Ends the session at the API and in the browser. Without an answer of the API the session ends when it is idle. */
async function signOut(ctx: Context, { log, endpoint, tokens, cookie }: Parts): Promise<void> {
  const kept = await cookie.read(ctx);
  let isRevoked = true;
  if (kept) {
    tokens.forget(kept.refreshToken);
    await endpoint.revoke(kept.refreshToken).catch((error: unknown) => {
      isRevoked = false;
      log.warn({ err: error, trace_id: ctx.state.traceId }, 'a session was not revoked');
    });
  }
  ctx.remove('Set-Cookie');
  cookie.clear(ctx);
  // Not "cookies": that would clear those of every other host of the domain.
  ctx.set('Clear-Site-Data', '"cache", "storage"');
  await sendSignedOut(ctx, isRevoked);
}

/**
 * Answers who has no session. A `Strict` cookie does not come with a link from elsewhere, so such a visit is led on by a
 * page of ours, once: then it comes.
 */
async function answerStranger(ctx: Context, { cookies, cookie }: Parts): Promise<void> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isDocument = isRead && ctx.req.headers['sec-fetch-dest'] !== 'empty';
  const hadCookie = cookie.isThere(ctx);
  const isFromElsewhere = ctx.req.headers['sec-fetch-site'] === 'cross-site';
  if (isDocument && isFromElsewhere && !hadCookie && !hasArrived(ctx))
    return sendArrival(ctx, withArrived(ctx));
  ctx.remove('Set-Cookie');
  if (hadCookie) cookie.clear(ctx);
  if (isDocument) {
    const path = Buffer.from(safeReturnPath(pathWithoutArrived(ctx))).toString('base64url');
    cookies.set(ctx, 'console-return', path, { sameSite: 'Strict', maxAge: returnWithinSeconds });
  }
  await sendSignInPage(ctx, 401, hadCookie);
}

function hasArrived(ctx: Context): boolean {
  return new URLSearchParams(ctx.querystring).has('arrived');
}

function withArrived(ctx: Context): string {
  return `${ctx.path}?${ctx.querystring === '' ? '' : `${ctx.querystring}&`}arrived=1`;
}

function pathWithoutArrived(ctx: Context): string {
  const query = new URLSearchParams(ctx.querystring);
  query.delete('arrived');
  return query.size === 0 ? ctx.path : `${ctx.path}?${query.toString()}`;
}
