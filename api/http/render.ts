import { buildValidators, isNotModified, type Validators } from './conditional-requests.ts';
import { Content } from './content.ts';
import { createPauses } from '../json/pauses.ts';
import type { Context } from './context.ts';
import { jsonType, problemType } from './media-types.ts';
import type { Answer } from './route.ts';
import { toVersion } from '#domain/versions/versions.ts';
import type { ApiVersion, Resource } from '#domain/versions/version-change.ts';

/** For answers that never change: a year is the longest that caches understand. */
const forGood = 'private, max-age=31536000, immutable';

/**
 * Sends a route's answer in the API version of the request, or 304 if the reader has it. A page is written item by item,
 * with pauses.
 *
 * @returns the bytes of the content that was written for it, also if the reader has it already.
 */
export async function renderAnswer(ctx: Context, answer: Answer): Promise<number> {
  const isRead = isRevalidated(ctx, answer);
  if (isRead && answer.change === 'never') ctx.set('Cache-Control', forGood);
  // The validators of a record are known before its bytes.
  if (answer.record) {
    const validators = buildValidators(answer.record, ctx.state.apiVersion, answer.change);
    if (isRead && isNotModified(ctx.req.headers, validators)) {
      sendNotModified(ctx, validators);
      return 0;
    }
    // RFC 9110 §9.3.4: not on a PUT, whose content is not what is stored.
    if (ctx.method !== 'PUT') setValidators(ctx, validators);
  }
  const content = answer.body === undefined ? null : await write(answer.body, ctx.state.apiVersion);
  if (isRead && content && !answer.record) {
    const validators = { etag: content.tag(isPage(answer.body) ? 'weak' : 'strong') };
    if (isNotModified(ctx.req.headers, validators)) {
      sendNotModified(ctx, validators);
      return content.length;
    }
    setValidators(ctx, validators);
  }
  if (content) ctx.set('Content-Type', answer.status >= 400 ? problemType : jsonType);
  const length = content?.length ?? 0;
  // Koa takes a body of null for a 204, hence the order.
  ctx.body = content?.toBody(ctx.method) ?? null;
  ctx.status = answer.status;
  if (content) ctx.length = length;
  // Node adds this header for GET, and HEAD must equal GET.
  if (!content && answer.status === 303) ctx.set('Content-Length', '0');
  if (answer.headers) ctx.set(answer.headers);
  return length;
}

/** Writes the content: stored answers are bytes already, and a page is written item by item. */
async function write(body: object, version: ApiVersion): Promise<Content> {
  if (Buffer.isBuffer(body)) return new Content(version, body);
  const content = new Content(version);
  if (isPage(body)) await writePage(content, body, version);
  else content.add(toText(body, version));
  return content;
}

async function writePage(
  content: Content,
  page: { data: unknown[] } & Record<string, unknown>,
  version: ApiVersion,
): Promise<void> {
  const pause = createPauses();
  const members = Object.entries(page).filter(([, value]) => value !== undefined);
  for (const [at, [name, value]] of members.entries()) {
    content.add(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (name !== 'data') {
      content.add(JSON.stringify(value));
      continue;
    }
    for (const [index, item] of page.data.entries()) {
      content.add(
        (index === 0 ? '[' : ',') + JSON.stringify(isResource(item) ? toVersion(version, item) : item),
      );
      await pause();
    }
    content.add(page.data.length === 0 ? '[]' : ']');
  }
  content.add('}');
}

/** Returns whether the answer gets validators: an answer that may not be stored has no use for them. */
function isRevalidated(ctx: Context, answer: Answer): boolean {
  const isSafe = ctx.method === 'GET' || ctx.method === 'HEAD';
  return isSafe && answer.status === 200 && ctx.response.get('Cache-Control') !== 'no-store';
}

export function setValidators(ctx: Context, { etag, lastModified }: Validators): void {
  ctx.set('ETag', etag);
  if (lastModified) ctx.set('Last-Modified', lastModified.toUTCString());
}

/** Answers 304, without a body (RFC 9110 §15.4.5). */
export function sendNotModified(ctx: Context, validators: Validators): void {
  setValidators(ctx, validators);
  ctx.body = null;
  ctx.status = 304;
}

/** Returns the text of a body. A resource has the shape of `version`, other bodies have one shape. */
export function toText(body: object, version: ApiVersion): string {
  return JSON.stringify(isResource(body) ? toVersion(version, body) : body);
}

function isPage(body: object | undefined): body is { data: unknown[] } & Record<string, unknown> {
  return body !== undefined && 'data' in body && Array.isArray(body.data);
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'object' in value && typeof value.object === 'string';
}
