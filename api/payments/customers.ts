import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import {
  buildCustomerChange,
  buildCustomerCreation,
  buildCustomerDeletion,
  findCustomer,
  listCustomers,
} from '#db/payments/customers.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
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
import { mergePatch } from '../json/json.ts';
import { ProblemError } from '#domain/problems.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import * as schemas from './customer-schemas.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdRange, createPageSchema, searchedPages } from '../http/list-schemas.ts';
import {
  defineRoute,
  toAudit,
  type Answer,
  type ApiRequest,
  type IdRequest,
  type Route,
} from '../http/route.ts';
import { customerId } from '../http/schemas.ts';
import { validateBody } from '../http/validation.ts';
import { defineDirectWrite } from '../writes/direct-writes.ts';
import { storedResource } from '../writes/stored-answers.ts';

export const customerParams = z.object({ id: customerId });
export const customerAnswer = { description: 'The customer', schema: schemas.customerResource };

/** The routes of customers. Their payment methods are in `payment-methods.ts`. */
export function customerRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { db, pages } = deps;

  const read = defineRoute({
    method: 'GET',
    path: '/v1/customers/{id}',
    access: 'customers:read',
    summary: 'Read a customer',
    description:
      'Returns the customer with its cards. A customer that was deleted is a 410 for the account that owned it.',
    params: customerParams,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted'],
    handle: async (request) => show(await requireCustomer(db, request)),
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/customers',
    access: 'customers:read',
    summary: 'List customers, newest first',
    description: `Returns a page of customers, without deleted ones. ${searchedPages}`,
    query: schemas.customerQuery,
    responses: {
      200: { description: 'A page of customers', schema: createPageSchema(schemas.customerResource) },
    },
    handle(request) {
      const { metadata, email } = request.query;
      const filter = { metadata, email, ...createdRange('customer', request.query) };
      return pages.search(
        request,
        (page, db) => listCustomers(db, request.account.id, filter, page),
        presentCustomer,
      );
    },
  });

  const replace = defineRoute({
    method: 'PUT',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Replace a customer; a member that is left out is reset',
    description:
      'Sets all members of the profile at once. The cards stay. It needs `If-Match`, so that no other change is lost.',
    params: customerParams,
    body: schemas.customerReplacement,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed', 'precondition_required'],
    handle: (request) => changeCustomer(db, request, () => request.body),
  });

  const patch = defineRoute({
    method: 'PATCH',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Change a customer (RFC 7386); a member that is left out stays',
    description:
      'Sets the members that are sent; `null` resets one. It needs `If-Match`, so that no other change is lost.',
    params: customerParams,
    body: schemas.customerPatch,
    responses: { 200: customerAnswer },
    problems: ['not_found', 'customer_deleted', 'precondition_failed', 'precondition_required'],
    handle: (request) => changeCustomer(db, request, (customer) => applyPatch(customer, request.body)),
  });

  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/customers/{id}',
    access: 'customers:write',
    summary: 'Delete a customer with its payment methods; its charges stay',
    description:
      'Erases the name, the email address and the cards for good, in events and in stored answers too. Its charges and refunds stay, and show its id.',
    params: customerParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'customer_deleted', 'precondition_failed'],
    handle: (request) => deleteCustomer(db, request),
  });

  return [creationRoute(deps), read, list, replace, patch, remove];
}

function creationRoute(deps: Pick<ApiDeps, 'db' | 'config'>): Route {
  return defineDirectWrite(deps, {
    path: '/v1/customers',
    access: 'customers:write',
    summary: 'Create a customer',
    description:
      'Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of the request after the deletion of the customer is a 410.',
    body: schemas.newCustomer,
    responses: { 201: customerAnswer },
    problems: ['customer_deleted'],
    prepare(request) {
      const customer = createCustomer(request.account.id, request.body);
      return Promise.resolve({
        resourceId: customer.id,
        answer: storedCustomer(request, 201, customer),
        move: buildCustomerCreation(customer),
        event: customerEvent('customer.created', customer),
      });
    },
  });
}

/** @throws {ProblemError} `not_found`; `customer_deleted` for the account that owned it. */
export async function requireCustomer(db: Database, request: IdRequest): Promise<Customer> {
  const customer = await findCustomer(db, request.account.id, request.params.id);
  if (!customer) throw new ProblemError('not_found');
  if (customer.deletedAt) throw new ProblemError('customer_deleted');
  return customer;
}

/** Builds the event about a customer. It shows the customer after the change, or as it was before its deletion. */
export function customerEvent(type: Extract<EventType, `customer.${string}`>, customer: Customer): NewEvent {
  const present = type === 'customer.deleted' ? presentDeletedCustomer : presentCustomer;
  return { id: newId('event'), type, resourceId: customer.id, object: present(customer) };
}

/** Returns the customer as the answer to the request that created or changed it. */
export function storedCustomer(
  request: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201,
  customer: Customer,
): StoredAnswer {
  const resource = presentCustomer(customer);
  return storedResource(request, status, {
    path: `/v1/customers/${customer.id}`,
    record: customer,
    resource,
  });
}

function show(customer: Customer): Answer {
  return { status: 200, body: presentCustomer(customer), record: customer };
}

function createCustomer(accountId: string, profile: CustomerProfile): Customer {
  const id = newId('customer');
  const now = new Date(idTime(id));
  const initial = { paymentMethods: [], deletedAt: null, version: 1 };
  return { ...profile, ...initial, id, accountId, createdAt: now, updatedAt: now };
}

/**
 * Replaces the customer's profile. Of two changes at once the first one wins: the tag of the second is stale then, or,
 * if it takes any state (`*`), it changes the newer one. A profile that changes nothing writes nothing.
 */
async function changeCustomer(
  db: Database,
  request: IdRequest,
  profileFor: (customer: Customer) => CustomerProfile,
): Promise<Answer> {
  for (;;) {
    const read = await requireCustomer(db, request);
    requireCurrent(request, read);
    const profile = profileFor(read);
    requireAttached(read, profile.defaultPaymentMethod);
    if (isDeepStrictEqual({ ...read, ...profile }, read)) return show(read);
    const changed = { ...read, ...profile, updatedAt: currentTime(), version: read.version + 1 };
    const event = customerEvent('customer.updated', changed);
    if (await commitEffect(db, buildCustomerChange(read, changed), { event, audit: toAudit(request, 200) }))
      return show(changed);
  }
}

async function deleteCustomer(db: Database, request: IdRequest): Promise<Answer> {
  for (;;) {
    const read = await requireCustomer(db, request);
    requireCurrent(request, read);
    const event = customerEvent('customer.deleted', read);
    if (
      await commitEffect(db, buildCustomerDeletion(read, currentTime()), {
        event,
        audit: toAudit(request, 204),
      })
    )
      return { status: 204 };
  }
}

/** @throws {ProblemError} `validation_failed` if the payment method is not attached to the customer. */
function requireAttached({ paymentMethods }: Customer, defaultPaymentMethod: string | null): void {
  if (defaultPaymentMethod === null || paymentMethods.some(({ id }) => id === defaultPaymentMethod)) return;
  throw new ProblemError('validation_failed', {
    extras: { errors: [notAttached('/default_payment_method')] },
  });
}

/** @throws {ProblemError} `validation_failed` if the patch is valid, but not its result: 51 keys, for example. */
function applyPatch(customer: Customer, patch: z.output<typeof schemas.customerPatch>): CustomerProfile {
  const { name, email, description, metadata, default_payment_method } = presentCustomer(customer);
  const profile = { name, email, description, metadata, default_payment_method };
  return validateBody(schemas.customerReplacement, mergePatch(profile, patch));
}
