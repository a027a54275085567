import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { z } from 'zod';
import { ProblemError } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { refuseCardNumbers } from './card-numbers.ts';
import { parseJson, type JsonObject } from './json.ts';
import { parseRows, partsOf } from './json-rows.ts';
import { parseMediaType } from './media-types.ts';
import { createTurns } from './turns.ts';
import { validateBody, validateFrame } from './validation.ts';

/** Bytes of a body where the route does not say otherwise (decisions, Bodies). */
export const defaultBodyLimit = 256 * 1024;

/** RFC 7386 §4; plain JSON would not say how it is to be applied. */
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
 * @param options.limit in bytes.
 * @param options.isFrame what is in the body is validated by whoever takes it.
 * @param toCurrent the current shape of a body, where an older version has another.
 *
 * The reader throws {ProblemError} `unsupported_media_type`, `payload_too_large`, `malformed_request`,
 * `card_number_refused` or `validation_failed`, in that order.
 */
export function createBodyReader<Schema extends z.ZodType>(
  schema: Schema,
  options: { method: string; limit?: number | undefined; isFrame?: boolean },
  toCurrent: (version: ApiVersion, json: JsonObject) => unknown = (_version, json) => json,
): BodyReader<Schema> {
  const { method, limit = defaultBodyLimit } = options;
  const validate = options.isFrame ? validateFrame : validateBody;
  const mediaType = method === 'PATCH' ? mergePatchType : 'application/json';
  // Where no member is required, no body says the same as `{}`.
  const isOptional = schema.safeParse({}).success;
  const parse = limit > defaultBodyLimit ? parseLarge : parseSmall;
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

/** What takes long is done in pieces, so that others are served in between. */
async function parseLarge(bytes: Buffer): Promise<JsonObject> {
  const turns = createTurns();
  const json = await parseRows(bytes, turns);
  for (const part of partsOf(json)) {
    refuseCardNumbers(part);
    await turns();
  }
  return json;
}

/** RFC 9112 §6: these two headers announce a body. */
function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Bytes that the body of a request may turn out to have: none, what it announces, or the limit. */
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
 * The body as it came.
 *
 * @param limit in bytes.
 * @param withinMs how long it may take. (Default: as long as the server gives a request)
 * @throws {ProblemError} `payload_too_large`, `malformed_request` when less came than was announced, and
 *   `request_timeout`.
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
        detail: `The body may have ${limit} bytes.`,
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
