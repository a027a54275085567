import type { Context } from './context.ts';
import { jsonType, problemType } from './media-types.ts';
import type { Answer } from './route.ts';
import { toVersion, type ApiVersion, type Resource } from '../domain/versions/index.ts';

/** Puts a route's answer on the wire, in the API version of the request. */
export function renderAnswer(ctx: Context, answer: Answer): void {
  if (answer.body !== undefined) ctx.set('Content-Type', answer.status >= 400 ? problemType : jsonType);
  // Koa takes a body of null for a 204, hence the order.
  ctx.body = answer.body === undefined ? null : toBytes(answer.body, ctx.state.apiVersion);
  ctx.status = answer.status;
  // The bytes are final here: what is made from them (validators, conditional answers) belongs here.
  if (answer.headers) ctx.set(answer.headers);
}

function toBytes(body: object, version: ApiVersion): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(present(body, version)));
}

/** A resource, or a page of them, in the shape of `version`; anything else has one shape only. */
function present(body: object, version: ApiVersion): object {
  if (isResource(body)) return toVersion(version, body);
  if (!('data' in body) || !Array.isArray(body.data)) return body;
  return {
    ...body,
    data: body.data.map((item: unknown) => (isResource(item) ? toVersion(version, item) : item)),
  };
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'object' in value && typeof value.object === 'string';
}
