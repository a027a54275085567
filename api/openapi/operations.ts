import { z } from 'zod';
import { takesBody, type Route } from '../http/route.ts';
import { callers } from './callers.ts';
import { buildExample } from './examples.ts';
import { parameterReference, type ParameterName } from './headers.ts';
import { resolve, type JsonSchema, type SharedSchemas } from './json-schema.ts';
import { operationId } from './operation-ids.ts';
import { describeAnswers, type ProblemResponses } from './responses.ts';

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
  /** The names of the operations that read one resource, by path. */
  readers: ReadonlyMap<string, string>;
}

export function describeRoute(route: Route, shared: Shared): Operation {
  const { tag, security = () => [], parameters = [] } = callers[route.caller];
  return {
    operationId: operationId(route),
    tags: [tag(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: security(route),
    parameters: [
      ...headParameters(route).map(parameterReference),
      ...describeParameters('path', route.params, shared.schemas),
      ...describeParameters('query', route.query, shared.schemas),
      ...parameters,
    ],
    ...(takesBody(route) && { requestBody: describeBody(route, shared.schemas) }),
    responses: { ...shared.problems.of(route), ...describeAnswers(route, shared) },
  };
}

function headParameters(route: Route): ParameterName[] {
  const names: ParameterName[] = [];
  if (route.idempotencyKey === 'required') names.push('Idempotency-Key');
  if (route.idempotencyKey === 'optional') names.push('Idempotency-Key.optional');
  if (route.caller !== 'account') return names;
  // A caller may choose not to wait for the outcome.
  if (201 in route.responses && 202 in route.responses) names.push('Prefer');
  if (route.method === 'PUT' || route.method === 'PATCH') names.push('If-Match');
  const isChange = route.method === 'DELETE' || route.method === 'POST';
  if (isChange && route.problems?.includes('precondition_failed')) names.push('If-Match.optional');
  if (route.method === 'GET')
    names.push('If-None-Match', 'If-Modified-Since', 'If-Match.optional', 'If-Unmodified-Since');
  if (206 in route.responses) names.push('Range', 'If-Range');
  return [...names, 'API-Version', 'traceparent'];
}

/** Returns the parameters of a schema's members. */
function describeParameters(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  schemas: SharedSchemas,
): object[] {
  if (!schema) return [];
  const converted = schemas.convert(schema, 'input');
  const required = new Set((converted['required'] ?? []) as string[]);
  const properties = Object.entries((converted['properties'] ?? {}) as Record<string, JsonSchema>);
  return properties.map(([name, { description: given, ...own }]) => {
    const target = resolve(own, schemas.all());
    const { examples } = 'examples' in own ? own : target;
    const description = given ?? target['description'];
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      ...(required.has(name) && { required: true }),
      // As `metadata[order]=6735`.
      ...(resolve(own, schemas.all())['type'] === 'object' && { style: 'deepObject', explode: true }),
      schema: own,
      ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    };
  });
}

const noMembers = z.strictObject({});

function describeBody(route: Route, schemas: SharedSchemas): object {
  const body = route.documentedBody ?? route.body ?? noMembers;
  const schema = schemas.convert(body, 'input');
  // If no member is required, a missing body means `{}`. A processor signs what it sends.
  const required = route.caller === 'processor' || !body.safeParse({}).success;
  return {
    required,
    content: { [mediaType(route)]: { schema, example: buildExample(schema, schemas.all()) } },
  };
}

function mediaType({ caller, method }: Route): string {
  if (caller === 'client') return 'application/x-www-form-urlencoded';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}
