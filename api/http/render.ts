import { contentTag, isNotModified, buildValidators, type Validators } from './conditional-requests.ts';
import type { Context } from './context.ts';
import { jsonType, problemType } from './media-types.ts';
import type { Answer } from './route.ts';
import { toVersion } from '#domain/versions/versions.ts';
import type { ApiVersion, Resource } from '#domain/versions/version-change.ts';

/** For answers that never change: a year is the longest that caches understand (decisions, Conditional). */
const forGood = 'private, max-age=31536000, immutable';

/** Sends a route's answer in the API version of the request, or 304 if the reader has it. */
export function renderAnswer(ctx: Context, answer: Answer): void {
  const isRead = isRevalidated(ctx, answer);
  if (isRead && answer.change === 'never') ctx.set('Cache-Control', forGood);
  // The validators of a record are known before its bytes.
  if (answer.record) {
    const validators = buildValidators(answer.record, ctx.state.apiVersion, answer.change);
    if (isRead && isNotModified(ctx.req.headers, validators)) return sendNotModified(ctx, validators);
    // RFC 9110 §9.3.4: not on a PUT, whose content is not what is stored.
    if (ctx.method !== 'PUT') setValidators(ctx, validators);
  }
  const content = answer.body === undefined ? null : toContent(answer.body, ctx.state.apiVersion);
  if (isRead && content && !answer.record) {
    const strength = isPage(answer.body) ? 'weak' : 'strong';
    const validators = { etag: contentTag(content, strength, ctx.state.apiVersion) };
    if (isNotModified(ctx.req.headers, validators)) return sendNotModified(ctx, validators);
    setValidators(ctx, validators);
  }
  if (content) ctx.set('Content-Type', answer.status >= 400 ? problemType : jsonType);
  // Koa takes a body of null for a 204, hence the order.
  ctx.body = content;
  ctx.status = answer.status;
  // Node adds this header for GET, and HEAD must equal GET.
  if (!content && answer.status === 303) ctx.set('Content-Length', '0');
  if (answer.headers) ctx.set(answer.headers);
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

/** Returns text, which is sent in one write with its head. Stored answers are bytes already. */
export function toContent(body: object, version: ApiVersion): Buffer | string {
  return Buffer.isBuffer(body) ? body : JSON.stringify(present(body, version));
}

/** Returns a resource, or a page of them, in the shape of `version`. Other bodies have one shape. */
function present(body: object, version: ApiVersion): object {
  if (isResource(body)) return toVersion(version, body);
  if (!isPage(body)) return body;
  return {
    ...body,
    data: body.data.map((item) => (isResource(item) ? toVersion(version, item) : item)),
  };
}

function isPage(body: object | undefined): body is { data: unknown[] } {
  return body !== undefined && 'data' in body && Array.isArray(body.data);
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'object' in value && typeof value.object === 'string';
}
