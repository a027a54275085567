import type { Middleware } from 'koa';
import { problems, ProblemError } from '#domain/problems.ts';
import { AddressBudgets } from '#http/address-budgets.ts';
import type { Context, RequestState } from '../http/context.ts';
import { answerSecretJson } from '../oauth/responses.ts';
import { renderAnswer } from '../http/render.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';

/**
 * Limits the failed authentications of a remote address, at the API and the issuer together. Beyond the limit,
 * requests are refused before their credentials are read, so guessing is slow and costs nothing. A success never
 * counts. A token that was valid before is let through, so other callers at the address continue to work.
 */
export function limitAuthenticationFailures(deps: {
  config: { authFailuresPerMinute: number };
  tokens: TokenVerifier;
}): Middleware<RequestState> {
  const budgets = new AddressBudgets(deps.config.authFailuresPerMinute);
  return async (context, next) => {
    const ctx = context as Context;
    if (!authenticates(ctx)) return next();
    const waitMs = budgets.waitMs(ctx.ip);
    if (waitMs > 0 && !hasKnownToken(ctx, deps.tokens)) return refuse(ctx, Math.ceil(waitMs / 1_000));
    try {
      await next();
    } catch (error) {
      if (error instanceof ProblemError && problems[error.code].status === 401) budgets.spend(ctx.ip);
      throw error;
    }
    // The issuer's endpoints answer with their own errors, and do not throw.
    if (ctx.status === 401) budgets.spend(ctx.ip);
  };
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
