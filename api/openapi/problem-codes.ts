import { problems, type ProblemCode } from '#domain/problems.ts';
import type { Route } from '../http/route.ts';

/**
 * The problems that a route can answer by what it is, so that routes name those of their own only.
 */

/** Of every route under `/v1`: HTTP itself, the query, the version, the caller, the limits, our own faults. */
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

/** Of every route that reads a body. */
const ofBodies: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'card_number_refused',
];

/** Of a key that decides: it is required, held by a first request, and belongs to that request. */
const ofRequiredKeys: readonly ProblemCode[] = [
  'idempotency_key_required',
  'idempotency_key_in_progress',
  'idempotency_key_reused',
];

/** Of routes outside `/v1`, which answer what they can in their own format. */
export const outsideVersions: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'internal_error',
  'service_unavailable',
];

/** Whether requests of the route have a body. */
export function takesBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** Whether the route answers with pages. */
export function isList({ query }: Pick<Route, 'query'>): boolean {
  return query !== undefined && 'starting_after' in toShape(query);
}

/** Every code that the route can answer, by status, each in the order of the catalogue. */
export function problemsByStatus(route: Route): Map<number, ProblemCode[]> {
  return groupByStatus([...impliedProblems(route), ...(route.problems ?? [])]);
}

/** The codes that the route can answer without naming them. */
export function impliedProblems(route: Route): ProblemCode[] {
  return [
    ...everywhere,
    ...(route.access === 'any-token' ? [] : (['insufficient_scope'] as const)),
    ...(isList(route) ? (['invalid_cursor'] as const) : []),
    ...(route.params ? (['not_found'] as const) : []),
    ...(route.method === 'GET' ? (['precondition_failed'] as const) : []),
    ...(route.method === 'GET' ? [] : (['outcome_unknown'] as const)),
    ...(takesBody(route) ? ofBodies : []),
    ...(route.idempotencyKey ? (['idempotency_key_invalid'] as const) : []),
    ...(route.idempotencyKey === 'required' ? ofRequiredKeys : []),
  ];
}

/** Each code once, under its status. */
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
