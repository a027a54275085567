import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { refuseCardNumbers } from '../json/card-numbers.ts';
import { parseJson, type JsonObject } from '../json/json.ts';
import { parseRows, partsOf } from '../json/json-rows.ts';
import { parseMediaType } from './media-types.ts';
import { createPauses } from '../json/pauses.ts';
import { validateBody, validateFrame } from './validation.ts';

/** The limit of a body in bytes, unless the route has its own. */
export const defaultBodyLimit = 256 * 1024;

/** That of a body of whoever has no account. */
export const strangersBodyLimit = 16 * 1024;

/** RFC 7386 §4. Plain JSON would not say how to apply the patch. */
const mergePatchType = 'application/merge-patch+json';

export interface ParsedBody<Schema extends z.ZodType> {
  /** As sent, for the fingerprint. */
  json: JsonObject;
  value: z.output<Schema>;
}

/** Reads the bodies that fit one schema; made once a route. */
export type BodyReader<Schema extends z.ZodType> = (
  req: IncomingMessage,
  version: ApiVersion,
) => Promise<ParsedBody<Schema>>;

/**
 * Creates the reader of a route. It throws {ProblemError} `unsupported_media_type`, `payload_too_large`,
 * `malformed_request`, `card_number_refused` or `validation_failed`, in that order.
 *
 * @param options.limit in bytes.
 * @param options.isFrame true if the handler validates the parts of the body, and looks for cards in them.
 * @param toCurrent returns the current shape of a body of an older version.
 */
export function createBodyReader<Schema extends z.ZodType>(
  schema: Schema,
  options: { method: string; limit?: number | undefined; isFrame?: boolean },
  toCurrent: (version: ApiVersion, json: JsonObject) => unknown = (_version, json) => json,
): BodyReader<Schema> {
  const { method, limit = defaultBodyLimit } = options;
  const validate = options.isFrame ? validateFrame : validateBody;
  const mediaType = method === 'PATCH' ? mergePatchType : 'application/json';
  // If no member is required, a missing body means `{}`.
  const isOptional = schema.safeParse({}).success;
  const parse = limit > defaultBodyLimit ? (bytes: Buffer) => parseLarge(bytes, options) : parseSmall;
  return async (req, version) => {
    const isEmpty = !hasBody(req);
    if (!isEmpty) requireMediaType(req, mediaType);
    const bytes = isEmpty ? Buffer.alloc(0) : await readBytes(req, limit);
    const json = bytes.length === 0 && isOptional ? {} : await parse(bytes);
    return { json, value: validate(schema, toCurrent(version, json)) };
  };
}

function parseSmall(bytes: Buffer): JsonObject {
  const json = parseJson(bytes);
  refuseCardNumbers(json);
  return json;
}

/**
 * Parses in pieces, so that the process can serve others in between. The rows of a frame are left to the handler, which
 * refuses each by itself.
 */
async function parseLarge(bytes: Buffer, { isFrame = false }: { isFrame?: boolean }): Promise<JsonObject> {
  const pause = createPauses();
  const json = await parseRows(bytes, pause);
  for (const part of partsOf(json)) {
    if (!isFrame || !Array.isArray(part)) refuseCardNumbers(part);
    await pause();
  }
  return json;
}

/** Returns whether the headers announce a body (RFC 9112 §6). */
function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Returns the most bytes that the body may have: none, the announced length, or the limit. */
export function announcedBytes(req: Pick<IncomingMessage, 'headers'>, limit: number): number {
  if (!hasBody(req)) return 0;
  const announced = req.headers['content-length'];
  return announced === undefined ? limit : Math.min(Number(announced), limit);
}

function requireMediaType({ headers }: IncomingMessage, expected: string): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    // RFC 7694 §3
    throw unsupported('Send the body without a Content-Encoding.', { 'Accept-Encoding': 'identity' });
  }
  const media = headers['content-type'] === undefined ? null : parseMediaType(headers['content-type']);
  if (media?.type !== expected || (media.charset !== null && media.charset !== 'utf-8')) {
    // RFC 5789 §2.2
    throw unsupported(
      `Send the body as ${expected}.`,
      expected === mergePatchType ? { 'Accept-Patch': expected } : {},
    );
  }
}

function unsupported(detail: string, headers: Record<string, string> = {}): ProblemError {
  return new ProblemError('unsupported_media_type', { detail, headers });
}

/**
 * Reads the bytes of a body.
 *
 * @param limit in bytes.
 * @param withinMs the longest time in milliseconds. (Default: that of the server for a request)
 * @throws {ProblemError} `payload_too_large`, `request_timeout`, and `malformed_request` if the body is shorter than
 *   announced.
 */
export async function readBytes(req: IncomingMessage, limit: number, withinMs?: number): Promise<Buffer> {
  const timer =
    withinMs === undefined ? undefined : setTimeout(() => req.emit('error', new Late()), withinMs);
  try {
    return await getRawBody(req, { limit, length: req.headers['content-length'] ?? null });
  } catch (error) {
    const type = (error as { type?: unknown }).type;
    if (type === 'entity.too.large') {
      throw new ProblemError('payload_too_large', {
        detail: `The body may have at most ${limit} bytes.`,
        cause: error,
      });
    }
    if (type === 'request.size.invalid') throw new ProblemError('malformed_request', { cause: error });
    if (error instanceof Late) throw new ProblemError('request_timeout', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The body did not come in time. */
class Late extends Error {}
