import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import type { Body, Query, Result } from '../document.ts';
import { toList, type List } from '../lists.ts';
import type {
  NewWebhookEndpoint,
  NewWebhookEndpointAnswer,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChange,
} from '../types.ts';

export class WebhookEndpoints {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Only this answer shows the `secret`. */
  create(params: NewWebhookEndpoint, options?: CallOptions): CallPromise<NewWebhookEndpointAnswer> {
    return this.#caller.send('post', '/v1/webhook-endpoints', { body: params }, options);
  }

  list(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): List<WebhookEndpoint> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/webhook-endpoints', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<Result<'getWebhookEndpoint'>> {
    return this.#caller.send('get', '/v1/webhook-endpoints/{id}', { params: { id } }, options);
  }

  update(
    id: string,
    params: WebhookEndpointChange,
    options: ConditionalOptions,
  ): CallPromise<Result<'updateWebhookEndpoint'>> {
    return this.#caller.send(
      'patch',
      '/v1/webhook-endpoints/{id}',
      { params: { id }, body: params },
      options,
    );
  }

  delete(id: string, options?: CallOptions): CallPromise<void> {
    return this.#caller.send('delete', '/v1/webhook-endpoints/{id}', { params: { id } }, options);
  }

  /** Makes a new secret; the old ones stay valid for a time. */
  rotateSecret(
    id: string,
    params: Body<'rotateWebhookEndpointSecret'> = {},
    options?: CallOptions,
  ): CallPromise<Result<'rotateWebhookEndpointSecret'>> {
    const path = '/v1/webhook-endpoints/{id}:rotate-secret';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  /** Delivers the events of a time again; see `operations.wait`. */
  replay(
    id: string,
    params: Body<'replayWebhookEndpoint'>,
    options?: CallOptions,
  ): CallPromise<Result<'replayWebhookEndpoint'>> {
    const path = '/v1/webhook-endpoints/{id}:replay';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  /** Sends an `endpoint.test` event. */
  test(id: string, options?: CallOptions): CallPromise<Result<'testWebhookEndpoint'>> {
    return this.#caller.send('post', '/v1/webhook-endpoints/{id}:test', { params: { id } }, options);
  }

  /** Newest first. */
  deliveries(
    id: string,
    query?: Query<'listWebhookEndpointDeliveries'>,
    options?: CallOptions,
  ): List<WebhookDelivery> {
    const path = '/v1/webhook-endpoints/{id}/deliveries';
    return toList(query, options, (page, each) =>
      this.#caller.send('get', path, { params: { id }, query: page }, each),
    );
  }
}
