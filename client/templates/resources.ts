/** Facts of the clients that the document lacks: which resources share a file, and where a path gives no name. */

/**
 * The files of several resources: what each begins with, and its resources, by the first part of their paths. Clients have
 * them in this order. A resource that stands in none has a file of its own, after these.
 */
export const modules: Readonly<Record<string, { about: string; resources: readonly string[] }>> = {
  charges: { about: 'Charges and refunds.', resources: ['charges', 'refunds'] },
  customers: {
    about: 'Customers, and what became of keys and requests.',
    resources: ['customers', 'idempotency-keys', 'requests'],
  },
  operations: {
    about: 'Work that lasts longer than its request: operations, exports, charge batches and reports.',
    resources: ['operations', 'exports', 'charge-batches', 'customer-reports'],
  },
  webhooks: {
    about: 'Endpoints for webhooks, their deliveries, and events.',
    resources: ['webhook-endpoints', 'webhook-deliveries', 'events'],
  },
  access: {
    about: 'Clients, people and their sessions, and what people did.',
    resources: ['clients', 'members', 'sessions', 'audit-entries'],
  },
};

/** What resources are where a tag or a schema of the document does not say it as well. */
export const abouts: Readonly<Record<string, string>> = {
  'webhook-endpoints': 'Where webhooks are sent to.',
  'webhook-deliveries': 'What was sent to endpoints.',
  events: 'What happened in the last 30 days.',
  'idempotency-keys': 'What became of the requests of a key.',
  requests: 'What the account asked of the service in the last 7 days.',
  figures: 'How many there were of something, step by step.',
  clients: 'The programs that take tokens for the account.',
  members: 'The people of the account, who sign in to the console.',
  sessions: 'Where members of the account are signed in to the console.',
  'audit-entries': 'What people did in the account, for a year.',
};

/** Methods that are elsewhere than their path says. */
export const places: Readonly<Record<string, { resource: string; name: string; argument: string }>> = {
  createChargeRefund: { resource: 'refunds', name: 'create-for-charge', argument: 'charge' },
};

/** Operations that TypeScript reaches by `request` alone. */
export const withoutTypeScript: ReadonlySet<string> = new Set(['createChargeRefund', 'deleteOperation']);

/** Operations whose empty body is an argument in TypeScript. */
export const withEmptyBody: ReadonlySet<string> = new Set([
  'cancelCharge',
  'cancelRefund',
  'cancelOperation',
]);
