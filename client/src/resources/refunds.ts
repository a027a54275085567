import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { EmptyBody, NewRefund, Refund, RefundQuery } from '../types.ts';

export class Refunds {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Gives money of a captured charge back. (Default: all that is left) */
  create(params: NewRefund, options?: CallOptions): CallPromise<Refund> {
    return this.#caller.send('post', '/v1/refunds', { body: params }, options);
  }

  /** Newest first. */
  list(query?: RefundQuery, options?: CallOptions): List<Refund> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/refunds', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Refund> {
    return this.#caller.send('get', '/v1/refunds/{id}', { params: { id } }, options);
  }

  /** Takes a refund back while it is not settled. */
  cancel(id: string, params: EmptyBody = {}, options?: CallOptions): CallPromise<Refund> {
    return this.#caller.send('post', '/v1/refunds/{id}:cancel', { params: { id }, body: params }, options);
  }
}
