import type { Logger } from 'pino';
import { ConnectionError } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import type { AddressBudgets } from '#http/address-budgets.ts';
import type { Context } from '#http/context.ts';
import type { Sealing } from '../sealing.ts';
import { readForm } from '../serving/forms.ts';
import type { Oidc } from './oidc.ts';
import type { OutsideTokens } from './outside-tokens.ts';
import { leadTo, type OwnAddress, toOwnAddress } from './own-address.ts';
import { SessionEnded } from './session.ts';
import { sendAccountChoice, sendArrival, sendFailedSignIn, sendSignedOut } from './sign-in-pages.tsx';
import { GrantRefused, SelectionRequired, type SessionTokens, type TokenEndpoint } from './token-endpoint.ts';
import { type AccessTokens, toHolder } from './tokens.ts';
import type { Cookies, KeptSession, SessionCookie } from './cookie.ts';

/** How sessions begin: by a link of the operator, or by a provider, where a person with several accounts chooses one. */

/** What signing in and out works with. */
export interface Parts {
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

/** Trades the code of a link for a session, and leads back to where its person was. */
export async function signInByLink(ctx: Context, parts: Parts): Promise<void> {
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
export async function beginOidc(ctx: Context, parts: Parts, oidc: Oidc): Promise<void> {
  try {
    await oidc.begin(ctx, findReturnPath(ctx, parts));
  } catch (error) {
    parts.log.warn({ err: error, trace_id: ctx.state.traceId }, 'the OIDC provider cannot be asked');
    await sendFailedSignIn(ctx, 503);
  }
}

/** Seals who waits for the choice of an account. The API takes the ID token in it for five minutes. */
const purpose = 'person';

/** Who has come back from the provider, and where they were before. */
interface Waiting {
  idToken: string;
  path: OwnAddress;
}

/**
 * Begins a session of who comes back from the provider: by its ID token (RFC 8693), or with its own tokens if the API trusts
 * them. The visit comes from another site, so a page of ours leads on: a redirect would lack the `Strict` cookie that is set
 * here. A person with several accounts chooses one first.
 */
export async function finishOidc(ctx: Context, parts: Parts, oidc: Oidc): Promise<void> {
  const waiting: Waiting = { idToken: '', path: toOwnAddress('/') };
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
    const person = await parts.sealing.seal(purpose, waiting);
    await sendAccountChoice(ctx, { person, memberships: error.memberships });
  }
}

/** Signs a person of the provider in to the account that they chose. A session that the browser has already ends. */
export async function signInToAccount(ctx: Context, parts: Parts): Promise<void> {
  const before = await parts.cookie.read(ctx);
  ctx.remove('Set-Cookie');
  let path = toOwnAddress('/');
  const isSignedIn = await trySignIn(ctx, parts, async () => {
    const form = await readForm(ctx);
    const waiting = await parts.sealing.open<Waiting>(purpose, form.get('person') ?? '');
    if (!waiting) throw new GrantRefused('The form was not sealed here');
    path = toOwnAddress(waiting.path);
    const { traceId } = ctx.state;
    const member = form.get('member') ?? '';
    return parts.endpoint.takeByIdToken(waiting.idToken, { address: ctx.ip }, { traceId, member });
  });
  if (!isSignedIn) return;
  if (before) await endSession(ctx, before, parts);
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

/** Ends a session at its issuer. Returns whether it did. */
export async function endSession(
  ctx: Context,
  kept: KeptSession,
  { log, tokens, endpoint, outside }: Parts,
): Promise<boolean> {
  const ended = { ...tokens.forget(kept.refreshToken), person: toHolder(ctx, kept).person };
  try {
    await (outside ?? endpoint).revoke(ended, ctx.state.traceId);
    return true;
  } catch (error) {
    log.warn({ err: error, trace_id: ctx.state.traceId }, 'a session was not revoked');
    return false;
  }
}

/** How sessions end, and how operators turn theirs to an account: by a token of ten minutes that names them. */

/** Ends the session at the API and in the browser. Without an answer of the API the session ends when it is idle. */
export async function signOut(ctx: Context, parts: Parts): Promise<void> {
  const kept = await parts.cookie.read(ctx);
  const isRevoked = kept === null || (await endSession(ctx, kept, parts));
  ctx.remove('Set-Cookie');
  parts.cookie.clear(ctx);
  // Not "cookies": that would clear those of every other host of the domain.
  ctx.set('Clear-Site-Data', '"cache", "storage"');
  await sendSignedOut(ctx, isRevoked);
}

/**
 * Turns an operator's session to the account that the form names, and leads to its first page.
 *
 * @throws {ProblemError} `insufficient_scope`, `not_found`, `service_unavailable`
 */
export async function readAccount(ctx: Context, { endpoint, tokens, cookie }: Parts): Promise<void> {
  const kept = await cookie.read(ctx);
  if (kept?.session.role !== 'operator') throw notAnOperator();
  const accountId = (await readForm(ctx)).get('account') ?? '';
  try {
    const holder = toHolder(ctx, kept);
    const { accessToken } = await tokens.current(holder);
    const { traceId } = ctx.state;
    const { account, scope } = await endpoint.takeForAccount(accessToken, accountId, holder.person, traceId);
    await cookie.turnTo(ctx, { account, scope });
  } catch (error) {
    throw toProblem(error);
  }
  leadTo(ctx, toOwnAddress('/'));
}

/**
 * Turns an operator's session back to the service.
 *
 * @throws {ProblemError} `insufficient_scope`
 */
export async function leaveAccount(ctx: Context, { cookie }: Parts): Promise<void> {
  if (!(await cookie.turnTo(ctx, null))) throw notAnOperator();
  leadTo(ctx, toOwnAddress('/service'));
}

function notAnOperator(): ProblemError {
  return new ProblemError('insufficient_scope', { detail: 'An operator who is signed in can do this.' });
}

function toProblem(error: unknown): unknown {
  if (error instanceof GrantRefused) return new ProblemError('not_found');
  if (error instanceof SessionEnded) return notAnOperator();
  return error instanceof ConnectionError ? new ProblemError('service_unavailable', { cause: error }) : error;
}
