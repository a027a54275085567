import { contentTag, isNotModified, buildValidators, type Validators } from './conditional-requests.ts';
import type { Context } from './context.ts';
import { jsonType, problemType } from './media-types.ts';
import type { Answer } from './route.ts';
import { toVersion } from '#domain/versions.ts';
import type { ApiVersion, Resource } from '#domain/version-change.ts';

/** What can never change again is kept for a year, the longest that caches understand (decisions, Conditional). */
const forGood = 'private, max-age=31536000, immutable';

/** Puts a route's answer on the wire, in the API version of the request, or says that its reader has it already. */
export function renderAnswer(ctx: Context, answer: Answer): void {
  const isRead = isRevalidated(ctx, answer);
  if (isRead && answer.change === 'never') ctx.set('Cache-Control', forGood);
  // What a record's validators say is known before its bytes are made.
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
  // As of GET, which is told of it by the server under us.
  if (!content && answer.status === 303) ctx.set('Content-Length', '0');
  if (answer.headers) ctx.set(answer.headers);
}

/** Whether the answer is a representation that a cache may keep: what may not be stored has no use for validators. */
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

/** Text goes out in one write with its head; what was stored is bytes already. */
export function toContent(body: object, version: ApiVersion): Buffer | string {
  return Buffer.isBuffer(body) ? body : JSON.stringify(present(body, version));
}

/** A resource, or a page of them, in the shape of `version`; anything else has one shape only. */
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
