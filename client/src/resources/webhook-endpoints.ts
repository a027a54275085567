import type { Caller } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import { toList, type List } from '../lists.ts';
import type {
  NewWebhookEndpoint,
  NewWebhookReplay,
  SecretRotation,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookEndpointQuery,
  WebhookEndpointWithSecret,
  WebhookReplayOperation,
} from '../types.ts';

export class WebhookEndpoints {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Only this answer shows the `secret`. */
  create(params: NewWebhookEndpoint, options?: CallOptions): CallPromise<WebhookEndpointWithSecret> {
    return this.#caller.send('post', '/v1/webhook-endpoints', { body: params }, options);
  }

  list(query?: WebhookEndpointQuery, options?: CallOptions): List<WebhookEndpoint> {
    return toList(query, options, (page, each) =>
      this.#caller.send('get', '/v1/webhook-endpoints', { query: page }, each),
    );
  }

  get(id: string, options?: CallOptions): CallPromise<WebhookEndpoint> {
    return this.#caller.send('get', '/v1/webhook-endpoints/{id}', { params: { id } }, options);
  }

  update(
    id: string,
    params: WebhookEndpointPatch,
    options: ConditionalOptions,
  ): CallPromise<WebhookEndpoint> {
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
    params: SecretRotation = {},
    options?: CallOptions,
  ): CallPromise<WebhookEndpointWithSecret> {
    const path = '/v1/webhook-endpoints/{id}:rotate-secret';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  /** Delivers the events of a time again; see `operations.wait`. */
  replay(id: string, params: NewWebhookReplay, options?: CallOptions): CallPromise<WebhookReplayOperation> {
    const path = '/v1/webhook-endpoints/{id}:replay';
    return this.#caller.send('post', path, { params: { id }, body: params }, options);
  }

  /** Sends an `endpoint.test` event. */
  test(id: string, options?: CallOptions): CallPromise<WebhookDelivery> {
    return this.#caller.send('post', '/v1/webhook-endpoints/{id}:test', { params: { id } }, options);
  }

  /** Newest first. */
  deliveries(id: string, query?: WebhookDeliveryQuery, options?: CallOptions): List<WebhookDelivery> {
    const path = '/v1/webhook-endpoints/{id}/deliveries';
    return toList(query, options, (page, each) =>
      this.#caller.send('get', path, { params: { id }, query: page }, each),
    );
  }
}
