import type { Next, Middleware } from 'koa';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { currentVersion, apiVersions, findDeprecation } from '#domain/versions/versions.ts';
import type { Context, RequestState } from '../http/context.ts';

/** Gives every request what only the API knows of one, and every answer its `API-Version`. A route may choose another. */
export function startVersion(ctx: Context, next: Next): Promise<unknown> {
  ctx.state.apiVersion = currentVersion;
  ctx.state.idempotencyKey = null;
  ctx.set('API-Version', currentVersion);
  return next();
}

/**
 * Adds the date of deprecation (RFC 9745), the end (RFC 8594) and a link to answers in a deprecated version. The
 * version is that of the answer: a replay has the version in which it was stored.
 */
export function announceDeprecation(publicUrl: string): Middleware<RequestState> {
  const notices = new Map(apiVersions.map((version) => [version as string, buildNotice(version)]));
  const link = `<${publicUrl}/docs>; rel="deprecation"; type="text/html"`;
  return async (ctx, next) => {
    await next();
    const notice = notices.get(ctx.response.get('API-Version'));
    // Paths outside of /v1 have no versions.
    if (!notice || !ctx.path.startsWith('/v1/')) return;
    const other = ctx.res.getHeader('Link');
    ctx.set({ ...notice, Link: other === undefined ? link : `${String(other)}, ${link}` });
  };
}

function buildNotice(version: ApiVersion): Record<string, string> | null {
  const deprecation = findDeprecation(version);
  if (!deprecation) return null;
  return {
    Deprecation: `@${deprecation.since.getTime() / 1000}`,
    Sunset: deprecation.sunset.toUTCString(),
  };
}
