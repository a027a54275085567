import { wholeScope, type Scope } from '#domain/scopes.ts';
import type { ProblemCode } from '#domain/problems.ts';
import { listScopes, type CallerKind, type Route } from '../http/route.ts';

/** What the documents say of the routes of one kind of caller. */
interface DescribedCaller {
  /** The group of the operations. */
  tag: (route: Route) => string;
  /** The alternatives of authentication: any one is enough, and all its scopes are needed. (Default: none) */
  security?: (route: Route) => object[];
  /** Headers that requests have, besides those that follow from the route. */
  parameters?: readonly object[];
  /** The problems of each of its routes. */
  problems: readonly ProblemCode[];
}

/** HTTP, time, internal errors, load. */
const ofAll: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'internal_error',
  'service_unavailable',
];

/** The headers by which the processor authenticates a notification. */
const signature = [
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

/** The kinds of callers. `api/routing/callers.ts` serves the same. */
export const callers: Record<CallerKind, DescribedCaller> = {
  account: {
    /** The resource of the first scope, or the collection if any token is enough. */
    tag: ({ access, path }) => listScopes(access)[0]?.split(':')[0] ?? path.split('/')[2] ?? '',
    security: ({ access, furtherScopes = [[]] }) =>
      furtherScopes
        .flatMap((further) => withWholes([...listScopes(access), ...further]))
        .map((oauth2) => ({ oauth2 })),
    problems: [
      ...ofAll,
      'invalid_parameter',
      'unknown_api_version',
      'invalid_token',
      'account_disabled',
      'not_acceptable',
      'rate_limited',
    ],
  },
  operator: {
    tag: () => 'operators',
    security: ({ access }) => [{ oauth2: listScopes(access) }],
    problems: [...ofAll, 'invalid_parameter', 'invalid_token', 'rate_limited'],
  },
  // A client may also send its secret in the form.
  client: { tag: () => 'authorization', security: () => [{ client: [] }, {}], problems: ofAll },
  processor: { tag: () => 'processors', parameters: signature, problems: ofAll },
  anyone: { tag: ({ tag }) => tag ?? 'authorization', problems: ofAll },
};

/** Returns whether the route is described to merchants, and not to those who run the service. */
export function isForMerchants(route: Route): boolean {
  return route.caller === 'account' || callers[route.caller].tag(route) === 'authorization';
}

/** Returns the set of scopes, and a second one if scopes are parts: there the whole of each takes its place. */
function withWholes(needed: readonly Scope[]): Scope[][] {
  const wholes = needed.map((scope) => wholeScope(scope) ?? scope);
  return needed.some((scope) => wholeScope(scope) !== null) ? [[...needed], wholes] : [[...needed]];
}
