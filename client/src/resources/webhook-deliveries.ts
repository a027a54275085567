import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type { AccountDeliveryQuery, WebhookDelivery, WebhookDeliveryDetail } from '../types.ts';

export class WebhookDeliveries {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Of all endpoints, newest first. `status: 'undelivered'` are those that somebody must look at. */
  list(query?: AccountDeliveryQuery, options?: CallOptions): List<WebhookDelivery> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/webhook-deliveries', { query: page }, each),
    );
  }

  /** With its attempts. */
  get(id: string, options?: CallOptions): CallPromise<WebhookDeliveryDetail> {
    return this.#caller.send('get', '/v1/webhook-deliveries/{id}', { params: { id } }, options);
  }

  /** Delivers the event again, as a new delivery. */
  replay(id: string, options?: CallOptions): CallPromise<WebhookDelivery> {
    return this.#caller.send('post', '/v1/webhook-deliveries/{id}:replay', { params: { id } }, options);
  }
}
