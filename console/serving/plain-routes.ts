import type { Middleware } from 'koa';
import type { RequestState } from '#http/context.ts';
import type { Lifecycle } from '#http/lifecycle.ts';
import { findAsset } from '../assets.ts';

/** For supervisors and load balancers, as the API has them. Without the API the console is ready: its pages say so. */
export function answerHealth(lifecycle: Readonly<Lifecycle>): Middleware<RequestState> {
  return (ctx, next) => {
    if (ctx.path !== '/livez' && ctx.path !== '/readyz') return next();
    ctx.state.route = ctx.path;
    const isStopping = ctx.path === '/readyz' && lifecycle.isStopping;
    ctx.status = isStopping ? 503 : 200;
    ctx.body = { status: ctx.path === '/livez' ? 'alive' : isStopping ? 'stopping' : 'ready' };
    return Promise.resolve();
  };
}

/** Serves the files of pages. A changed file has another address, so a browser keeps them for good. */
export const serveAssets: Middleware<RequestState> = (ctx, next) => {
  const asset = ctx.method === 'GET' || ctx.method === 'HEAD' ? findAsset(ctx.path) : null;
  if (!asset) return next();
  ctx.state.route = '/assets/{file}';
  ctx.set('Content-Type', asset.type);
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.vary('Accept-Encoding');
  const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzip) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isGzip ? asset.gzipped : asset.bytes;
  return Promise.resolve();
};
