// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';
import { toList, type List } from '../lists.ts';

/** Payers, and the cards that they pay with. */
export class Customers extends Resource {
  /**
   * Create a customer. Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of
   * the request after the deletion of the customer is a 410.
   */
  create(params: Schemas['NewCustomer'] = {}, options?: CallOptions): CallPromise<Schemas['Customer']> {
    return this.caller.send('post', '/v1/customers', { body: params }, options);
  }

  /** List customers, newest first. Returns customers, without deleted ones. */
  list(query?: Query<'listCustomers'>, options?: CallOptions): List<Schemas['Customer']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/customers', { query: page }, each),
    );
  }

  /**
   * Read a customer. Returns the customer with its cards. A customer that was deleted is a 410 for the
   * account that owned it. `answer()` has the `etag` that a change needs as `ifMatch`.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Customer']> {
    return this.caller.send('get', '/v1/customers/{id}', { params: { id } }, options);
  }

  /**
   * Replace a customer; a member that is left out is reset. Sets all members of the profile at once. The
   * cards stay. It needs `If-Match`, so that no other change is lost.
   */
  replace(
    id: string,
    params: Schemas['CustomerReplacement'],
    options: ConditionalOptions,
  ): CallPromise<Schemas['Customer']> {
    return this.caller.send('put', '/v1/customers/{id}', { params: { id }, body: params }, options);
  }

  /**
   * Change a customer (RFC 7386); a member that is left out stays. Sets the members that are sent; `null`
   * resets one. It needs `If-Match`, so that no other change is lost.
   */
  update(
    id: string,
    params: Schemas['CustomerPatch'],
    options: ConditionalOptions,
  ): CallPromise<Schemas['Customer']> {
    return this.caller.send('patch', '/v1/customers/{id}', { params: { id }, body: params }, options);
  }

  /**
   * Delete a customer with its payment methods; its charges stay. Erases the name, the email address and the
   * cards for good, in events and in stored answers too. Its charges and refunds stay, and show its id.
   */
  delete(id: string, options?: CallOptions): CallPromise<void> {
    return this.caller.send('delete', '/v1/customers/{id}', { params: { id } }, options);
  }

  /**
   * Store the card of a token; it becomes the first payment method. The processor describes the card of the
   * token: a token that it does not know is a 422. A customer has at most 100 cards.
   */
  attachPaymentMethod(
    id: string,
    params: Schemas['PaymentMethodAttachment'],
    options?: CallOptions,
  ): CallPromise<Schemas['Customer']> {
    return this.caller.send(
      'post',
      '/v1/customers/{id}:attach-payment-method',
      { params: { id }, body: params },
      options,
    );
  }

  /**
   * Remove a payment method; charges made with it continue. The card cannot be charged any more. If it was
   * the default one, the customer has none then.
   */
  detachPaymentMethod(
    id: string,
    params: Schemas['PaymentMethodDetachment'],
    options?: CallOptions,
  ): CallPromise<Schemas['Customer']> {
    return this.caller.send(
      'post',
      '/v1/customers/{id}:detach-payment-method',
      { params: { id }, body: params },
      options,
    );
  }
}

/** What became of the requests of a key. */
export class IdempotencyKeys extends Resource {
  /**
   * Read the uses of an Idempotency-Key. For a caller that lost an answer and does not want to send the
   * request again. A key can be used once for each endpoint. It is kept for as long as its resource may
   * still change, and for 24 hours after its answer and after the end of its resource.
   */
  get(key: string, options?: CallOptions): CallPromise<Schemas['IdempotencyKey']> {
    return this.caller.send('get', '/v1/idempotency-keys/{key}', { params: { key } }, options);
  }
}

/** What the account asked of the service in the last 7 days. */
export class Requests extends Resource {
  /**
   * List the requests of the account, newest first. Writes, and reads that were refused, of the last 7 days.
   * They appear about a second after their answer. Those of the last second before a crash may be missing.
   * Of requests that were refused alike, 50 at once and one in two seconds are shown each; the others read
   * as one request a minute with their `count`. No body, query or header is kept.
   */
  list(query?: Query<'listRequests'>, options?: CallOptions): List<Schemas['Request']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/requests', { query: page }, each),
    );
  }

  /**
   * Read what a trace id did: the requests that were made with it. Writes, and reads that were refused, of
   * the last 7 days. They appear about a second after their answer. Those of the last second before a crash
   * may be missing. Of requests that were refused alike, 50 at once and one in two seconds are shown each;
   * the others read as one request a minute with their `count`. No body, query or header is kept. Requests
   * that name the same trace in `traceparent` are shown together.
   */
  get(traceId: string, options?: CallOptions): CallPromise<Schemas['RequestTrace']> {
    return this.caller.send('get', '/v1/requests/{trace_id}', { params: { trace_id: traceId } }, options);
  }
}
