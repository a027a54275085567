/** The requests that cause an event. `{name.member}` stands for what an earlier request of the recipe answered. */

export interface Step {
  name: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Record<string, unknown>;
  /** Sent with the version that the step of this name answered. */
  ifMatch?: '*';
  /** (Default: any success) */
  expect?: number;
}

export interface Recipe {
  steps: Step[];
  /** Where the answers hold the id of the resource that the event is about. */
  about: string;
}

const charge = (body: Record<string, unknown> = {}, expect?: number): Step => ({
  name: 'charge',
  method: 'POST',
  path: '/v1/charges',
  body: { amount: 1999, currency: 'EUR', payment_method: 'tok_visa', ...body },
  ...(expect !== undefined && { expect }),
});
const refund = (expect?: number): Step => ({
  name: 'refund',
  method: 'POST',
  path: '/v1/refunds',
  body: { charge: '{charge.id}' },
  ...(expect !== undefined && { expect }),
});
const customer: Step = {
  name: 'customer',
  method: 'POST',
  path: '/v1/customers',
  body: { name: 'Ada Lovelace' },
};
const file: Step = {
  name: 'export',
  method: 'POST',
  path: '/v1/exports',
  body: { resource: 'charges', format: 'csv' },
};
/** Its charges take 3 s each, so it has not ended when it is cancelled. */
const batch: Step = {
  name: 'batch',
  method: 'POST',
  path: '/v1/charge-batches',
  body: {
    charges: Array.from({ length: 50 }, () => ({ amount: 100, currency: 'EUR', payment_method: 'tok_slow' })),
  },
};
const ofCustomer = { method: 'PATCH', path: '/v1/customers/{customer.id}', ifMatch: '*' } as const;

/** The events that a caller can cause, each with the fewest requests. */
export const recipes: Record<string, Recipe> = {
  'charge.requires_action': {
    steps: [charge({ payment_method: 'tok_3ds', return_url: 'https://shop.example/orders/6735' }, 202)],
    about: 'charge.id',
  },
  'charge.authorized': { steps: [charge({ capture_method: 'manual' })], about: 'charge.id' },
  'charge.succeeded': { steps: [charge()], about: 'charge.id' },
  'charge.failed': { steps: [charge({ payment_method: 'tok_declined' }, 402)], about: 'charge.charge' },
  'charge.updated': {
    steps: [
      charge(),
      {
        name: 'update',
        method: 'PATCH',
        path: '/v1/charges/{charge.id}',
        ifMatch: '*',
        body: { description: 'Updated by payments trigger' },
      },
    ],
    about: 'charge.id',
  },
  'charge.cancelled': {
    steps: [
      charge({ capture_method: 'manual' }),
      { name: 'cancel', method: 'POST', path: '/v1/charges/{charge.id}:cancel', body: {} },
    ],
    about: 'charge.id',
  },
  'refund.processed': { steps: [charge(), refund()], about: 'refund.id' },
  'refund.failed': {
    steps: [charge({ payment_method: 'tok_refund_fails' }), refund(422)],
    about: 'refund.refund',
  },
  'refund.reversed': {
    steps: [
      charge(),
      refund(),
      { name: 'cancel', method: 'POST', path: '/v1/refunds/{refund.id}:cancel', body: {} },
    ],
    about: 'refund.id',
  },
  'operation.succeeded': { steps: [file], about: 'export.id' },
  'operation.cancelled': {
    steps: [
      batch,
      { name: 'cancel', method: 'POST', path: '/v1/charge-batches/{batch.id}/cancel', body: {} },
    ],
    about: 'batch.id',
  },
  'customer.created': { steps: [customer], about: 'customer.id' },
  'customer.updated': {
    steps: [
      customer,
      { name: 'update', ...ofCustomer, body: { description: 'Updated by payments trigger' } },
    ],
    about: 'customer.id',
  },
  'customer.deleted': {
    steps: [customer, { name: 'delete', ...ofCustomer, method: 'DELETE' }],
    about: 'customer.id',
  },
};

/** The events that need a receiver: `trigger` opens one on this machine for a moment. */
export const endpointEvents = ['endpoint.test', 'webhook_endpoint.disabled'];

/** Why no caller can cause the other events at once. */
export const reasons: Record<string, string> = {
  'refund.settled':
    'A refund settles by itself, a day after refund.processed. Trigger refund.processed, and wait',
  'operation.failed':
    'An operation fails only when the service itself does, so no request causes it. Handle it like operation.cancelled',
};
