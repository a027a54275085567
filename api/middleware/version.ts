import type { Next } from 'koa';
import { currentVersion } from '#domain/versions/versions.ts';
import type { Context } from '../http/context.ts';

/** Gives every request what only the API knows of one, and every answer its `API-Version`. A route may choose another. */
export function startVersion(ctx: Context, next: Next): Promise<unknown> {
  ctx.state.apiVersion = currentVersion;
  ctx.state.idempotencyKey = null;
  ctx.set('API-Version', currentVersion);
  return next();
}
