import { z } from 'zod';
import type { RawResponse, RawRoute } from '../http/raw-route.ts';
import { listScopes, type Route } from '../http/route.ts';
import { buildExample } from './examples.ts';
import { describeHeaders, type ParameterName } from './headers.ts';
import { resolve, type JsonSchema, type SharedSchemas } from './json-schema.ts';
import { operationId, rawOperationId, toTag } from './operation-ids.ts';
import { groupByStatus, outsideVersions, takesBody } from './problem-codes.ts';
import { carriedOutside, rawProblemResponses, describeContentSchema, successResponses } from './responses.ts';
import type { ProblemResponses } from './responses.ts';

/** One route as an operation of the document. */

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  responses: Record<string, object>;
  [member: string]: unknown;
}

/** The shared parts that operations refer to. */
export interface Shared {
  schemas: SharedSchemas;
  problems: ProblemResponses;
  /** Whether the version of the document is deprecated. */
  isDeprecated: boolean;
}

export function describeRoute(route: Route, shared: Shared): Operation {
  return {
    operationId: operationId(route),
    tags: [toTag(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: describeSecurity(route),
    parameters: [
      ...headParameters(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ...parametersIn('path', route.params, shared.schemas),
      ...parametersIn('query', route.query, shared.schemas),
    ],
    ...(takesBody(route) && { requestBody: describeBody(route, shared.schemas) }),
    responses: {
      ...successResponses(route, shared.schemas, shared.isDeprecated),
      ...shared.problems.of(route),
    },
  };
}

/** Returns the alternatives: any one is enough, and all its scopes are needed. */
function describeSecurity({ access, furtherScopes = [[]] }: Route): { oauth2: string[] }[] {
  return furtherScopes.map((further) => ({ oauth2: [...listScopes(access), ...further] }));
}

function headParameters(route: Route): ParameterName[] {
  const names: ParameterName[] = [];
  if (route.idempotencyKey === 'required') names.push('Idempotency-Key');
  if (route.idempotencyKey === 'optional') names.push('Idempotency-Key.optional');
  // A caller may choose not to wait for the outcome.
  if (201 in route.responses && 202 in route.responses) names.push('Prefer');
  if (route.method === 'PUT' || route.method === 'PATCH') names.push('If-Match');
  const isChange = route.method === 'DELETE' || route.method === 'POST';
  if (isChange && route.problems?.includes('precondition_failed')) names.push('If-Match.optional');
  if (route.method === 'GET') names.push('If-None-Match', 'If-Modified-Since');
  return [...names, 'API-Version', 'traceparent'];
}

function parametersIn(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  schemas: SharedSchemas,
): object[] {
  if (!schema) return [];
  const converted = schemas.convert(schema, 'input');
  const required = new Set((converted['required'] ?? []) as string[]);
  const properties = Object.entries((converted['properties'] ?? {}) as Record<string, JsonSchema>);
  return properties.map(([name, { description, ...own }]) => {
    const { examples } = 'examples' in own ? own : resolve(own, schemas.all());
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      ...(required.has(name) && { required: true }),
      schema: own,
      ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    };
  });
}

const noMembers = z.strictObject({});

function describeBody(route: Route, schemas: SharedSchemas): object {
  const body = route.documentedBody ?? route.body ?? noMembers;
  const schema = schemas.convert(body, 'input');
  const type = route.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  // If no member is required, a missing body means `{}`.
  const required = !body.safeParse({}).success;
  return { required, content: { [type]: { schema, example: buildExample(schema, schemas.all()) } } };
}

/** Describes a route outside `/v1`. */
export function describeRawRoute(route: RawRoute, { schemas }: Shared): Operation {
  const own = Object.entries(route.responses ?? {}).map(([status, response]) => [
    status,
    describeRawResponse(Number(status), response, schemas),
  ]);
  const codes = groupByStatus([...outsideVersions, ...(route.problems ?? [])]);
  return {
    operationId: rawOperationId(route.path),
    tags: [toRawTag(route.path)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    // A client may also send its secret in the form.
    security: route.callers === 'clients' ? [{ client: [] }, {}] : [],
    parameters: [
      ...pathParameters(route.path),
      ...(route.callers === 'processor' ? processorParameters : []),
    ],
    ...(route.body && { requestBody: rawBody(route.body, schemas) }),
    responses: { ...rawProblemResponses(codes), ...Object.fromEntries(own) } as Record<string, object>,
  };
}

function describeRawResponse(
  status: number,
  { description, types, schema }: RawResponse,
  schemas: SharedSchemas,
): object {
  const ofType = (type: string) => {
    if (type !== 'application/json') return { schema: { type: 'string' } };
    return schema ? describeContentSchema(schema, schemas) : {};
  };
  const content = types?.map((type) => [type, ofType(type)]);
  return {
    description,
    headers: describeHeaders(carriedOutside(status)),
    ...(content && { content: Object.fromEntries(content) as object }),
  };
}

/** The headers by which the processor authenticates a notification. */
const processorParameters = [
  {
    name: 'Processor-Timestamp',
    in: 'header',
    required: true,
    description: 'The time of the signature in Unix seconds. It may differ from ours by 5 minutes.',
    schema: { type: 'string', pattern: '^\\d{1,12}$' },
    example: '1793491200',
  },
  {
    name: 'Processor-Signature',
    in: 'header',
    required: true,
    description: '`v1=` and the hex HMAC-SHA256 of `timestamp.body`, with the shared secret.',
    schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
    example: `v1=${'0'.repeat(64)}`,
  },
];

function toRawTag(path: string): string {
  return /^\/(?:oauth2|\.well-known)\//.test(path) ? 'authorization' : 'service';
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function rawBody({ type, schema }: NonNullable<RawRoute['body']>, schemas: SharedSchemas): object {
  const converted = schemas.convert(schema, 'input');
  const example = buildExample(converted, schemas.all());
  return { required: true, content: { [type]: { schema: converted, example } } };
}
