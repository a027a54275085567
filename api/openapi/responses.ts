import type { z } from 'zod';
import { problems, type ProblemCode } from '#domain/problems.ts';
import type { Route, RouteResponse } from '../http/route.ts';
import { buildExample } from './examples.ts';
import { describeHeaders, type Carried } from './headers.ts';
import type { JsonSchema, SharedSchemas } from './json-schema.ts';
import { callers } from './callers.ts';
import { impliedProblems, isList, problemsByStatus } from './problem-codes.ts';

/** The `responses` of operations: successes with their content, and problems with an example for each code. */

type Responses = Record<string, object>;

/** The headers of every answer. */
export const onEveryAnswer: Carried = {
  'Trace-Id': 'always',
  'API-Version': 'always',
  'Cache-Control': 'always',
};

/** The further headers of answers to an account. */
const limits: Carried = {
  'RateLimit-Limit': 'always',
  'RateLimit-Remaining': 'always',
  'RateLimit-Reset': 'always',
};

/** The statuses of answers before the account is known, or while its bucket cannot be read: these have no limits. */
const withoutLimits: ReadonlySet<number> = new Set([400, 401, 403, 429, 500, 503]);

/** The further headers of answers in a deprecated version. */
const deprecation: Carried = { Deprecation: 'always', Sunset: 'always', Link: 'always' };

/** The headers that each status needs. */
const byStatus: Record<number, Carried> = {
  201: { Location: 'always' },
  202: { Location: 'always', 'Retry-After': 'sometimes' },
  303: { Location: 'always' },
  206: { 'Content-Range': 'always' },
  401: { 'WWW-Authenticate': 'always' },
  // A refused link has no scheme.
  403: { 'WWW-Authenticate': 'sometimes' },
  405: { Allow: 'always' },
  409: { 'Retry-After': 'sometimes' },
  416: { 'Content-Range': 'always' },
  415: { 'Accept-Encoding': 'sometimes', 'Accept-Patch': 'sometimes' },
  429: { 'Retry-After': 'always' },
  502: { 'Retry-After': 'always' },
  503: { 'Retry-After': 'always' },
  504: { 'Retry-After': 'always' },
};

/**
 * Problems of an execution are stored under the key, and replayed (`docs/guides/keys-and-retries.md`, "When to try
 * again").
 */
const stored: ReadonlySet<number> = new Set([402, 409, 422]);

function carriedBy({ caller }: Route, status: number): Carried {
  if (caller !== 'account') return { ...onEveryAnswer, Vary: 'sometimes', ...byStatus[status] };
  return {
    ...onEveryAnswer,
    Vary: withoutLimits.has(status) ? 'sometimes' : 'always',
    ...(withoutLimits.has(status) ? optional(limits) : limits),
    ...byStatus[status],
  };
}

function optional(carried: Carried): Carried {
  return Object.fromEntries(Object.keys(carried).map((name) => [name, 'sometimes']));
}

/** The parts of a document that answers refer to. */
interface AnswerParts {
  schemas: SharedSchemas;
  /** Whether the version of the document is deprecated. */
  isDeprecated: boolean;
  readers: ReadonlyMap<string, string>;
}

/** Returns the answers of a route that it names itself. One that names no success is described by its failure. */
export function describeAnswers(route: Route, parts: AnswerParts): Responses {
  const always = parts.isDeprecated && route.caller === 'account' ? deprecation : {};
  const besides = { ...(isList(route) && next), ...always };
  const responses = Object.entries(route.responses).map(([status, response]) => {
    const headers = describeHeaders({ ...listCarried(route, Number(status)), ...besides });
    const content = describeContent(route, response, parts.schemas);
    const links = linkToRead(route, Number(status), parts.readers);
    return [
      status,
      { description: response.description, headers, ...(content && { content }), ...(links && { links }) },
    ];
  });
  const isRefusal = route.caller !== 'account' && responses.every(([status]) => Number(status) >= 300);
  return {
    ...Object.fromEntries(responses),
    ...notModified(route, always),
    ...(isRefusal && { default: problemResponse(['internal_error'], onEveryAnswer) }),
  } as Responses;
}

function listCarried(route: Route, status: number): Carried {
  const { types, headers = [] } = route.responses[status] ?? {};
  return {
    ...carriedBy(route, status),
    ...(route.caller === 'account' && { ...replayedBy(route), ...listValidators(route, status) }),
    ...(route.caller === 'account' && types && ofFiles),
    ...Object.fromEntries(headers.map((name) => [name, 'sometimes'])),
  };
}

/** Returns the link from the answer that creates a resource to the operation that reads it. */
function linkToRead(
  route: Route,
  status: number,
  readers: ReadonlyMap<string, string>,
): Record<string, object> | null {
  if (status !== 201 && status !== 202) return null;
  const reader = readers.get(route.responses[status]?.readAt ?? `${route.path}/{id}`);
  if (reader === undefined) return null;
  const description = 'Reads the resource as it is later.';
  return { [reader]: { operationId: reader, parameters: { id: '$response.body#/id' }, description } };
}

function describeContent(
  { caller }: Route,
  { schema, example, types = schema && ['application/json'] }: RouteResponse,
  schemas: SharedSchemas,
): object | undefined {
  const ofType = (type: string): object => {
    if (type !== 'application/json')
      return { schema: { type: 'string', ...(caller === 'account' && { format: 'binary' }) } };
    return schema ? describeContentSchema(schema, schemas, example) : { schema: { type: 'object' } };
  };
  return types && Object.fromEntries(types.map((type) => [type, ofType(type)]));
}

/** RFC 8288; the last page has no link. */
const next: Carried = { Link: 'sometimes' };

/**
 * Returns the `schema` of an answer's body, and an example.
 *
 * @param members members of the example that replace those of the schema.
 */
function describeContentSchema(
  schema: z.ZodType,
  shared: SharedSchemas,
  members?: object,
): { schema: JsonSchema; example: unknown } {
  const converted = shared.convert(schema, 'output');
  const example = buildExample(converted, shared.all());
  return { schema: converted, example: members ? { ...(example as object), ...members } : example };
}

function replayedBy({ idempotencyKey }: Route): Carried {
  return idempotencyKey ? { 'Idempotent-Replayed': 'sometimes' } : {};
}

/** Returns the validators: always of reads, sometimes of changes (RFC 9110 §9.3.4). */
function listValidators({ method }: Route, status: number): Carried {
  if (method !== 'GET') return { ETag: 'sometimes', 'Last-Modified': 'sometimes', ...located(status) };
  if (status === 206) return { ETag: 'always', 'Last-Modified': 'always' };
  return status === 200 ? { ETag: 'always', 'Last-Modified': 'sometimes' } : {};
}

/** The headers of a file: it is saved, and can be read in parts. */
const ofFiles: Carried = { 'Accept-Ranges': 'always', 'Content-Disposition': 'always' };

/** Returns the header of a command's answer, which may name its resource. */
function located(status: number): Carried {
  return status === 200 ? { 'Content-Location': 'sometimes' } : {};
}

function notModified(route: Route, always: Carried): Responses {
  if (route.caller !== 'account' || route.method !== 'GET' || !(200 in route.responses)) return {};
  const headers = describeHeaders({ ...carriedBy(route, 304), ...listValidators(route, 200), ...always });
  return { 304: { description: 'The resource has not changed', headers } };
}

/** Problem responses. Those of routes with the same codes are shared in `components`. */
export class ProblemResponses {
  readonly #shared = new Map<string, object>();
  readonly #always: Carried;

  /** @param isDeprecated whether the version of the document is deprecated. */
  constructor(isDeprecated: boolean) {
    this.#always = isDeprecated ? deprecation : {};
  }

  /** Returns the responses of a route by status. */
  of(route: Route): Responses {
    const implied = new Set(impliedProblems(route));
    const isAccount = route.caller === 'account';
    const always = isAccount ? this.#always : {};
    const responses = [...problemsByStatus(route)].map(([status, codes]) => {
      const carried = carriedBy(route, status);
      if (isAccount && codes.every((code) => implied.has(code)))
        return [status, this.#share(codes, status, { ...carried, ...always })];
      const replayed = isAccount && stored.has(status) ? replayedBy(route) : {};
      return [status, problemResponse(codes, { ...carried, ...replayed, ...always })];
    });
    return Object.fromEntries(responses) as Responses;
  }

  #share(codes: readonly ProblemCode[], status: number, carried: Carried): object {
    const name = nameResponse(codes, status);
    this.#shared.set(name, problemResponse(codes, carried));
    return { $ref: `#/components/responses/${name}` };
  }

  all(): Responses {
    return Object.fromEntries([...this.#shared].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Returns an answer with a problem document, whose code is one of these. All have the same status. */
export function problemResponse(codes: readonly ProblemCode[], carried: Carried): object {
  const schema: JsonSchema = { $ref: '#/components/schemas/Problem' };
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    description: codes.map((code) => `- \`${code}\`: ${problems[code].title}`).join('\n'),
    headers: describeHeaders(carried),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
    // A schema of its own for each list of codes would be a type of its own in each generated client.
    'x-problem-codes': [...codes],
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** Returns the name of a shared answer: that of its status, and the codes that not every route has. */
function nameResponse(codes: readonly ProblemCode[], status: number): string {
  const special = codes.filter((code) => !callers.account.problems.includes(code) && codes.length > 1);
  const words = special
    .join('_')
    .replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return `${reasons[status] ?? `Status${status}`}${words}`;
}
