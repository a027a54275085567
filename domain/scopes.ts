const resources = [
  'charges',
  'refunds',
  'customers',
  'exports',
  'charge-batches',
  'operations',
  'webhooks',
  'events',
  'access',
] as const;

type ResourceScope = `${(typeof resources)[number]}:${'read' | 'write'}`;

/** Scopes that allow a part of what another scope allows. A grant of the whole is a grant of its parts. */
const wholes = {
  /** Capture, cancel, change of the details; no new charge. */
  'charges:update': 'charges:write',
  /** Sending events again, and test events; no change of an endpoint. */
  'webhooks:replay': 'webhooks:write',
} as const satisfies Record<string, ResourceScope>;

type PartialScope = keyof typeof wholes;

/** The scopes of operators: their tokens name no account. */
export const operatorScopes = ['operator:read', 'operator:write'] as const;

export type OperatorScope = (typeof operatorScopes)[number];

/** What a token of an account can be good for. */
export type AccountScope = ResourceScope | 'requests:read' | PartialScope;

/** What a token can be good for. */
export type Scope = AccountScope | OperatorScope;

/** Every scope that a client of an account can have (`docs/guides/authentication.md`, "Scopes"). */
export const scopes: readonly AccountScope[] = [
  ...resources.flatMap((resource) => [`${resource}:read` as const, `${resource}:write` as const]),
  // The service alone writes the log of requests.
  'requests:read',
  ...(Object.keys(wholes) as PartialScope[]),
];

/** Returns the scope of which this one is a part; `null` for a scope that is no part. */
export function wholeScope(scope: Scope): Scope | null {
  return scope in wholes ? wholes[scope as PartialScope] : null;
}

/** Returns whether a grant of these scopes allows what needs `needed`: by that scope, or by its whole. */
export function satisfies(granted: Iterable<string>, needed: Scope): boolean {
  const held = granted instanceof Set ? (granted as ReadonlySet<string>) : new Set(granted);
  if (held.has(needed)) return true;
  const whole = wholeScope(needed);
  return whole !== null && held.has(whole);
}
