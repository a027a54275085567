import { currentTime } from '#db/clock.ts';
import {
  buildCustomerChange,
  buildCustomerCreation,
  buildCustomerDeletion,
  findCustomer,
  listCustomers,
} from '#db/payments/customers.ts';
import { newId } from '#db/new-id.ts';
import {
  notAttached,
  presentCustomer,
  presentDeletedCustomer,
  type Customer,
  type CustomerProfile,
} from '#domain/customers.ts';
import type { EventType, NewEvent } from '#domain/events.ts';
import { ProblemError } from '#domain/problems.ts';
import * as schemas from './customer-schemas.ts';
import type { ApiDeps } from '../http/deps.ts';
import { searchedPages } from '../http/list-schemas.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { customerId } from '../http/schemas.ts';
import {
  applyPatch,
  changeGuarded,
  defineCreation,
  hasValues,
  toNextVersion,
  type NounChange,
} from '../writes/noun-changes.ts';

export const customers: Noun<Customer> = {
  kind: 'customer',
  name: 'customer',
  collection: 'customers',
  access: 'customers:read',
  id: customerId,
  schema: schemas.customerResource,
  find: findCustomer,
  deletedCode: 'customer_deleted',
  present: presentCustomer,
};

const patched = { patch: schemas.customerPatch, values: schemas.customerReplacement };

/** The routes of customers. Their payment methods are in `payment-methods.ts`. */
export function customerRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { read, list } = defineNoun(deps, customers, {
    read: {
      summary: 'Read a customer',
      description:
        'Returns the customer with its cards. A customer that was deleted is a 410 for the account that owned it.',
    },
    list: {
      summary: 'List customers, newest first',
      description: `Returns a page of customers, without deleted ones. ${searchedPages}`,
      query: schemas.customerQuery,
      find: (db, { account, query: { metadata, email } }, range, page) =>
        listCustomers(db, account.id, { metadata, email, ...range }, page),
    },
  });

  const create = defineCreation(deps, customers, {
    access: 'customers:write',
    summary: 'Create a customer',
    description:
      'Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of the request after the deletion of the customer is a 410.',
    body: schemas.newCustomer,
    problems: ['customer_deleted'],
    make({ body }, start) {
      const to = { ...body, paymentMethods: [], deletedAt: null, ...start };
      return { to, change: buildCustomerCreation(to), event: customerEvent('customer.created', to) };
    },
  });

  const replace = changeGuarded(deps, customers, 'PUT', {
    access: 'customers:write',
    summary: 'Replace a customer; a member that is left out is reset',
    description:
      'Sets all members of the profile at once. The cards stay. It needs `If-Match`, so that no other change is lost.',
    body: schemas.customerReplacement,
    change: ({ body }, read) => changeProfile(read, body),
  });

  const patch = changeGuarded(deps, customers, 'PATCH', {
    access: 'customers:write',
    summary: 'Change a customer (RFC 7386); a member that is left out stays',
    description:
      'Sets the members that are sent; `null` resets one. It needs `If-Match`, so that no other change is lost.',
    body: schemas.customerPatch,
    change: ({ body }, read) => changeProfile(read, applyPatch(patched, presentCustomer(read), body)),
  });

  const remove = changeGuarded(deps, customers, 'DELETE', {
    access: 'customers:write',
    summary: 'Delete a customer with its payment methods; its charges stay',
    description:
      'Erases the name, the email address and the cards for good, in events and in stored answers too. Its charges and refunds stay, and show its id.',
    change(_request, read) {
      const change = buildCustomerDeletion(read, currentTime());
      return { to: null, change, event: customerEvent('customer.deleted', read) };
    },
  });

  return [create, read, list, replace, patch, remove];
}

/** Builds the event about a customer. It shows the customer after the change, or as it was before its deletion. */
export function customerEvent(type: Extract<EventType, `customer.${string}`>, customer: Customer): NewEvent {
  const present = type === 'customer.deleted' ? presentDeletedCustomer : presentCustomer;
  return { id: newId('event'), type, resourceId: customer.id, object: present(customer) };
}

function changeProfile(read: Customer, profile: CustomerProfile): NounChange<Customer> | null {
  requireAttached(read, profile.defaultPaymentMethod);
  if (hasValues(read, profile)) return null;
  const to = toNextVersion(read, profile);
  return { to, change: buildCustomerChange(read, to), event: customerEvent('customer.updated', to) };
}

/** @throws {ProblemError} `validation_failed` if the payment method is not attached to the customer. */
function requireAttached({ paymentMethods }: Customer, defaultPaymentMethod: string | null): void {
  if (defaultPaymentMethod === null || paymentMethods.some(({ id }) => id === defaultPaymentMethod)) return;
  throw new ProblemError('validation_failed', {
    extras: { errors: [notAttached('/default_payment_method')] },
  });
}
