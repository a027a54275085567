import type { Next } from 'koa';
import type { Context } from '../context.ts';

/** What every answer says, unless its route says otherwise: nothing here is for a shared cache or a browser's guess. */
export function securityHeaders(ctx: Context, next: Next): Promise<unknown> {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (ctx.secure) ctx.set('Strict-Transport-Security', 'max-age=31536000');
  return next();
}
