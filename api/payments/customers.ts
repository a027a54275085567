import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { changeOf, creationOf, deletionOf, findCustomer, listCustomers } from '#db/payments/customers.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import {
  notAttached,
  presentCustomer,
  presentDeletedCustomer,
  type Customer,
  type CustomerProfile,
} from '#domain/customers.ts';
import type { EventType, NewEvent } from '#domain/events.ts';
import { idTime } from '#domain/ids.ts';
import { mergePatch } from '../http/merge-patch.ts';
import { ProblemError } from '#domain/problems.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import * as schemas from './customer-schemas.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import { editOnce, storedResource } from '../writes/plain-edits.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import { validateBody } from '../http/validation.ts';

export const customerParams = z.object({ id: schemas.customerId });
export const customerAnswer = { description: 'The customer', schema: schemas.customerResource };

/** Customers (decisions, Customer). Their payment methods are in `payment-methods.ts`. */
export function customerRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const create = defineRoute({
    method: 'POST',
    path: '/v1/customers',
    access: 'customers:write',
    summary: 'Create a customer',
    idempotencyKey: 'required',
    body: schemas.newCustomer,
    responses: { 201: customerAnswer },
    handle: (request) => createCustomer(db, request),
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/customers/{id}',
    access: 'customers:read',
    summary: 'Read a customer',
    params: customerParams,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted'],
    handle: async (request) => show(await ownCustomer(db, request)),
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/customers',
    access: 'customers:read',
    summary: 'List customers, newest first',
    query: schemas.customerQuery,
    responses: {
      200: { description: 'A page of customers', schema: createPageSchema(schemas.customerResource) },
    },
    async handle(request) {
      const { limit, after } = pages.read(request);
      const filter = createdRange('customer', request.query);
      const rows = await listCustomers(db, request.account.id, filter, { limit: limit + 1, after });
      return pages.present(request, rows, { item: presentCustomer, position: ({ id }) => id });
    },
  });

  const replace = defineRoute({
    method: 'PUT',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Replace what is said of a customer; what is omitted is reset',
    params: customerParams,
    body: schemas.customerReplacement,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed', 'precondition_required'],
    handle: (request) => changeCustomer(db, request, () => profileOf(request.body)),
  });

  const patch = defineRoute({
    method: 'PATCH',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Change what is said of a customer (RFC 7386); what is omitted stays',
    params: customerParams,
    body: schemas.customerPatch,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed', 'precondition_required'],
    handle: (request) => changeCustomer(db, request, (customer) => patched(customer, request.body)),
  });

  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Delete a customer with its payment methods; its charges stay',
    params: customerParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'customer_deleted', 'precondition_failed'],
    handle: (request) => deleteCustomer(db, request),
  });

  return [create, read, list, replace, patch, remove];
}

export type CustomerRequest<Body = unknown> = ApiRequest<{ id: string }, unknown, Body>;

/** @throws {ProblemError} `not_found`; `customer_deleted` to the account that it belonged to. */
export async function ownCustomer(db: Database, request: CustomerRequest): Promise<Customer> {
  const customer = await findCustomer(db, request.account.id, request.params.id);
  if (!customer) throw new ProblemError('not_found');
  if (customer.deletedAt) throw new ProblemError('customer_deleted');
  return customer;
}

/** The event that tells of a customer, with the customer after what happened; as it was last, when it was deleted. */
export function customerEvent(type: Extract<EventType, `customer.${string}`>, customer: Customer): NewEvent {
  const present = type === 'customer.deleted' ? presentDeletedCustomer : presentCustomer;
  return { id: newId('event'), type, resourceId: customer.id, object: present(customer) };
}

export function customerPath({ id }: Customer): string {
  return `/v1/customers/${id}`;
}

function show(customer: Customer): Answer {
  return { status: 200, body: presentCustomer(customer), record: customer };
}

function createCustomer(
  db: Database,
  request: ApiRequest<unknown, unknown, z.output<typeof schemas.newCustomer>>,
): Promise<Answer> {
  return editOnce(db, request, 'POST /v1/customers', () => {
    const id = newId('customer');
    const now = new Date(idTime(id));
    const customer: Customer = {
      ...profileOf(request.body),
      id,
      accountId: request.account.id,
      paymentMethods: [],
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      version: 1,
    };
    const shown = { path: customerPath(customer), record: customer, resource: presentCustomer(customer) };
    return Promise.resolve({
      resourceId: id,
      answer: storedResource(request, 201, shown),
      move: creationOf(customer),
      event: customerEvent('customer.created', customer),
    });
  });
}

/**
 * Puts a profile in the place of the customer's. Who changed it first wins: the other's tag is stale then, or,
 * where any state will do (`*`), the change is made to the newer one. What changes nothing leaves no trace.
 */
async function changeCustomer(
  db: Database,
  request: CustomerRequest,
  profileFor: (customer: Customer) => CustomerProfile,
): Promise<Answer> {
  for (;;) {
    const read = await ownCustomer(db, request);
    requireCurrent(request, read);
    const profile = profileFor(read);
    requireOwn(read, profile.defaultPaymentMethod);
    if (isDeepStrictEqual(profile, profileOf(wireProfile(read)))) return show(read);
    const changed = { ...read, ...profile, updatedAt: currentTime(), version: read.version + 1 };
    const event = customerEvent('customer.updated', changed);
    if (await commitEffect(db, changeOf(read, changed), { event })) return show(changed);
  }
}

async function deleteCustomer(db: Database, request: CustomerRequest): Promise<Answer> {
  for (;;) {
    const read = await ownCustomer(db, request);
    requireCurrent(request, read);
    const event = customerEvent('customer.deleted', read);
    if (await commitEffect(db, deletionOf(read, currentTime()), { event })) return { status: 204 };
  }
}

/** @throws {ProblemError} `validation_failed` where the default is not one of the customer's own. */
function requireOwn({ paymentMethods }: Customer, defaultPaymentMethod: string | null): void {
  if (defaultPaymentMethod === null || paymentMethods.some(({ id }) => id === defaultPaymentMethod)) return;
  throw new ProblemError('validation_failed', {
    extras: { errors: [notAttached('/default_payment_method')] },
  });
}

type WireProfile = z.output<typeof schemas.newCustomer> & {
  default_payment_method?: string | null | undefined;
};

function profileOf(body: WireProfile): CustomerProfile {
  return {
    name: body.name ?? null,
    email: body.email ?? null,
    description: body.description ?? null,
    metadata: body.metadata,
    defaultPaymentMethod: body.default_payment_method ?? null,
  };
}

/** What of a customer can be replaced, as it is shown. */
function wireProfile(customer: Customer): WireProfile {
  const { name, email, description, metadata, default_payment_method } = presentCustomer(customer);
  return { name, email, description, metadata, default_payment_method };
}

/** @throws {ProblemError} `validation_failed` where the patch is valid and what it comes to is not: 51 keys, say. */
function patched(customer: Customer, patch: z.output<typeof schemas.customerPatch>): CustomerProfile {
  return profileOf(validateBody(schemas.customerReplacement, mergePatch(wireProfile(customer), patch)));
}
