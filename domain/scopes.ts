const resources = [
  'charges',
  'refunds',
  'customers',
  'exports',
  'charge-batches',
  'operations',
  'webhooks',
  'events',
] as const;

export type Scope = `${(typeof resources)[number]}:${'read' | 'write'}` | 'requests:read';

/** Every scope there is (decisions, Authorization). */
export const scopes: readonly Scope[] = [
  ...resources.flatMap((resource) => [`${resource}:read` as const, `${resource}:write` as const]),
  // The service alone writes the log of requests.
  'requests:read',
];
