import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import getRawBody from 'raw-body';
import type { z } from 'zod';
import { ProblemError } from '../domain/problems.ts';
import type { ApiVersion } from '../domain/versions/index.ts';
import { refuseCardNumbers } from './card-numbers.ts';
import { parseJson, type JsonObject } from './json.ts';
import { parseMediaType } from './media-types.ts';
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
  return async (req, version) => {
    const isEmpty = !hasBody(req);
    if (!isEmpty) requireMediaType(req, mediaType);
    const bytes = isEmpty ? Buffer.alloc(0) : await readBytes(req, limit);
    const json = bytes.length === 0 && isOptional ? {} : parseJson(bytes);
    // What takes long is done in turns, so that others are served in between.
    if (bytes.length > defaultBodyLimit) await turn();
    refuseCardNumbers(json);
    if (bytes.length > defaultBodyLimit) await turn();
    return { json, value: validate(schema, toCurrent(version, json)) };
  };
}

/** RFC 9112 §6: these two headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
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
 * @throws {ProblemError} `payload_too_large`, and `malformed_request` when less came than was announced.
 */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
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
    throw error;
  }
}
