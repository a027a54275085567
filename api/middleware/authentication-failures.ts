import type { Middleware } from 'koa';
import { problems, ProblemError } from '#domain/problems.ts';
import { AddressBudgets } from '../limits/address-budgets.ts';
import type { Context, RequestState } from '../http/context.ts';
import { answerSecretJson } from '../oauth/responses.ts';
import { renderAnswer } from '../http/render.ts';
import type { TokenVerifier } from '#issuer/tokens.ts';

/**
 * Bounds how often a remote address may fail to authenticate, at the API and at the issuer's endpoints together.
 * Beyond that its requests are refused before their credentials are looked at, so that guessing is slow and costs
 * us nothing. A success never counts, and a token that was good before is let through: who shares an address with
 * a guesser goes on working.
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
    // The issuer's endpoints answer their refusals themselves.
    if (ctx.status === 401) budgets.spend(ctx.ip);
  };
}

function authenticates({ method, path }: Context): boolean {
  return (path.startsWith('/v1/') && method !== 'OPTIONS') || isIssuer(path, method);
}

/** Its GETs are public. */
function isIssuer(path: string, method: string): boolean {
  return method === 'POST' && path.startsWith('/oauth2/');
}

function hasKnownToken(ctx: Context, tokens: TokenVerifier): boolean {
  const token = /^Bearer +(\S+)$/i.exec(ctx.req.headers.authorization ?? '')?.[1];
  return token !== undefined && tokens.knows(token);
}

function refuse(ctx: Context, seconds: number): void {
  const headers = { 'Retry-After': String(seconds) };
  const detail = 'Too many attempts to authenticate have failed from this address.';
  if (!isIssuer(ctx.path, ctx.method)) throw new ProblemError('rate_limited', { detail, headers });
  // RFC 6749 §5.2 has no code for it; this one says the same where redirects carry the errors (§4.1.2.1).
  renderAnswer(
    ctx,
    answerSecretJson(429, { error: 'temporarily_unavailable', error_description: detail }, headers),
  );
}
