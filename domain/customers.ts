import {
  isStoredMethod,
  presentPaymentMethod,
  type PaymentMethod,
  type PaymentMethodResource,
} from './cards/payment-methods.ts';
import type { ValidationFault } from './problems.ts';
import type { CardProcessor, ProcessorStatus } from './processors.ts';

/** A customer of a merchant, with the cards that the merchant keeps on file. */

/** The members of a customer that the merchant sets; a PUT replaces all of them. */
export interface CustomerProfile {
  name: string | null;
  email: string | null;
  description: string | null;
  metadata: Record<string, string>;
  /** One of the customer's own payment methods. */
  defaultPaymentMethod: string | null;
}

export interface Customer extends CustomerProfile {
  id: string;
  accountId: string;
  /** Newest first. */
  paymentMethods: PaymentMethod[];
  createdAt: Date;
  updatedAt: Date;
  /** Set: only the id is left. */
  deletedAt: Date | null;
  /** Grows with every change, of its cards too; the ETag is made from it. */
  version: number;
}

/** The customer of a charge, as far as the charge depends on it. */
export interface Payer {
  isDeleted: boolean;
  /** The payment method that the charge names, or else the customer's default; `null` when it is not attached. */
  paymentMethod: string | null;
  processorToken: string | null;
  /** The processor that knows the card; `null`: the built-in one. */
  processorId: string | null;
  processorStatus: ProcessorStatus | null;
}

/** Returns why a charge cannot be made of this customer and payment method, or `null` if it can. */
export function payerFault(
  charge: { customer: string | null; paymentMethod: string | null },
  payer: Payer | null,
): ValidationFault | null {
  const isStored = charge.paymentMethod === null || isStoredMethod(charge.paymentMethod);
  if (charge.customer === null) {
    return isStored ? fault('/customer', 'required', 'A stored payment method needs its customer.') : null;
  }
  if (!payer) return fault('/customer', 'not_found', 'There is no such customer in this account.');
  if (payer.isDeleted) return fault('/customer', 'customer_deleted', 'The customer was deleted.');
  if (!isStored || payer.processorToken !== null) return null;
  if (charge.paymentMethod !== null) return notAttached('/payment_method');
  const detail = 'The customer has no default payment method: name one, or set its default_payment_method.';
  return fault('/payment_method', 'no_default_payment_method', detail);
}

/** Returns the processor that knows the card of a charge, or `null` if the charge is made with a token of its own. */
export function toCardProcessor(payer: Payer | null): CardProcessor | null {
  if (!payer || payer.processorToken === null) return null;
  return { processorId: payer.processorId, status: payer.processorStatus };
}

/** Returns the fault of a body that names a payment method of another customer. */
export function notAttached(pointer: string): ValidationFault {
  return fault(pointer, 'not_found', 'The payment method is not attached to this customer.');
}

function fault(pointer: string, code: string, detail: string): ValidationFault {
  return { pointer, code, detail };
}

/** A deleted customer as events show it, also events from before the deletion. */
export interface DeletedCustomerResource {
  id: string;
  object: 'customer';
  deleted: true;
}

export function presentDeletedCustomer({ id }: Customer): DeletedCustomerResource {
  return { id, object: 'customer', deleted: true };
}

/** A customer over the wire, in the current API version. */
export interface CustomerResource {
  id: string;
  object: 'customer';
  name: string | null;
  email: string | null;
  description: string | null;
  metadata: Record<string, string>;
  default_payment_method: string | null;
  payment_methods: PaymentMethodResource[];
  created: string;
  updated: string;
}

export function presentCustomer(customer: Customer): CustomerResource {
  return {
    id: customer.id,
    object: 'customer',
    name: customer.name,
    email: customer.email,
    description: customer.description,
    metadata: customer.metadata,
    default_payment_method: customer.defaultPaymentMethod,
    payment_methods: customer.paymentMethods.map(presentPaymentMethod),
    created: customer.createdAt.toISOString(),
    updated: customer.updatedAt.toISOString(),
  };
}
