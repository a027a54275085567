import { apiVersions, currentVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { JsonSchema } from './json-schema.ts';

/** Headers and parameters that routes share. Each is described once, and answers refer to it. */

interface Header {
  description: string;
  schema: JsonSchema;
  example: unknown;
}

const count: JsonSchema = { type: 'integer', format: 'int64', minimum: 0 };
const httpDate: JsonSchema = { type: 'string', pattern: 'GMT$' };

const catalogue = {
  'Trace-Id': {
    description: 'The id of this request in the logs of the service; that of `traceparent` if it was sent.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  },
  'API-Version': {
    description: 'The version of this answer. A replay has the version in which it was stored.',
    schema: { type: 'string', enum: [...apiVersions] },
    example: currentVersion,
  },
  Location: {
    description: 'The URL of the resource, or the target of a redirect.',
    schema: { type: 'string' },
    example: '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  },
  'Content-Location': {
    description: 'The path of the resource that the answer shows, and whose `ETag` it carries.',
    schema: { type: 'string' },
    example: '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  },
  'Idempotent-Replayed': {
    description: '`true` if the answer was stored under this key before.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description:
      'The validator of the content, for `If-None-Match` of a read and `If-Match` of a change. Weak on lists.',
    schema: { type: 'string', pattern: '^(W/)?".*"$' },
    example: '"ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"',
  },
  'Last-Modified': {
    description: 'The time of the last change; missing in the second of the change.',
    schema: httpDate,
    example: 'Sun, 01 Nov 2026 12:00:00 GMT',
  },
  'Cache-Control': {
    description: '`immutable` only if the resource can never change again.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    schema: { type: 'string' },
    example: 'Accept, API-Version, Authorization',
  },
  Link: {
    description:
      'On lists, `rel="next"` is the next page. In deprecated versions, `rel="deprecation"` explains the deprecation.',
    schema: { type: 'string' },
    example: '</v1/charges?limit=20&starting_after=b3BhcXVl>; rel="next"',
  },
  Deprecation: {
    description: 'The time of the deprecation of the version, in Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: '@1793491200',
  },
  Sunset: {
    description: 'The time when the version ends (RFC 8594).',
    schema: httpDate,
    example: 'Mon, 01 Nov 2027 00:00:00 GMT',
  },
  'RateLimit-Limit': {
    description: 'The most requests in the bucket of the account.',
    schema: count,
    example: 200,
  },
  'RateLimit-Remaining': {
    description: 'The requests that are left in the bucket.',
    schema: count,
    example: 199,
  },
  'RateLimit-Reset': {
    description: 'Seconds until more requests are allowed.',
    schema: count,
    example: 1,
  },
  'Retry-After': {
    description: 'Seconds to wait before the same request is sent again, with the same key.',
    schema: count,
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'The scheme of authentication, and the error (RFC 6750 §3).',
    schema: { type: 'string' },
    example: 'Bearer realm="payments", error="invalid_token"',
  },
  Allow: {
    description: 'The methods that the resource supports.',
    schema: { type: 'string' },
    example: 'GET, HEAD, POST, OPTIONS',
  },
  'Accept-Ranges': {
    description: 'The file can be read in parts, with `Range`.',
    schema: { type: 'string', const: 'bytes' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'The position of these bytes, and the size of the file.',
    schema: { type: 'string', pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$' },
    example: 'bytes 0-1023/4096',
  },
  'Content-Disposition': {
    description: 'The name of the saved file.',
    schema: { type: 'string', pattern: '^attachment' },
    example: 'attachment; filename="op_01JF3ZC5T7P3X9R2V8K4M6N1WD.csv"',
  },
  'Accept-Patch': {
    description: 'The accepted media type, if that of a patch was wrong (RFC 5789 §2.2).',
    schema: { type: 'string' },
    example: 'application/merge-patch+json',
  },
  'Accept-Encoding': {
    description: 'The accepted coding, if that of the body was wrong (RFC 7694 §3).',
    schema: { type: 'string' },
    example: 'identity',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof catalogue;

/** The headers that answers can have. */
export const answerHeaders = Object.keys(catalogue) as HeaderName[];

/** Whether an answer has a header always or sometimes. */
export type Carried = Partial<Record<HeaderName, 'always' | 'sometimes'>>;

/** Returns `components.headers`: each header once as required and once as optional. */
export function headerComponents(): Record<string, object> {
  const entries = Object.entries(catalogue).flatMap(([name, header]) => [
    [nameComponent(name, 'sometimes'), header],
    [nameComponent(name, 'always'), { ...header, required: true }],
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

/** Returns the `headers` of a response. */
export function describeHeaders(carried: Carried): Record<string, object> {
  const entries = Object.entries(carried).map(([name, when]) => [
    name,
    { $ref: `#/components/headers/${nameComponent(name, when)}` },
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

const nameComponent = (name: string, when: 'always' | 'sometimes') =>
  when === 'always' ? name : `${name}.optional`;

/** Returns `components.parameters`: the headers of requests. */
export function headComponents(version: ApiVersion): Record<string, object> {
  const description =
    'The version of the answer, which this document describes. (Default: that of the account)';
  // Not a constant: generators skip operations with a header that has one value and no type of its own.
  const schema = { type: 'string', enum: [version] };
  const parameters = {
    'API-Version': { name: 'API-Version', in: 'header', description, schema, example: version },
    ...parametersOfAnyVersion,
  };
  const entries = Object.entries(parameters).map(([name, parameter]) => [nameParameter(name), parameter]);
  return Object.fromEntries(entries) as Record<string, object>;
}

/** Returns a reference to the parameter. */
export function parameterReference(name: ParameterName): { $ref: string } {
  return { $ref: `#/components/parameters/${nameParameter(name)}` };
}

/** Returns a name that is no name of a schema: generators make types of both. */
function nameParameter(name: string): string {
  const [header = '', isOptional] = name.split('.');
  const words = header.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return `${isOptional ? 'Optional' : ''}${words.join('')}Header`;
}

const parametersOfAnyVersion = {
  traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.',
    schema: { type: 'string' },
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
  'Idempotency-Key': keyParameter(true),
  'Idempotency-Key.optional': keyParameter(false),
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.',
    schema: { type: 'string' },
    example: '"ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"',
  },
  'If-Modified-Since': {
    name: 'If-Modified-Since',
    in: 'header',
    description: 'A `Last-Modified` that was read before. `If-None-Match` is more exact.',
    schema: { type: 'string' },
    example: 'Sun, 01 Nov 2026 12:00:00 GMT',
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'One range of bytes, to continue an interrupted download (RFC 9110 §14.2).',
    schema: { type: 'string' },
    example: 'bytes=1024-',
  },
  'If-Range': {
    name: 'If-Range',
    in: 'header',
    description: 'The `ETag` of the first part. If the file is another one, the answer is the whole file.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'If-Unmodified-Since': {
    name: 'If-Unmodified-Since',
    in: 'header',
    description:
      'A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.',
    schema: { type: 'string' },
    example: 'Sun, 01 Nov 2026 12:00:00 GMT',
  },
  'If-Match': matchParameter(true),
  'If-Match.optional': matchParameter(false),
} as const;

/** The headers that requests can have, besides those of every HTTP client. */
export const requestHeaders = [
  'API-Version',
  ...new Set(Object.values(parametersOfAnyVersion).map(({ name }) => name)),
];

export type ParameterName = 'API-Version' | keyof typeof parametersOfAnyVersion;

function keyParameter(required: boolean) {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII ' +
      'characters, bare or as a quoted string.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77',
  };
}

function matchParameter(required: boolean) {
  return {
    name: 'If-Match',
    in: 'header',
    required,
    description: 'The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.',
    schema: { type: 'string' },
    example: '"cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"',
  };
}
