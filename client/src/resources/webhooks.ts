// Made from openapi.json by `npm run openapi`.
import { Resource } from '../caller.ts';
import type { CallOptions, CallPromise, ConditionalOptions } from '../calls.ts';
import type { Query, Schemas } from '../document.ts';
import { toList, type List } from '../lists.ts';

/** Where webhooks are sent to. */
export class WebhookEndpoints extends Resource {
  /**
   * Register a URL that receives events. The answer shows the secret that verifies signatures, and no later
   * answer does. The host must have public addresses only.
   */
  create(
    params: Schemas['NewWebhookEndpoint'],
    options?: CallOptions,
  ): CallPromise<Schemas['WebhookEndpointWithSecret']> {
    return this.caller.send('post', '/v1/webhook-endpoints', { body: params }, options);
  }

  /**
   * List webhook endpoints, newest first. Returns endpoints, without deleted ones. An account has at most
   * 100, and at most 5 that are enabled with one URL.
   */
  list(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): List<Schemas['WebhookEndpoint']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/webhook-endpoints', { query: page }, each),
    );
  }

  /**
   * Read a webhook endpoint and its state. Returns the endpoint, without the values of its secrets.
   * `failing_since` and `last_failure` say how its deliveries go. `answer()` has the `etag` that a change
   * needs as `ifMatch`.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['WebhookEndpoint']> {
    return this.caller.send('get', '/v1/webhook-endpoints/{id}', { params: { id } }, options);
  }

  /**
   * Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries. Sets the members that
   * are sent. An endpoint that is enabled again gets the events from then on: use `:replay` for those
   * between. It needs `If-Match`.
   */
  update(
    id: string,
    params: Schemas['WebhookEndpointPatch'],
    options: ConditionalOptions,
  ): CallPromise<Schemas['WebhookEndpoint']> {
    return this.caller.send('patch', '/v1/webhook-endpoints/{id}', { params: { id }, body: params }, options);
  }

  /**
   * Delete a webhook endpoint and cancel its open deliveries; all stay readable. Nothing is sent to the
   * endpoint any more. Its deliveries can still be read for 30 days.
   */
  delete(id: string, options?: CallOptions): CallPromise<void> {
    return this.caller.send('delete', '/v1/webhook-endpoints/{id}', { params: { id } }, options);
  }

  /**
   * Create a new secret; the current one signs beside it for a while. Deliveries are signed with both
   * secrets for `overlap_seconds`, so that receivers can change over. The answer shows the new secret, and
   * no later answer does.
   */
  rotateSecret(
    id: string,
    params: Schemas['SecretRotation'] = {},
    options?: CallOptions,
  ): CallPromise<Schemas['WebhookEndpointWithSecret']> {
    return this.caller.send(
      'post',
      '/v1/webhook-endpoints/{id}:rotate-secret',
      { params: { id }, body: params },
      options,
    );
  }

  /**
   * Replay past events to this endpoint, including types it was not subscribed to. The answer is an
   * operation. Read and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched,
   * replayed}`. A replayed event keeps its id. `operations.wait` waits for it.
   */
  replay(
    id: string,
    params: Schemas['NewWebhookReplay'],
    options?: CallOptions,
  ): CallPromise<Schemas['WebhookReplayOperation']> {
    return this.caller.send(
      'post',
      '/v1/webhook-endpoints/{id}:replay',
      { params: { id }, body: params },
      options,
    );
  }

  /**
   * List the deliveries of a webhook endpoint, newest first. Returns deliveries of the last 30 days, without
   * their attempts.
   */
  deliveries(
    id: string,
    query?: Query<'listWebhookEndpointDeliveries'>,
    options?: CallOptions,
  ): List<Schemas['WebhookDelivery']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/webhook-endpoints/{id}/deliveries', { params: { id }, query: page }, each),
    );
  }

  /**
   * Send an event `endpoint.test` to this endpoint only. The event shows the endpoint itself. It is sent
   * whatever types the endpoint subscribed to, and retried like any other.
   */
  test(id: string, options?: CallOptions): CallPromise<Schemas['WebhookDelivery']> {
    return this.caller.send('post', '/v1/webhook-endpoints/{id}:test', { params: { id } }, options);
  }
}

/** What was sent to endpoints. */
export class WebhookDeliveries extends Resource {
  /**
   * List the deliveries of all webhook endpoints, newest first. `status=undelivered` shows what your
   * receivers do not have. Deliveries of deleted endpoints are not shown.
   */
  list(query?: Query<'listWebhookDeliveries'>, options?: CallOptions): List<Schemas['WebhookDelivery']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/webhook-deliveries', { query: page }, each),
    );
  }

  /**
   * Read a delivery with every attempt. Shows when each attempt was made, what the endpoint answered, and
   * how long it took.
   */
  get(id: string, options?: CallOptions): CallPromise<Schemas['WebhookDeliveryDetail']> {
    return this.caller.send('get', '/v1/webhook-deliveries/{id}', { params: { id } }, options);
  }

  /**
   * Send the event of a delivery to its endpoint again, whatever its outcome. Makes a new delivery of the
   * same event, with the same `webhook-id`. The endpoint must be enabled.
   */
  replay(id: string, options?: CallOptions): CallPromise<Schemas['WebhookDelivery']> {
    return this.caller.send('post', '/v1/webhook-deliveries/{id}:replay', { params: { id } }, options);
  }
}

/** What happened in the last 30 days. */
export class Events extends Resource {
  /** Read an event of the last 30 days. Returns what was sent to endpoints, in the version of the request. */
  get(id: string, options?: CallOptions): CallPromise<Schemas['Event']> {
    return this.caller.send('get', '/v1/events/{id}', { params: { id } }, options);
  }

  /**
   * List the events of the last 30 days by `sequence`, newest first. To follow the events of an account, ask
   * for `order=asc&after_sequence=N`, where N is the `sequence` of the last event that you have processed, 0
   * at first. Sequences have no gaps and are given in the order of the commits, so nothing appears later
   * between two events that you have seen. If the first event without other filters is not N + 1, the events
   * between are older than 30 days.
   */
  list(query?: Query<'listEvents'>, options?: CallOptions): List<Schemas['Event']> {
    return toList(query, options, (page, each) =>
      this.caller.send('get', '/v1/events', { query: page }, each),
    );
  }
}
