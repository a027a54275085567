import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { ConnectionError } from '#client/src/index.ts';
import { AddressBudgets } from '#http/address-budgets.ts';
import type { Context, RequestState } from '#http/context.ts';
import type { ConsoleConfig } from '../config.ts';
import type { Sealing } from '../sealing.ts';
import { readForm } from '../serving/forms.ts';
import { offerAccounts, readChoice } from './account-choice.ts';
import { SessionCookie } from './cookie.ts';
import { Cookies } from './cookies.ts';
import { leaveAccount, readAccount } from './account-reading.ts';
import { callbackPath, Oidc, type OidcSettings } from './oidc.ts';
import { namesService, OutsideTokens } from './outside-tokens.ts';
import {
  findArrival,
  findOwnAddress,
  hasArrived,
  leadTo,
  toOwnAddress,
  type OwnAddress,
} from './own-address.ts';
import { SessionEnded, type AnswerStranger, type FindSession, type SignedIn } from './session.ts';
import { sendArrival, sendFailedSignIn, sendLinkPage, sendSignInPage } from './sign-in-pages.tsx';
import { choicePath, oidcPath } from './sign-in-paths.ts';
import { endSession, signOut } from './sign-out.ts';
import { GrantRefused, SelectionRequired, TokenEndpoint, type SessionTokens } from './token-endpoint.ts';
import { AccessTokens, toHolder } from './tokens.ts';

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
  sealing: Sealing;
  /** The API's own issuer; not there with an outside one. */
  endpoint: TokenEndpoint;
  /** The issuer whose tokens the API trusts in place of its own; `null`: its own. */
  outside: OutsideTokens | null;
  tokens: AccessTokens;
  cookies: Cookies;
  cookie: SessionCookie;
  failures: AddressBudgets;
  /** `null`: people sign in by links alone. */
  oidc: Oidc | null;
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
  const provider = findProvider(config);
  const oidc = provider && new Oidc(provider, config, { sealing, cookies });
  const { apiUrl, outsideIssuer } = config;
  const outside = oidc && outsideIssuer && new OutsideTokens(oidc, { apiUrl, ...outsideIssuer });
  const parts: Parts = {
    log,
    sealing,
    endpoint,
    outside,
    tokens: new AccessTokens(outside ?? endpoint),
    cookies,
    cookie: new SessionCookie(cookies, sealing),
    failures: new AddressBudgets({ perSecond: failuresPerMinute / 60, burst: failuresPerMinute }),
    oidc,
  };
  return {
    findSession: (ctx) => findSession(ctx, parts),
    answerStranger: (ctx) => answerStranger(ctx, parts),
    serve: (ctx, next) => serve(ctx, next, parts),
  };
}

/** Returns who signs people in, beside links: the outside issuer of tokens, or the operator's provider. */
function findProvider({ outsideIssuer, oidc, clientId, clientSecret }: ConsoleConfig): OidcSettings | null {
  if (!outsideIssuer) return oidc && { ...oidc, scope: 'openid email' };
  const { issuer, audience, scope } = outsideIssuer;
  return { issuer, clientId, clientSecret, scope, parameters: namesService(audience) };
}

async function findSession(ctx: Context, { cookie, tokens }: Parts): Promise<SignedIn | null> {
  const kept = await cookie.read(ctx);
  if (!kept) return null;
  const { session, refreshToken, readAccountId } = kept;
  const holder = toHolder(ctx, kept);
  let isFollowed = false;
  const accessToken = async () => {
    const current = await (readAccountId === null
      ? tokens.current(holder)
      : tokens.forAccount(holder, readAccountId));
    if (current.refreshToken !== refreshToken && !isFollowed) {
      isFollowed = true;
      await cookie.follow(ctx, current.refreshToken).catch((error: unknown) => {
        throw error instanceof GrantRefused ? new SessionEnded() : error;
      });
    }
    return current.accessToken;
  };
  return { session, accessToken, dropToken: (token) => tokens.drop(token, holder, readAccountId) };
}

async function serve(ctx: Context, next: () => Promise<unknown>, parts: Parts): Promise<unknown> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.path === '/sign-in') {
    ctx.state.route = ctx.path;
    return isRead || parts.outside ? showSignIn(ctx, parts) : signInByLink(ctx, parts);
  }
  if (parts.oidc && isRead && ctx.path === oidcPath) {
    ctx.state.route = ctx.path;
    return beginOidc(ctx, parts, parts.oidc);
  }
  if (parts.oidc && ctx.method === 'GET' && ctx.path === callbackPath) {
    ctx.state.route = ctx.path;
    return finishOidc(ctx, parts, parts.oidc);
  }
  if (parts.oidc && !parts.outside && ctx.path === choicePath && ctx.method === 'POST') {
    ctx.state.route = ctx.path;
    return signInToAccount(ctx, parts);
  }
  if (ctx.path === '/sign-out' && ctx.method === 'POST') {
    ctx.state.route = ctx.path;
    return signOut(ctx, parts, parts.outside ?? parts.endpoint);
  }
  if (!parts.outside && ctx.path === '/read-account' && ctx.method === 'POST') {
    ctx.state.route = ctx.path;
    return readAccount(ctx, parts);
  }
  if (ctx.path === '/leave-account' && ctx.method === 'POST') {
    ctx.state.route = ctx.path;
    return leaveAccount(ctx, parts);
  }
  if (isRead && parts.cookie.isThere(ctx) && hasArrived(ctx)) return leadTo(ctx, findOwnAddress(ctx));
  return next();
}

/** Shows a button. It uses nothing up, since scanners of mail and previews of chats open links. */
function showSignIn(ctx: Context, parts: Parts): Promise<void> {
  const code = new URLSearchParams(ctx.querystring).get('code');
  return code === null || parts.outside
    ? sendSignInPage(ctx, 200, { hasEnded: false, ...sayWays(parts) })
    : sendLinkPage(ctx, code);
}

/** The ways in, for the page that says how to sign in. */
function sayWays({ oidc, outside }: Parts): { provider: string | null; hasLinks: boolean } {
  return { provider: oidc?.host ?? null, hasLinks: outside === null };
}

/** Trades the code of a link for a session, and leads back to where its person was. */
async function signInByLink(ctx: Context, parts: Parts): Promise<void> {
  const path = findReturnPath(ctx, parts);
  const isSignedIn = await trySignIn(ctx, parts, async () => {
    const code = (await readForm(ctx)).get('code') ?? '';
    const form = { grant_type: 'authorization_code', code };
    return parts.endpoint.take(form, { address: ctx.ip }, ctx.state.traceId);
  });
  if (!isSignedIn) return;
  parts.cookies.clear(ctx, 'console-return');
  leadTo(ctx, path);
}

/** Leads to the provider, and remembers where the person was. */
async function beginOidc(ctx: Context, parts: Parts, oidc: Oidc): Promise<void> {
  try {
    await oidc.begin(ctx, findReturnPath(ctx, parts));
  } catch (error) {
    parts.log.warn({ err: error, trace_id: ctx.state.traceId }, 'the OIDC provider cannot be asked');
    await sendFailedSignIn(ctx, 503);
  }
}

/**
 * Begins a session of who comes back from the provider: by its ID token (RFC 8693), or with its own tokens if the API trusts
 * them. The visit comes from another site, so a page of ours leads on: a redirect would lack the `Strict` cookie that is set
 * here. A person with several accounts chooses one first.
 */
async function finishOidc(ctx: Context, parts: Parts, oidc: Oidc): Promise<void> {
  const waiting = { idToken: '', path: toOwnAddress('/') };
  try {
    const isSignedIn = await trySignIn(ctx, parts, async () => {
      const { tokens, path } = await oidc.finish(ctx);
      Object.assign(waiting, { idToken: tokens.id_token ?? '', path });
      const { traceId } = ctx.state;
      return parts.outside
        ? parts.outside.begin(tokens, traceId)
        : parts.endpoint.takeByIdToken(waiting.idToken, { address: ctx.ip }, { traceId });
    });
    if (!isSignedIn) return;
    parts.cookies.clear(ctx, 'console-return');
    await sendArrival(ctx, waiting.path);
  } catch (error) {
    if (!(error instanceof SelectionRequired)) throw error;
    await offerAccounts(ctx, parts.sealing, waiting, error.memberships);
  }
}

/** Signs a person of the provider in to the account that they chose. A session that the browser has already ends. */
async function signInToAccount(ctx: Context, parts: Parts): Promise<void> {
  const before = await parts.cookie.read(ctx);
  ctx.remove('Set-Cookie');
  let path = toOwnAddress('/');
  const isSignedIn = await trySignIn(ctx, parts, async () => {
    const { idToken, member, ...chosen } = await readChoice(ctx, parts.sealing);
    ({ path } = chosen);
    const { traceId } = ctx.state;
    return parts.endpoint.takeByIdToken(idToken, { address: ctx.ip }, { traceId, member });
  });
  if (!isSignedIn) return;
  if (before) await endSession(ctx, before, parts, parts.endpoint);
  parts.cookies.clear(ctx, 'console-return');
  leadTo(ctx, path);
}

/**
 * Begins a session with what `take` returns. Returns whether it did; otherwise the answer says why not. Refusals are bounded by the address
 * of the caller, since the API sees the console's alone.
 */
async function trySignIn(
  ctx: Context,
  { log, tokens, cookie, failures }: Parts,
  take: () => Promise<SessionTokens>,
): Promise<boolean> {
  const waitMs = failures.waitMs(ctx.ip);
  if (waitMs > 0) {
    ctx.set('Retry-After', String(Math.ceil(waitMs / 1_000)));
    await sendFailedSignIn(ctx, 429);
    return false;
  }
  const { traceId } = ctx.state;
  try {
    const taken = await take();
    await cookie.begin(ctx, taken);
    tokens.keep(taken);
    log.info({ member: taken.member.id, session: taken.session, trace_id: traceId }, 'signed in');
    return true;
  } catch (error) {
    if (!(error instanceof GrantRefused || error instanceof ConnectionError)) throw error;
    const isRefused = error instanceof GrantRefused;
    if (isRefused) failures.spend(ctx.ip);
    log[isRefused ? 'info' : 'warn']({ reason: error.message, trace_id: traceId }, 'not signed in');
    await sendFailedSignIn(ctx, isRefused ? 400 : 503);
    return false;
  }
}

/** Returns where the person was who has to sign in. */
function findReturnPath(ctx: Context, { cookies }: Parts): OwnAddress {
  const kept = cookies.get(ctx, 'console-return');
  return toOwnAddress(kept && Buffer.from(kept, 'base64url').toString('utf8'));
}

/**
 * Answers who has no session. A `Strict` cookie does not come with a link from elsewhere, so such a visit is led on by a
 * page of ours, once: then it comes.
 */
async function answerStranger(ctx: Context, parts: Parts): Promise<void> {
  const { cookies, cookie } = parts;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isDocument = isRead && ctx.req.headers['sec-fetch-dest'] !== 'empty';
  const hadCookie = cookie.isThere(ctx);
  const isFromElsewhere = ctx.req.headers['sec-fetch-site'] === 'cross-site';
  if (isDocument && isFromElsewhere && !hadCookie && !hasArrived(ctx))
    return sendArrival(ctx, findArrival(ctx));
  ctx.remove('Set-Cookie');
  if (hadCookie) cookie.clear(ctx);
  if (isDocument) {
    const path = Buffer.from(findOwnAddress(ctx)).toString('base64url');
    cookies.set(ctx, 'console-return', path, { sameSite: 'Strict', maxAge: returnWithinSeconds });
  }
  await sendSignInPage(ctx, 401, { hasEnded: hadCookie, ...sayWays(parts) });
}
