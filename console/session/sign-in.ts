import type { Middleware } from 'koa';
import { AddressBudgets } from '#http/address-budgets.ts';
import type { Context, RequestState } from '#http/context.ts';
import type { ConsoleConfig } from '../config.ts';
import { callbackPath, Oidc, type OidcSettings } from './oidc.ts';
import { namesService, OutsideTokens } from './outside-tokens.ts';
import {
  choicePath,
  findArrival,
  findOwnAddress,
  hasArrived,
  leadTo,
  oidcPath,
  zonePath,
} from './own-address.ts';
import { SessionEnded, type SignedIn } from './session.ts';
import { sendArrival, sendLinkPage, sendSignInPage } from './sign-in-pages.tsx';
import { GrantRefused, TokenEndpoint } from './token-endpoint.ts';
import { AccessTokens, toHolder } from './tokens.ts';
import { chooseZone, findZone } from './zones.ts';
import {
  beginOidc,
  finishOidc,
  leaveAccount,
  type Parts,
  readAccount,
  signInByLink,
  signInToAccount,
  signOut,
} from './ways-in.ts';
import { Cookies, SessionCookie } from './cookie.ts';

/** Failed sign-ins that an address may have in a minute. The API sees the console's address alone, and bounds none. */
const failuresPerMinute = 10;

/** How long the console remembers where somebody was who has to sign in, in seconds. */
const returnWithinSeconds = 3_600;

/** Who is signed in, and how people sign in and out. */
export interface SignIn {
  /** Returns who sends the request; `null` without a session. It may set cookies on the answer. */
  findSession(ctx: Context): Promise<SignedIn | null>;
  /** Answers a request that needs a session and has none. */
  answerStranger(ctx: Context): Promise<void>;
  /** Serves `/sign-in` and `/sign-out`, and brings back the cookie of who arrives from elsewhere. */
  serve: Middleware<RequestState>;
}

export function createSignIn(given: { config: ConsoleConfig } & Pick<Parts, 'sealing' | 'log'>): SignIn {
  const { config, sealing, log } = given;
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

async function findSession(ctx: Context, { cookie, cookies, tokens }: Parts): Promise<SignedIn | null> {
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
  const timeZone = findZone(ctx, cookies);
  return { session, timeZone, accessToken, dropToken: (token) => tokens.drop(token, holder, readAccountId) };
}

/** Returns what serves the path with this method; `null` if sign-in has nothing there. */
function findRoute({ method, path }: Context, parts: Parts): ((ctx: Context) => Promise<unknown>) | null {
  const { oidc, outside } = parts;
  const isPost = method === 'POST';
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === '/sign-in')
    return (ctx) => (isRead || outside ? showSignIn(ctx, parts) : signInByLink(ctx, parts));
  if (path === oidcPath && oidc && isRead) return (ctx) => beginOidc(ctx, parts, oidc);
  if (path === callbackPath && oidc && method === 'GET') return (ctx) => finishOidc(ctx, parts, oidc);
  if (path === choicePath && oidc && !outside && isPost) return (ctx) => signInToAccount(ctx, parts);
  if (path === zonePath && isPost) return (ctx) => chooseZone(ctx, parts.cookies);
  if (path === '/sign-out' && isPost) return (ctx) => signOut(ctx, parts);
  if (path === '/read-account' && !outside && isPost) return (ctx) => readAccount(ctx, parts);
  if (path === '/leave-account' && isPost) return (ctx) => leaveAccount(ctx, parts);
  return null;
}

async function serve(ctx: Context, next: () => Promise<unknown>, parts: Parts): Promise<unknown> {
  const route = findRoute(ctx, parts);
  if (route) {
    ctx.state.route = ctx.path;
    return route(ctx);
  }
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
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
