import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type {
  Customer,
  CustomerPatch,
  CustomerQuery,
  CustomerReplacement,
  NewCustomer,
  PaymentMethodAttachment,
  PaymentMethodDetachment,
} from '../types.ts';

/** Changes need `ifMatch`, the `etag` of what was read: `(await client.customers.get(id).answer()).headers.etag`. */
export class Customers {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  create(params: NewCustomer = {}, options?: CallOptions): CallPromise<Customer> {
    return this.#caller.send('post', '/v1/customers', { body: params }, options);
  }

  /** Newest first. */
  list(query?: CustomerQuery, options?: CallOptions): List<Customer> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/customers', { query: page }, each),
    );
  }

  /** @throws {NotFoundError} with code `customer_deleted` if it was deleted. */
  get(id: string, options?: CallOptions): CallPromise<Customer> {
    return this.#caller.send('get', '/v1/customers/{id}', { params: { id } }, options);
  }

  /** Replaces the whole customer: what `params` leaves out is emptied. */
  replace(id: string, params: CustomerReplacement, options: ConditionalOptions): CallPromise<Customer> {
    return this.#caller.send('put', '/v1/customers/{id}', { params: { id }, body: params }, options);
  }

  /** Changes what `params` names; `null` empties a member. */
  update(id: string, params: CustomerPatch, options: ConditionalOptions): CallPromise<Customer> {
    return this.#caller.send('patch', '/v1/customers/{id}', { params: { id }, body: params }, options);
  }

  /** Erases the customer and its payment methods; its charges stay. */
  delete(id: string, options?: CallOptions): CallPromise<void> {
    return this.#caller.send('delete', '/v1/customers/{id}', { params: { id } }, options);
  }

  attachPaymentMethod(
    id: string,
    params: PaymentMethodAttachment,
    options?: CallOptions,
  ): CallPromise<Customer> {
    const path = '/v1/customers/{id}:attach-payment-method';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  detachPaymentMethod(
    id: string,
    params: PaymentMethodDetachment,
    options?: CallOptions,
  ): CallPromise<Customer> {
    const path = '/v1/customers/{id}:detach-payment-method';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }
}
