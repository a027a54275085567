import type { Logger } from 'pino';
import type { Context } from '#http/context.ts';
import type { KeptSession, SessionCookie } from './cookie.ts';
import { sendSignedOut } from './sign-in-pages.tsx';
import { toHolder, type AccessTokens, type TokenSource } from './tokens.ts';

interface Parts {
  log: Logger;
  tokens: AccessTokens;
  cookie: SessionCookie;
}

/** Ends the session at the API and in the browser. Without an answer of the API the session ends when it is idle. */
export async function signOut(
  ctx: Context,
  parts: Parts,
  issuer: Pick<TokenSource, 'revoke'>,
): Promise<void> {
  const kept = await parts.cookie.read(ctx);
  const isRevoked = kept === null || (await endSession(ctx, kept, parts, issuer));
  ctx.remove('Set-Cookie');
  parts.cookie.clear(ctx);
  // Not "cookies": that would clear those of every other host of the domain.
  ctx.set('Clear-Site-Data', '"cache", "storage"');
  await sendSignedOut(ctx, isRevoked);
}

/** Ends a session at its issuer. Returns whether it did. */
export async function endSession(
  ctx: Context,
  kept: KeptSession,
  { log, tokens }: Pick<Parts, 'log' | 'tokens'>,
  issuer: Pick<TokenSource, 'revoke'>,
): Promise<boolean> {
  const ended = { ...tokens.forget(kept.refreshToken), person: toHolder(ctx, kept).person };
  try {
    await issuer.revoke(ended, ctx.state.traceId);
    return true;
  } catch (error) {
    log.warn({ err: error, trace_id: ctx.state.traceId }, 'a session was not revoked');
    return false;
  }
}
