import { problems, type ProblemCode } from '#domain/problems.ts';
import type { Route } from '../http/route.ts';

/** The problems that follow from the properties of a route. A route itself names only the others. */

/** The problems of every route under `/v1`: HTTP, query, version, caller, limits, internal errors. */
const everywhere: readonly ProblemCode[] = [
  'malformed_request',
  'invalid_parameter',
  'unknown_api_version',
  'invalid_token',
  'account_disabled',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** Returns whether every route under `/v1` can answer with this code. */
export function isEverywhere(code: ProblemCode): boolean {
  return everywhere.includes(code);
}

/** The problems of every route that reads a body. */
const ofBodies: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'card_number_refused',
];

/** The problems of a required key: it is missing, in use, or belongs to another request. */
const ofRequiredKeys: readonly ProblemCode[] = [
  'idempotency_key_required',
  'idempotency_key_in_progress',
  'idempotency_key_reused',
];

/** The problems of routes outside `/v1`, which use their own format otherwise. */
export const outsideVersions: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'internal_error',
  'service_unavailable',
];

/** Returns whether requests of the route have a body. */
export function takesBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** Returns whether the route answers with pages. */
export function isList({ query }: Pick<Route, 'query'>): boolean {
  return query !== undefined && 'starting_after' in toShape(query);
}

/** Returns every problem code of the route by status, each in the order of the catalogue. */
export function problemsByStatus(route: Route): Map<number, ProblemCode[]> {
  return groupByStatus([...impliedProblems(route), ...(route.problems ?? [])]);
}

/** Returns the problem codes that the route has without naming them. */
export function impliedProblems(route: Route): ProblemCode[] {
  return [
    ...everywhere,
    ...(route.access === 'any-token' ? [] : (['insufficient_scope'] as const)),
    ...(isList(route) ? (['invalid_cursor', 'list_too_slow'] as const) : []),
    ...(route.params ? (['not_found'] as const) : []),
    ...(route.method === 'GET' ? (['precondition_failed'] as const) : []),
    ...(route.method === 'GET' ? [] : (['outcome_unknown'] as const)),
    ...(takesBody(route) ? ofBodies : []),
    ...(route.idempotencyKey ? (['idempotency_key_invalid'] as const) : []),
    ...(route.idempotencyKey === 'required' ? ofRequiredKeys : []),
  ];
}

/** Groups the codes by status, each once. */
export function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const wanted = new Set(codes);
  const groups = new Map<number, ProblemCode[]>();
  for (const code of Object.keys(problems) as ProblemCode[]) {
    if (!wanted.has(code)) continue;
    const { status } = problems[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function toShape(schema: object): object {
  return 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null ? schema.shape : {};
}
