import { problems, type ProblemCode } from '#domain/problems.ts';
import { isPaged } from '../http/pagination.ts';
import { takesBody, type CallerKind, type Route } from '../http/route.ts';
import { callers } from './callers.ts';

/** The problems that follow from the caller and the properties of a route. A route itself names only the others. */

/** The problems of every route that reads a body. */
const ofBodies: readonly ProblemCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'card_number_refused',
];

/** The problems of a required key: it is missing, and, of a claim, in use or of another request. */
const ofRequiredKeys: Partial<Record<CallerKind, readonly ProblemCode[]>> = {
  account: ['idempotency_key_required', 'idempotency_key_in_progress', 'idempotency_key_reused'],
  operator: ['idempotency_key_required'],
};

/** Returns every problem code of the route by status, each in the order of the catalogue. */
export function problemsByStatus(route: Route): Map<number, ProblemCode[]> {
  return groupByStatus([...impliedProblems(route), ...(route.problems ?? [])]);
}

/** Returns the problem codes that the route has without naming them. */
export function impliedProblems(route: Route): ProblemCode[] {
  const isAccount = route.caller === 'account';
  const ofCaller = [...callers[route.caller].problems, ...(route.params ? (['not_found'] as const) : [])];
  if (!isAccount && route.caller !== 'operator') return ofCaller;
  return [
    ...ofCaller,
    ...(route.access === 'any-token' ? [] : (['insufficient_scope'] as const)),
    ...(isList(route) ? (['invalid_cursor'] as const) : []),
    ...(isList(route) && isAccount ? (['list_too_slow'] as const) : []),
    ...(route.method === 'GET' && isAccount ? (['precondition_failed'] as const) : []),
    ...(route.method === 'GET' ? [] : (['outcome_unknown'] as const)),
    ...(takesBody(route) ? ofBodies : []),
    ...(route.idempotencyKey ? (['idempotency_key_invalid'] as const) : []),
    ...(route.idempotencyKey === 'required' ? (ofRequiredKeys[route.caller] ?? []) : []),
  ];
}

/** Returns whether the route answers with pages. */
export function isList({ query }: Pick<Route, 'query'>): boolean {
  return query !== undefined && isPaged(query);
}

/** Groups the codes by status, each once. */
function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const wanted = new Set(codes);
  const groups = new Map<number, ProblemCode[]>();
  for (const code of Object.keys(problems) as ProblemCode[]) {
    if (!wanted.has(code)) continue;
    const { status } = problems[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}
