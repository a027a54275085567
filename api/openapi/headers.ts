import { apiVersions, currentVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { JsonSchema } from './json-schema.ts';

/** Headers and parameters that routes share. Each is described once, and answers refer to it. */

interface Header {
  description: string;
  schema: JsonSchema;
  example: unknown;
}

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', format: 'int64', minimum: 0 };
const httpDate: JsonSchema = { type: 'string', pattern: 'GMT$' };

function header(description: string, example: unknown, schema: JsonSchema = text): Header {
  return { description, schema, example };
}

const catalogue = {
  'Trace-Id': header(
    'The id of this request in the logs of the service; that of `traceparent` if it was sent.',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    { type: 'string', pattern: '^[0-9a-f]{32}$' },
  ),
  'API-Version': header(
    'The version of this answer. A replay has the version in which it was stored.',
    currentVersion,
    { type: 'string', enum: [...apiVersions] },
  ),
  Location: header(
    'The URL of the resource, or the target of a redirect.',
    '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  ),
  'Content-Location': header(
    'The path of the resource that the answer shows, and whose `ETag` it carries.',
    '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  ),
  'Idempotent-Replayed': header('`true` if the answer was stored under this key before.', 'true', {
    type: 'string',
    const: 'true',
  }),
  ETag: header(
    'The validator of the content, for `If-None-Match` of a read and `If-Match` of a change. Weak on lists.',
    '"ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"',
    { type: 'string', pattern: '^(W/)?".*"$' },
  ),
  'Last-Modified': header(
    'The time of the last change; missing in the second of the change.',
    'Sun, 01 Nov 2026 12:00:00 GMT',
    httpDate,
  ),
  'Cache-Control': header('`immutable` only if the resource can never change again.', 'private, no-cache'),
  Vary: header('The request headers that the answer depends on.', 'Accept, API-Version, Authorization'),
  Link: header(
    'On lists, `rel="next"` is the next page. In deprecated versions, `rel="deprecation"` explains the deprecation.',
    '</v1/charges?limit=20&starting_after=b3BhcXVl>; rel="next"',
  ),
  Deprecation: header(
    'The time of the deprecation of the version, in Unix seconds (RFC 9745).',
    '@1793491200',
    { type: 'string', pattern: '^@\\d+$' },
  ),
  Sunset: header('The time when the version ends (RFC 8594).', 'Mon, 01 Nov 2027 00:00:00 GMT', httpDate),
  'RateLimit-Limit': header('The most requests in the bucket of the account.', 200, count),
  'RateLimit-Remaining': header('The requests that are left in the bucket.', 199, count),
  'RateLimit-Reset': header('Seconds until more requests are allowed.', 1, count),
  'Retry-After': header(
    'Seconds to wait before the same request is sent again, with the same key.',
    2,
    count,
  ),
  'WWW-Authenticate': header(
    'The scheme of authentication, and the error (RFC 6750 §3).',
    'Bearer realm="payments", error="invalid_token"',
  ),
  Allow: header('The methods that the resource supports.', 'GET, HEAD, POST, OPTIONS'),
  'Accept-Ranges': header('The file can be read in parts, with `Range`.', 'bytes', {
    type: 'string',
    const: 'bytes',
  }),
  'Content-Range': header('The position of these bytes, and the size of the file.', 'bytes 0-1023/4096', {
    type: 'string',
    pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$',
  }),
  'Content-Disposition': header(
    'The name of the saved file.',
    'attachment; filename="op_01JF3ZC5T7P3X9R2V8K4M6N1WD.csv"',
    { type: 'string', pattern: '^attachment' },
  ),
  'Accept-Patch': header(
    'The accepted media type, if that of a patch was wrong (RFC 5789 §2.2).',
    'application/merge-patch+json',
  ),
  'Accept-Encoding': header('The accepted coding, if that of the body was wrong (RFC 7694 §3).', 'identity'),
} satisfies Record<string, Header>;

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
  const described = header(
    'The version of the answer, which this document describes. (Default: that of the account)',
    version,
    // Not a constant: generators skip operations with a header that has one value and no type of its own.
    { type: 'string', enum: [version] },
  );
  const parameters = {
    'API-Version': parameter('API-Version', described),
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

const key = header(
  'One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII ' +
    'characters, bare or as a quoted string.',
  '5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77',
  { type: 'string', pattern: '^[!-~]{1,255}$' },
);
const match = header(
  'The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.',
  '"cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"',
);

function parameter(name: string, described: Header, required?: boolean) {
  return { name, in: 'header', ...(required !== undefined && { required }), ...described };
}

const parametersOfAnyVersion = {
  traceparent: parameter(
    'traceparent',
    header(
      'W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ),
  ),
  'Idempotency-Key': parameter('Idempotency-Key', key, true),
  'Idempotency-Key.optional': parameter('Idempotency-Key', key, false),
  Prefer: parameter(
    'Prefer',
    header(
      '`respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).',
      'respond-async',
    ),
  ),
  'If-None-Match': parameter(
    'If-None-Match',
    header(
      'An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.',
      '"ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"',
    ),
  ),
  'If-Modified-Since': parameter(
    'If-Modified-Since',
    header(
      'A `Last-Modified` that was read before. `If-None-Match` is more exact.',
      'Sun, 01 Nov 2026 12:00:00 GMT',
    ),
  ),
  Range: parameter(
    'Range',
    header('One range of bytes, to continue an interrupted download (RFC 9110 §14.2).', 'bytes=1024-'),
  ),
  'If-Range': parameter(
    'If-Range',
    header(
      'The `ETag` of the first part. If the file is another one, the answer is the whole file.',
      '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    ),
  ),
  'If-Unmodified-Since': parameter(
    'If-Unmodified-Since',
    header(
      'A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.',
      'Sun, 01 Nov 2026 12:00:00 GMT',
    ),
  ),
  'If-Match': parameter('If-Match', match, true),
  'If-Match.optional': parameter('If-Match', match, false),
};

/** The headers that requests can have, besides those of every HTTP client. */
export const requestHeaders = [
  'API-Version',
  ...new Set(Object.values(parametersOfAnyVersion).map(({ name }) => name)),
];

export type ParameterName = 'API-Version' | keyof typeof parametersOfAnyVersion;
