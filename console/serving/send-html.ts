import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Context } from '#http/context.ts';

const compress = promisify(gzip);

/** Below this many bytes compression saves no packet. */
const worthCompressing = 1_400;

/**
 * Sends a page, or a part of one, compressed where the browser takes it. Length tells nothing to a page elsewhere: its
 * requests come without the cookie (BREACH).
 */
export async function sendHtml(ctx: Context, status: number, html: string): Promise<void> {
  const bytes = Buffer.from(html);
  ctx.status = status;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.vary('Accept-Encoding');
  if (bytes.length < worthCompressing || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = bytes;
    return;
  }
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = await compress(bytes, { level: constants.Z_BEST_SPEED + 4 });
}
