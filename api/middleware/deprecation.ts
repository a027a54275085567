import type { Middleware } from 'koa';
import { apiVersions, deprecationOf } from '#domain/versions.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import type { RequestState } from '../http/context.ts';

/**
 * Tells whoever is answered in a deprecated version since when it is (RFC 9745), until when it works (RFC 8594),
 * and where to read more. It goes by the version that the answer names: a replay is in the one it was stored in.
 */
export function announceDeprecation(publicUrl: string): Middleware<RequestState> {
  const notices = new Map(apiVersions.map((version) => [version as string, buildNotice(version)]));
  const link = `<${publicUrl}/docs>; rel="deprecation"; type="text/html"`;
  return async (ctx, next) => {
    await next();
    const notice = notices.get(ctx.response.get('API-Version'));
    // Outside of /v1 nothing has a version of its own.
    if (!notice || !ctx.path.startsWith('/v1/')) return;
    const other = ctx.res.getHeader('Link');
    ctx.set({ ...notice, Link: other === undefined ? link : `${String(other)}, ${link}` });
  };
}

function buildNotice(version: ApiVersion): Record<string, string> | null {
  const deprecation = deprecationOf(version);
  if (!deprecation) return null;
  return {
    Deprecation: `@${deprecation.since.getTime() / 1000}`,
    Sunset: deprecation.sunset.toUTCString(),
  };
}
