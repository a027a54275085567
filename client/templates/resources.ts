/** Facts of the clients that the document lacks: the names of their resources, and where a path gives no name. */

export interface ResourceEntry {
  /** The file that the resource is in, for TypeScript and Python. */
  module: string;
  about: string;
}

/** The files of resources, with what they begin with. */
export const modules: Readonly<Record<string, string>> = {
  charges: 'Charges and refunds.',
  customers: 'Customers, and what became of keys and requests.',
  operations: 'Work that lasts longer than its request: operations, exports, charge batches and reports.',
  webhooks: 'Endpoints for webhooks, their deliveries, and events.',
  figures: 'How many there were of something, step by step.',
  access: 'Clients, people and their sessions, and what people did.',
};

/** The resources, by the first part of their paths and in the order that clients have them. */
export const resources: Readonly<Record<string, ResourceEntry>> = {
  charges: { module: 'charges', about: 'Payments with a card, in one step or in two.' },
  refunds: { module: 'charges', about: 'Money returned from one charge, in full or in part.' },
  customers: { module: 'customers', about: 'Payers, and the cards that they pay with.' },
  operations: { module: 'operations', about: 'Work that lasts longer than its request.' },
  exports: { module: 'operations', about: 'Files of charges, refunds, events and the audit.' },
  'charge-batches': { module: 'operations', about: 'Many charges in one request.' },
  'customer-reports': { module: 'operations', about: 'Files of what each customer has paid.' },
  'webhook-endpoints': { module: 'webhooks', about: 'Where webhooks are sent to.' },
  'webhook-deliveries': { module: 'webhooks', about: 'What was sent to endpoints.' },
  events: { module: 'webhooks', about: 'What happened in the last 30 days.' },
  'idempotency-keys': { module: 'customers', about: 'What became of the requests of a key.' },
  requests: { module: 'customers', about: 'What the account asked of the service in the last 7 days.' },
  figures: { module: 'figures', about: 'How many there were of something, step by step.' },
  clients: { module: 'access', about: 'The programs that take tokens for the account.' },
  members: { module: 'access', about: 'The people of the account, who sign in to the console.' },
  sessions: { module: 'access', about: 'Where members of the account are signed in to the console.' },
  'audit-entries': { module: 'access', about: 'What people did in the account, for a year.' },
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
