import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { problems, ProblemError } from '#domain/problems.ts';
import { AddressBudgets } from '#http/address-budgets.ts';
import { KeyBudgets } from '#http/key-budgets.ts';
import type { Context, RequestState } from '../http/context.ts';
import { answerSecretJson } from '../oauth/responses.ts';
import { renderAnswer } from '../http/render.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';

/** Credentials of clients that were valid at the issuer, as many as are remembered. */
const maxProofs = 10_000;

/**
 * Limits the failed authentications of a remote address, at the API and the issuer together. Beyond the limit,
 * requests are refused before their credentials are read, so guessing is slow and costs nothing. A success never
 * counts.
 *
 * Credentials that were valid before are no guess. They are let through, so other callers at the address continue to work:
 * all who sign in to the console come from its address. When they are refused, such as a token that was revoked, that
 * counts for them alone.
 */
export function limitAuthenticationFailures(deps: {
  config: { authFailuresPerMinute: number };
  tokens: TokenVerifier;
}): Middleware<RequestState> {
  const { authFailuresPerMinute: perMinute } = deps.config;
  const budget = { perSecond: perMinute / 60, burst: perMinute };
  const [addresses, known] = [new AddressBudgets(budget), new KeyBudgets(budget)];
  const proofs = new LRUCache<string, true>({ max: maxProofs });
  return async (context, next) => {
    const ctx = context as Context;
    if (!authenticates(ctx)) return next();
    const credentials = hashCredentials(ctx);
    const isKnown = () => proofs.has(credentials) || hasKnownToken(ctx, deps.tokens);
    const waitMs = isKnown() ? known.waitMs(credentials) : addresses.waitMs(ctx.ip);
    if (waitMs > 0) return refuse(ctx, Math.ceil(waitMs / 1_000));
    const spend = () => {
      if (isKnown()) known.spend(credentials);
      else addresses.spend(ctx.ip);
      proofs.delete(credentials);
    };
    try {
      await next();
    } catch (error) {
      if (error instanceof ProblemError && problems[error.code].status === 401) spend();
      throw error;
    }
    // The issuer's endpoints answer with their own errors, and do not throw.
    if (ctx.status === 401) spend();
    else if (
      ctx.status === 200 &&
      isIssuer(ctx.path, ctx.method) &&
      ctx.req.headers.authorization !== undefined
    )
      proofs.set(credentials, true);
  };
}

/** Returns what the request authenticates with, as a key: the secret itself is not kept. */
function hashCredentials(ctx: Context): string {
  return createHash('sha256')
    .update(ctx.req.headers.authorization ?? '')
    .digest('base64url');
}

function authenticates({ method, path }: Context): boolean {
  const isGuarded = path.startsWith('/v1/') || path.startsWith('/operator/');
  return (isGuarded && method !== 'OPTIONS') || isIssuer(path, method);
}

/** Returns whether the request goes to the issuer; its GETs are public. */
function isIssuer(path: string, method: string): boolean {
  return method === 'POST' && path.startsWith('/oauth2/');
}

function hasKnownToken(ctx: Context, tokens: TokenVerifier): boolean {
  const token = /^Bearer +(\S+)$/i.exec(ctx.req.headers.authorization ?? '')?.[1];
  return token !== undefined && tokens.knows(token);
}

async function refuse(ctx: Context, seconds: number): Promise<void> {
  const headers = { 'Retry-After': String(seconds) };
  const detail = 'Too many authentications from this address have failed.';
  if (!isIssuer(ctx.path, ctx.method)) throw new ProblemError('rate_limited', { detail, headers });
  // RFC 6749 §5.2 has no such code. This one has this meaning in redirects (§4.1.2.1).
  await renderAnswer(
    ctx,
    answerSecretJson(429, { error: 'temporarily_unavailable', error_description: detail }, headers),
  );
}
