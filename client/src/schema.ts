// Written by `npm run openapi` from openapi.json. A test holds the two together.

/** The version of the API that these types are of. */
export const apiVersion = '2026-11-01';

export interface paths {
  '/v1/charges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List charges, newest first
     * @description Returns a page of charges. All filters must hold. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listCharges'];
    put?: never;
    /**
     * Create a charge
     * @description Takes a payment, or reserves it with `capture_method` `manual`. The answer waits up to 10 seconds for the outcome. After a timeout or a 5xx, send the same request with the same key: the buyer is never charged twice.
     */
    post: operations['createCharge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charges/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a charge
     * @description Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read it again.
     */
    get: operations['getCharge'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the reference, the description or the metadata of a charge (RFC 7386)
     * @description A member that is left out stays; `null` removes it. It works in every state of the charge and moves no money. The
     *     processor is not told: it keeps the description that the charge was made with. A change is told by `charge.updated`.
     */
    patch: operations['updateCharge'];
    trace?: never;
  };
  '/v1/charges/{id}:capture': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Capture an authorized charge once, in full or in part
     * @description Takes the reserved money. With `amount`, takes that part, and the rest is released for good. The charge must read `requires_capture`.
     */
    post: operations['captureCharge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charges/{id}:cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a charge: void its authorization, or request the cancel while the outcome is unknown
     * @description An authorization is voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is recorded: the charge stays `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what the processor has taken by then is given back, and the charge ends `cancelled`, or `failed` if it was declined. A cancel that comes after the outcome changes nothing. To give money back, refund the charge.
     */
    post: operations['cancelCharge'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charges/{id}/timeline': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the steps of a charge and its refunds, oldest first
     * @description Shows each call to the processor, each answer and wait, and each delivery of an event of the charge.
     */
    get: operations['getChargeTimeline'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/figures/charges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count charges by outcome, step by step
     * @description Counts the events of charges: each charge counts once, at the time of the event of its end; and once more as
     *     authorized, if it was. New events are counted within about 10 seconds, and each of them exactly once.
     */
    get: operations['getChargeFigures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List refunds, newest first
     * @description Returns a page of refunds. All filters must hold. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listRefunds'];
    put?: never;
    /**
     * Refund a charge, in full or in part
     * @description Gives money back to the buyer. Several refunds are possible, up to what was taken. Without `amount`, all that is left goes back.
     */
    post: operations['createRefund'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charges/{id}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Refund this charge, in full or in part
     * @description The same as `POST /v1/refunds`, with the charge in the path. `If-Match` is about the charge.
     */
    post: operations['createChargeRefund'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a refund
     * @description Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read it again.
     */
    get: operations['getRefund'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{id}:cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reverse a processed refund, until its `reversible_until`
     * @description Takes the refund back: the buyer gets nothing, and the amount can be refunded again. It is possible while the refund reads `processed`.
     */
    post: operations['cancelRefund'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/customers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List customers, newest first
     * @description Returns a page of customers, without deleted ones. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listCustomers'];
    put?: never;
    /**
     * Create a customer
     * @description Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of the request after the deletion of the customer is a 410.
     */
    post: operations['createCustomer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/customers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a customer
     * @description Returns the customer with its cards. A customer that was deleted is a 410 for the account that owned it.
     */
    get: operations['getCustomer'];
    /**
     * Replace a customer; a member that is left out is reset
     * @description Sets all members of the profile at once. The cards stay. It needs `If-Match`, so that no other change is lost.
     */
    put: operations['replaceCustomer'];
    post?: never;
    /**
     * Delete a customer with its payment methods; its charges stay
     * @description Erases the name, the email address and the cards for good, in events and in stored answers too. Its charges and refunds stay, and show its id.
     */
    delete: operations['deleteCustomer'];
    options?: never;
    head?: never;
    /**
     * Change a customer (RFC 7386); a member that is left out stays
     * @description Sets the members that are sent; `null` resets one. It needs `If-Match`, so that no other change is lost.
     */
    patch: operations['updateCustomer'];
    trace?: never;
  };
  '/v1/customers/{id}:attach-payment-method': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Store the card of a token; it becomes the first payment method
     * @description The processor describes the card of the token: a token that it does not know is a 422. A customer has at most 100 cards.
     */
    post: operations['attachPaymentMethod'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/customers/{id}:detach-payment-method': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove a payment method; charges made with it continue
     * @description The card cannot be charged any more. If it was the default one, the customer has none then.
     */
    post: operations['detachPaymentMethod'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhook endpoints, newest first
     * @description Returns a page of endpoints, without deleted ones. An account has at most 100, and at most 5 that are enabled with one URL.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Register a URL that receives events
     * @description The answer shows the secret that verifies signatures, and no later answer does. The host must have public addresses only.
     */
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook endpoint and its state
     * @description Returns the endpoint, without the values of its secrets. `failing_since` and `last_failure` say how its deliveries go.
     */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /**
     * Delete a webhook endpoint and cancel its open deliveries; all stay readable
     * @description Nothing is sent to the endpoint any more. Its deliveries can still be read for 30 days.
     */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries
     * @description Sets the members that are sent. An endpoint that is enabled again gets the events from then on: use `:replay` for those between. It needs `If-Match`.
     */
    patch: operations['updateWebhookEndpoint'];
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}:rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a new secret; the current one signs beside it for a while
     * @description Deliveries are signed with both secrets for `overlap_seconds`, so that receivers can change over. The answer shows the new secret, and no later answer does.
     */
    post: operations['rotateWebhookEndpointSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}:replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay past events to this endpoint, including types it was not subscribed to
     * @description The answer is an operation. Read and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched, replayed}`. A replayed event keeps its id.
     */
    post: operations['replayWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations/{id}/result': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the result
     * @description Without a signature, the answer redirects to a newly signed link. `Range` is supported, so that an interrupted download can continue.
     */
    get: operations['getOperationResult'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook endpoint, newest first
     * @description Returns a page of deliveries of the last 30 days, without their attempts.
     */
    get: operations['listWebhookEndpointDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of all webhook endpoints, newest first
     * @description `status=undelivered` shows what your receivers do not have. Deliveries of deleted endpoints are not shown.
     *
     *     Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-deliveries/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a delivery with every attempt
     * @description Shows when each attempt was made, what the endpoint answered, and how long it took.
     */
    get: operations['getWebhookDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-deliveries/{id}:replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send the event of a delivery to its endpoint again, whatever its outcome
     * @description Makes a new delivery of the same event, with the same `webhook-id`. The endpoint must be enabled.
     */
    post: operations['replayWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}:test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an event `endpoint.test` to this endpoint only
     * @description The event shows the endpoint itself. It is sent whatever types the endpoint subscribed to, and retried like any other.
     */
    post: operations['testWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/figures/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count attempts at deliveries by endpoint and result, step by step
     * @description Each attempt counts once, when it began. Without `endpoint` a range has at most 60 steps. Deleted endpoints are
     *     not shown.
     */
    get: operations['getDeliveryFigures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an event of the last 30 days
     * @description Returns what was sent to endpoints, in the version of the request.
     */
    get: operations['getEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the events of the last 30 days by `sequence`, newest first
     * @description To follow the events of an account, ask for `order=asc&after_sequence=N`, where N is the `sequence` of the last event
     *     that you have processed, 0 at first. Sequences have no gaps and are given in the order of the commits, so nothing appears
     *     later between two events that you have seen. With an empty page, ask again with the same N. If the first event without
     *     other filters is not N + 1, the events between are older than 30 days. With `If-None-Match` and the `ETag` of an empty
     *     page, the answer is 304 until there is something new.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/exports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List exports, newest first
     * @description Returns a page. All filters must hold. Finished operations are kept for 30 days. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listExports'];
    put?: never;
    /**
     * Export charges, refunds, events or the audit to a file
     * @description The file holds every row that exists when the export is accepted, and no later one. Poll the operation for the link to the file, no faster than `Retry-After` says.
     */
    post: operations['createExport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/exports/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an export
     * @description Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
     */
    get: operations['getExport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/exports/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an export; one that is done stays as it is
     * @description A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the operation to learn how it ends.
     */
    post: operations['cancelExport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/exports/{id}/result': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the result
     * @description Without a signature, the answer redirects to a newly signed link. `Range` is supported, so that an interrupted download can continue.
     */
    get: operations['getExportResult'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charge-batches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List charge batchs, newest first
     * @description Returns a page. All filters must hold. Finished operations are kept for 30 days. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listChargeBatches'];
    put?: never;
    /**
     * Submit a batch of charges
     * @description Submits up to 10,000 charges. Each succeeds or fails on its own. Poll the operation. Its result is a file of
     *     `application/x-ndjson` with one line for each row, in the order of the request:
     *
     *     ```json
     *     {"row":0,"status":201,"charge":{"id":"ch_…","status":"succeeded"},"error":null}
     *     ```
     *
     *     - `row` counts from 0, as in the pointer `/charges/0`.
     *     - `status` is the status that `POST /v1/charges` would have answered: 201, 202, 402 for a declined card, 422 for an invalid row.
     *     - `charge` is the charge when the batch ends, in the API version of the submission; `null` if there is none.
     *     - `error` is the problem document, if the status is 400 or more. Its `charge` names the charge.
     *
     *     **A row with a charge is never safe to submit again before its charge reads `failed` or `cancelled`. A row without one was
     *     not charged, and never will be.** A row has no key that another request could use. Its charge names its `charge_batch` and
     *     `charge_batch_row`, and `GET /v1/charges?charge_batch=op_…` lists the charges of a batch.
     *
     *     A row that ends `pending` or `requires_capture` goes on as any such charge. One whose outcome the processor does not tell in
     *     time reads 502, 503 or 504 with its `pending` charge, and is settled later: read the charge.
     *
     *     A batch that is cancelled or fails has a result too, linked by `result` of its `error`. Rows that never began have no charge,
     *     and read 409 `operation_cancelled`, or 500 with the code of the batch. Rows that were under way have one: read it to learn how
     *     they end. The result of a failed batch is written within minutes; until then it answers 409 `operation_not_done`.
     */
    post: operations['createChargeBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charge-batches/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a charge batch
     * @description Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
     */
    get: operations['getChargeBatch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charge-batches/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a charge batch; one that is done stays as it is
     * @description A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the operation to learn how it ends.
     */
    post: operations['cancelChargeBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/charge-batches/{id}/result': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the result
     * @description Without a signature, the answer redirects to a newly signed link. `Range` is supported, so that an interrupted download can continue.
     */
    get: operations['getChargeBatchResult'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List operations, newest first
     * @description Returns a page. All filters must hold. Finished operations are kept for 30 days. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listOperations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an operation
     * @description Poll it until `done` is true, no faster than `Retry-After` says. It can be read for 30 days after its end.
     */
    get: operations['getOperation'];
    put?: never;
    post?: never;
    /**
     * Cancel an operation, as `:cancel` does; it stays readable
     * @description The same as `POST /v1/operations/{id}:cancel`, without a body.
     */
    delete: operations['deleteOperation'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations/{id}:cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an operation; one that is done stays as it is
     * @description A request, not a guarantee: the work stops as soon as it can. What was done by then stays done. Poll the operation to learn how it ends.
     */
    post: operations['cancelOperation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/idempotency-keys/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the uses of an Idempotency-Key
     * @description For a caller that lost an answer and does not want to send the request again. A key can be used once for each endpoint. It is kept for as long as its resource may still change, and for 24 hours after its answer and after the end of its resource.
     */
    get: operations['getIdempotencyKey'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/requests': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the requests of the account, newest first
     * @description Writes, and reads that were refused, of the last 7 days. They appear about a second after their answer.
     *     Those of the last second before a crash may be missing. Of requests that were refused alike, 50 at once and one in two
     *     seconds are shown each; the others read as one request a minute with their `count`. No body, query or header is kept.
     *
     *     Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listRequests'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/requests/{trace_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what a trace id did: the requests that were made with it
     * @description Writes, and reads that were refused, of the last 7 days. They appear about a second after their answer.
     *     Those of the last second before a crash may be missing. Of requests that were refused alike, 50 at once and one in two
     *     seconds are shown each; the others read as one request a minute with their `count`. No body, query or header is kept. Requests that name the same trace in `traceparent` are shown together.
     */
    get: operations['getRequest'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clients': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the clients of the account, newest first
     * @description Returns a page of clients, disabled ones too, without their secrets.
     */
    get: operations['listClients'];
    put?: never;
    /**
     * Create a client with a secret
     * @description The answer shows the secret, and no later answer does. A client gets no scope that the token lacks. An account has
     *     at most 100 clients.
     */
    post: operations['createClient'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clients/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a client, without its secrets
     * @description Returns what the client may do, and how it proves itself.
     */
    get: operations['getClient'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clients/{id}:rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a client a new secret; the current one stays valid for a while
     * @description The answer shows the new secret, and no later answer does. A secret that is older than the current one ends at once.
     *     The token needs every scope of the client. With `overlap_seconds` 0 the current secret ends at once. Tokens that were
     *     taken with it live for up to 10 minutes, unless the client is disabled.
     */
    post: operations['rotateClientSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clients/{id}:disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Refuse a client new tokens, and revoke those it has within 5 s
     * @description A client that is in this state already stays as it is. The token needs every scope of the client.
     */
    post: operations['disableClient'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clients/{id}:enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a client tokens again; its old ones stay revoked
     * @description A client that is in this state already stays as it is. The token needs every scope of the client.
     */
    post: operations['enableClient'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/members': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the members of the account, newest first
     * @description The people who may sign in to the console, disabled ones too.
     */
    get: operations['listMembers'];
    put?: never;
    /**
     * Create a member, who may sign in to the console
     * @description The token needs every scope of the role. An account has at most 500 members. An e-mail address belongs to
     *     one member of the account. A person may be a member of several accounts, which do not learn of each other.
     */
    post: operations['createMember'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/members/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a member of the account
     * @description Returns a person of the account. Operators of the service belong to no account.
     */
    get: operations['getMember'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the name or the role of a member (RFC 7386)
     * @description The token needs every scope of the role, and of the new one. Another role ends the sessions of the member within 5 s. It needs `If-Match`.
     */
    patch: operations['updateMember'];
    trace?: never;
  };
  '/v1/members/{id}:disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End the sessions of a member within 5 s, and refuse new ones
     * @description A member that is in this state already stays as it is. The token needs every scope of its role.
     */
    post: operations['disableMember'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/members/{id}:enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a member sign in again
     * @description A member that is in this state already stays as it is. The token needs every scope of its role.
     */
    post: operations['enableMember'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the sessions that last, newest first
     * @description Where members of the account are signed in to the console now.
     */
    get: operations['listSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a session, also one that has ended
     * @description Returns who signed in and when. Sessions that have ended are kept for a short time.
     */
    get: operations['getSession'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions/{id}:end': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a session, and refuse its tokens within 5 s
     * @description A session that has ended stays as it is. The token needs every scope of the role of its member.
     */
    post: operations['endSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-entries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what was done in the account, newest first
     * @description Writes of members, refused ones too, their sign-ins, writes of clients, and what operators of the service did and
     *     read. The entry of a change is made with the change, in one transaction, so none is missing. Charges that clients make are
     *     not in it: they name their client in the log of requests. Entries are kept for a year, and can be exported. Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
     *     than `limit`, or none, while `has_more` is true: go on with `next_cursor`.
     */
    get: operations['listAuditEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @description The id of an account
     * @example acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    AccountId: string;
    /**
     * @description What a member of an account may do.
     * @example support
     * @enum {string}
     */
    AccountRole: 'viewer' | 'support' | 'developer';
    /** @description Who did it */
    Actor: {
      kind: components['schemas']['ActorKind'];
      /** @description Of the member or the client; `null` for an operator at the command line, who has a name alone. */
      id: components['schemas']['ActorId'] | null;
      /**
       * @description The name at the time.
       * @example Ana
       */
      name: string | null;
    };
    /**
     * @description The id of a member or a client
     * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    ActorId: string;
    /**
     * @description `operator`: of those who run the service. `client`: a program of the account.
     * @enum {string}
     */
    ActorKind: 'member' | 'operator' | 'client';
    /**
     * Format: int64
     * @description A whole number of minor currency units: 1999 is 19.99 EUR, and 1,999 JPY.
     * @example 1999
     */
    Amount: number;
    /**
     * @description A dated version of this API
     * @example 2026-11-01
     * @enum {string}
     */
    ApiVersion: '2026-05-01' | '2026-11-01';
    /** @description How long attempts took, delivered or not, in milliseconds; exact to 19 % */
    AttemptLatency: {
      /**
       * Format: int64
       * @description Half of the attempts took no longer.
       * @example 45
       */
      p50: number;
      /**
       * Format: int64
       * @description 95 % of the attempts took no longer.
       * @example 181
       */
      p95: number;
    };
    /** @description Something that a person or a program did */
    AuditEntry: {
      id: components['schemas']['AuditEntryId'];
      /**
       * @description Always `audit_entry`.
       * @constant
       */
      object: 'audit_entry';
      /**
       * @description When it was asked for.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /** @description `null` if nobody knows, as of a sign-in that failed. */
      actor: components['schemas']['Actor'] | null;
      /**
       * @description What was asked for: resources and a verb.
       * @example refunds.create
       */
      action: string;
      /**
       * @description The id of what it made or acted on.
       * @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G
       */
      resource: string | null;
      trace_id: components['schemas']['TraceId'];
      /**
       * @description Of the answer; `null` while it is under way, or if its end was not seen.
       * @example 201
       */
      status: number | null;
      /** @description Whether the answer was that of an earlier request with its key. */
      replayed: boolean;
      /** @description Why, in the words of an operator. */
      reason: string | null;
      /**
       * @description From which IP address somebody signed in, or tried to; `null` for all else.
       * @example 203.0.113.7
       */
      address: string | null;
    };
    /** @description The rows of an export; all members must hold. */
    AuditEntryFilter: {
      /** @description Only entries of this member, operator or client. */
      actor?: components['schemas']['ActorId'];
      /** @description Only rows made in this time. */
      created?: components['schemas']['CreatedRange'];
    };
    /**
     * @description The id of an audit entry
     * @example aud_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    AuditEntryId: string;
    /** @description A page of a list */
    AuditEntryList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['AuditEntry'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /** @description Charges that were authorized */
    AuthorizedCharges: {
      /**
       * Format: int64
       * @description How many charges.
       * @example 12
       */
      count: number;
      /**
       * Format: int64
       * @description The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
       * @example 23988
       */
      amount: number;
    };
    /** @description Charges that were cancelled, and what they asked for */
    CancelledCharges: {
      /**
       * Format: int64
       * @description How many charges.
       * @example 12
       */
      count: number;
      /**
       * Format: int64
       * @description The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
       * @example 23988
       */
      amount: number;
    };
    /**
     * @example {
     *       "amount": 1999
     *     }
     */
    Capture: {
      /** @description Minor currency units, at most the amount of the charge; the rest is released. (Default: all of it) */
      amount?: components['schemas']['Amount'];
    };
    /**
     * @description `automatic`: the money is taken at once. `manual`: it is only reserved, for at most 7 days, until `:capture` or `:cancel`.
     * @enum {string}
     */
    CaptureMethod: 'automatic' | 'manual';
    /** @description What may be shown of a card */
    Card: {
      brand: components['schemas']['CardBrand'];
      /**
       * @description The last four digits of the card.
       * @example 4242
       */
      last4: string;
      /**
       * Format: int32
       * @description The month in which it expires.
       * @example 12
       */
      exp_month: number;
      /**
       * Format: int32
       * @description The year in which it expires.
       * @example 2030
       */
      exp_year: number;
    };
    /**
     * @description The network of the card
     * @enum {string}
     */
    CardBrand: 'visa' | 'mastercard' | 'amex' | 'discover';
    /** @description A payment with a card */
    Charge: {
      id: components['schemas']['ChargeId'];
      /**
       * @description Always `charge`.
       * @constant
       */
      object: 'charge';
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      status: components['schemas']['ChargeStatus'];
      capture_method: components['schemas']['CaptureMethod'];
      /**
       * Format: int64
       * @description The part of `amount` that was taken, in minor currency units.
       * @example 1999
       */
      amount_captured: number;
      /**
       * Format: int64
       * @description The part of `amount_captured` that went back, or is about to, in minor currency units.
       */
      amount_refunded: number;
      /**
       * Format: int64
       * @description The part of `amount_captured` that the processor took back from you later, without a refund, in minor currency units.
       * @example 0
       */
      amount_returned: number;
      /** @description Whether everything that was taken went back. */
      refunded: boolean;
      /**
       * @description Who pays; `null` without a customer.
       * @example null
       */
      customer: components['schemas']['CustomerId'] | null;
      payment_method: components['schemas']['PaymentSource'];
      /**
       * @description Your own name of what is paid, as given.
       * @example 6735
       */
      reference: string | null;
      /** @description Your own words, as given. */
      description: string | null;
      /** @description What the buyer reads on the statement of the card, as given. */
      statement_descriptor: string | null;
      metadata: components['schemas']['Metadata'];
      /**
       * @description Why the charge failed; `null` if it did not.
       * @example null
       */
      failure: components['schemas']['ChargeFailure'] | null;
      /**
       * @description What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`.
       * @example null
       */
      next_action: components['schemas']['ChargeNextAction'] | null;
      /**
       * @description When the charge was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /**
       * @description When the money was taken.
       * @example 2026-11-01T12:00:00.000Z
       */
      captured_at: components['schemas']['Time'] | null;
      /**
       * @description When its cancel was requested.
       * @example null
       */
      cancel_requested_at: components['schemas']['Time'] | null;
      /**
       * @description When it was cancelled.
       * @example null
       */
      cancelled_at: components['schemas']['Time'] | null;
      /**
       * @description When its authorization ends, while the money is only reserved.
       * @example null
       */
      expires_at: components['schemas']['Time'] | null;
      /**
       * @description The charge batch that it was submitted in; `null` if it was submitted alone.
       * @example null
       */
      charge_batch: components['schemas']['OperationId'] | null;
      /**
       * @description Its row in that batch, which counts from 0 as in the lines of the result.
       * @example null
       */
      charge_batch_row: number | null;
    };
    ChargeAuthorizedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.authorized`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.authorized';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    ChargeBatchOperation: {
      /**
       * @description `operations/` and the id.
       * @example operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD
       */
      name: string;
      /**
       * @description Always `operation`.
       * @constant
       */
      object: 'operation';
      id: components['schemas']['OperationId'];
      /**
       * @description Always `charge_batch`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge_batch';
      status: components['schemas']['OperationStatus'];
      /** @description If true, exactly one of `error` and `response` is present. */
      done: boolean;
      /**
       * @description `null` until the total is known. `completed` never decreases.
       * @example {
       *       "completed": 250,
       *       "total": 1000
       *     }
       */
      progress: components['schemas']['OperationProgress'] | null;
      /** @description Why the operation ended without completing. */
      error?: components['schemas']['Problem'];
      /** @description The file that the operation made. */
      response?: components['schemas']['ChargeBatchResult'];
      /**
       * @description When the operation was accepted.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /**
       * @description A finished operation can be read until then.
       * @example null
       */
      expires_at: components['schemas']['Time'] | null;
    };
    /** @description A page of a list */
    ChargeBatchOperationList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['ChargeBatchOperation'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    ChargeBatchResult: {
      /**
       * Format: uri
       * @description A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
       * @example https://payments.example/v1/exports/op_01JF3ZC5T7P3X9R2V8K4M6N1WD/result?expires=1793492400&signature=k3bP
       */
      href: string;
      /**
       * @description The media type of the file.
       * @enum {string}
       */
      content_type: 'application/x-ndjson';
      /**
       * Format: int64
       * @description The size of the file, in bytes.
       */
      size: number;
      /**
       * @description The hash of the file, in hex.
       * @example 0000000000000000000000000000000000000000000000000000000000000000
       */
      sha256: string;
      /**
       * @description The result is kept until then.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    ChargeCancelledEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.cancelled`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.cancelled';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    /** @description The resource after the change, in `api_version` */
    ChargeEventData: {
      object: components['schemas']['Charge'];
    };
    ChargeFailedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.failed`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.failed';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    /** @description Why a charge failed */
    ChargeFailure: {
      code: components['schemas']['ChargeFailureCode'];
      /** @description With `card_declined`: why the card was refused. */
      decline_code: components['schemas']['DeclineCode'] | null;
      /**
       * @description For people; do not branch on it.
       * @example The card was declined.
       */
      message: string;
    };
    /**
     * @description Why the charge failed.
     * @enum {string}
     */
    ChargeFailureCode:
      | 'card_declined'
      | 'processor_timeout'
      | 'not_sent'
      | 'refused'
      | 'authentication_expired'
      | 'capture_failed';
    ChargeFigure: {
      /**
       * @description The beginning of the step.
       * @example 2026-11-01T12:00:00.000Z
       */
      at: components['schemas']['Time'];
      /**
       * @description One figure for each currency.
       * @example EUR
       */
      currency: components['schemas']['Currency'];
      authorized: components['schemas']['AuthorizedCharges'];
      succeeded: components['schemas']['SucceededCharges'];
      failed: components['schemas']['FailedCharges'];
      cancelled: components['schemas']['CancelledCharges'];
    };
    ChargeFigures: {
      /**
       * @description Always `charge_figures`.
       * @constant
       */
      object: 'charge_figures';
      /**
       * @description As asked for.
       * @example 1h
       */
      step: components['schemas']['FigureStep'];
      /**
       * @description The beginning of the first step.
       * @example 2026-11-01T12:00:00.000Z
       */
      from: components['schemas']['Time'];
      /**
       * @description The end of the last step.
       * @example 2026-11-01T12:00:00.000Z
       */
      to: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Events up to this `sequence` are counted.
       * @example 42
       */
      up_to_sequence: number;
      /** @description Oldest first. A step without charges is left out. */
      data: components['schemas']['ChargeFigure'][];
    };
    /** @description The rows of an export; all members must hold. */
    ChargeFilter: {
      /** @description Only charges of this customer. */
      customer?: components['schemas']['CustomerId'];
      /** @description Only charges with this status when their line is written. */
      status?: components['schemas']['ChargeStatus'];
      /**
       * @description Only charges with exactly this reference.
       * @example 6735
       */
      reference?: string;
      /** @description Only charges of this amount, in minor currency units. */
      amount?: components['schemas']['Amount'];
      /** @description Only charges in this currency. */
      currency?: components['schemas']['Currency'];
      /** @description Only rows made in this time. */
      created?: components['schemas']['CreatedRange'];
    };
    /**
     * @description The id of a charge
     * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    ChargeId: string;
    /** @description A page of a list */
    ChargeList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Charge'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /** @description What the buyer does next */
    ChargeNextAction: {
      /**
       * @description The only kind there is.
       * @constant
       */
      type: 'redirect';
      /**
       * Format: uri
       * @description Where to send the browser of the buyer, once.
       * @example https://bank.example/confirm
       */
      url: string;
      /**
       * @description Then the charge fails with `authentication_expired`.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    ChargePatch: {
      /**
       * @description `null` removes it.
       * @example 6735
       */
      reference?: string | null;
      /**
       * @description `null` removes it.
       * @example Order 6735
       */
      description?: string | null;
      /** @description Names to set or to remove; `null` removes all. */
      metadata?: components['schemas']['MetadataPatch'] | null;
    };
    ChargeRequiresActionEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.requires_action`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.requires_action';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    /**
     * @description `pending`: the outcome is not known yet. `requires_action`: the buyer must confirm. `requires_capture`: the money is reserved. `succeeded`, `failed` and `cancelled` are final.
     * @example succeeded
     * @enum {string}
     */
    ChargeStatus: 'pending' | 'requires_action' | 'requires_capture' | 'succeeded' | 'failed' | 'cancelled';
    ChargeSucceededEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.succeeded`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.succeeded';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    ChargeUpdatedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `charge.updated`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'charge.updated';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['ChargeEventData'];
    };
    /**
     * @description The id of an OAuth client
     * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    ClientId: string;
    /** @description When the rows were made, in RFC 3339. */
    CreatedRange: {
      /**
       * Format: date-time
       * @description Only items created after this time.
       */
      gt?: string;
      /**
       * Format: date-time
       * @description Only items created at this time or after.
       */
      gte?: string;
      /**
       * Format: date-time
       * @description Only items created before this time.
       */
      lt?: string;
      /**
       * Format: date-time
       * @description Only items created at this time or before.
       */
      lte?: string;
    };
    /**
     * @description ISO 4217 as of 2026-01-01, upper case. ANG, BGN, CUC are history: they take no new charge.
     * @example EUR
     * @enum {string}
     */
    Currency:
      | 'AED'
      | 'AFN'
      | 'ALL'
      | 'AMD'
      | 'ANG'
      | 'AOA'
      | 'ARS'
      | 'AUD'
      | 'AWG'
      | 'AZN'
      | 'BAM'
      | 'BBD'
      | 'BDT'
      | 'BGN'
      | 'BHD'
      | 'BIF'
      | 'BMD'
      | 'BND'
      | 'BOB'
      | 'BRL'
      | 'BSD'
      | 'BTN'
      | 'BWP'
      | 'BYN'
      | 'BZD'
      | 'CAD'
      | 'CDF'
      | 'CHF'
      | 'CLP'
      | 'CNY'
      | 'COP'
      | 'CRC'
      | 'CUC'
      | 'CUP'
      | 'CVE'
      | 'CZK'
      | 'DJF'
      | 'DKK'
      | 'DOP'
      | 'DZD'
      | 'EGP'
      | 'ERN'
      | 'ETB'
      | 'EUR'
      | 'FJD'
      | 'FKP'
      | 'GBP'
      | 'GEL'
      | 'GHS'
      | 'GIP'
      | 'GMD'
      | 'GNF'
      | 'GTQ'
      | 'GYD'
      | 'HKD'
      | 'HNL'
      | 'HTG'
      | 'HUF'
      | 'IDR'
      | 'ILS'
      | 'INR'
      | 'IQD'
      | 'IRR'
      | 'ISK'
      | 'JMD'
      | 'JOD'
      | 'JPY'
      | 'KES'
      | 'KGS'
      | 'KHR'
      | 'KMF'
      | 'KPW'
      | 'KRW'
      | 'KWD'
      | 'KYD'
      | 'KZT'
      | 'LAK'
      | 'LBP'
      | 'LKR'
      | 'LRD'
      | 'LSL'
      | 'LYD'
      | 'MAD'
      | 'MDL'
      | 'MGA'
      | 'MKD'
      | 'MMK'
      | 'MNT'
      | 'MOP'
      | 'MRU'
      | 'MUR'
      | 'MVR'
      | 'MWK'
      | 'MXN'
      | 'MYR'
      | 'MZN'
      | 'NAD'
      | 'NGN'
      | 'NIO'
      | 'NOK'
      | 'NPR'
      | 'NZD'
      | 'OMR'
      | 'PAB'
      | 'PEN'
      | 'PGK'
      | 'PHP'
      | 'PKR'
      | 'PLN'
      | 'PYG'
      | 'QAR'
      | 'RON'
      | 'RSD'
      | 'RUB'
      | 'RWF'
      | 'SAR'
      | 'SBD'
      | 'SCR'
      | 'SDG'
      | 'SEK'
      | 'SGD'
      | 'SHP'
      | 'SLE'
      | 'SOS'
      | 'SRD'
      | 'SSP'
      | 'STN'
      | 'SVC'
      | 'SYP'
      | 'SZL'
      | 'THB'
      | 'TJS'
      | 'TMT'
      | 'TND'
      | 'TOP'
      | 'TRY'
      | 'TTD'
      | 'TWD'
      | 'TZS'
      | 'UAH'
      | 'UGX'
      | 'USD'
      | 'UYU'
      | 'UZS'
      | 'VES'
      | 'VND'
      | 'VUV'
      | 'WST'
      | 'XAF'
      | 'XCD'
      | 'XCG'
      | 'XOF'
      | 'XPF'
      | 'YER'
      | 'ZAR'
      | 'ZMW'
      | 'ZWG';
    /** @description A payer, with the cards on file */
    Customer: {
      id: components['schemas']['CustomerId'];
      /**
       * @description Always `customer`.
       * @constant
       */
      object: 'customer';
      name: components['schemas']['CustomerName'] | null;
      email: components['schemas']['Email'] | null;
      /** @example null */
      description: components['schemas']['Description'] | null;
      metadata: components['schemas']['Metadata'];
      /** @description The card that charges of this customer use by default; `null` if there is none. */
      default_payment_method: components['schemas']['PaymentMethodId'] | null;
      /** @description The cards on file, newest first. */
      payment_methods: components['schemas']['PaymentMethod'][];
      /**
       * @description When the customer was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
    };
    CustomerCreatedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `customer.created`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.created';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['CustomerEventData'];
    };
    CustomerDeletedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `customer.deleted`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.deleted';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['CustomerDeletedEventData'];
    };
    /** @description What is left of the customer */
    CustomerDeletedEventData: {
      object: components['schemas']['DeletedCustomer'];
    };
    /** @description The resource after the change, in `api_version` */
    CustomerEventData: {
      object: components['schemas']['CustomerOrErased'];
    };
    /**
     * @description The id of a customer
     * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    CustomerId: string;
    /** @description A page of a list */
    CustomerList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Customer'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @description The name of the customer, 1 to 200 characters
     * @example Ada Lovelace
     */
    CustomerName: string;
    /** @description A customer, or what is left of one that was deleted */
    CustomerOrErased: components['schemas']['Customer'] | components['schemas']['DeletedCustomer'];
    /**
     * @example {
     *       "email": "ada@example.com"
     *     }
     */
    CustomerPatch: {
      name?: components['schemas']['CustomerName'] | null;
      email?: components['schemas']['Email'] | null;
      description?: components['schemas']['Description'] | null;
      /** @description Names to set or to remove; `null` removes all. */
      metadata?: components['schemas']['MetadataPatch'] | null;
      /** @description The card that charges of this customer use by default. It must be one of its own. */
      default_payment_method?: components['schemas']['PaymentMethodId'] | null;
    };
    /**
     * @example {
     *       "name": "Ada Lovelace",
     *       "email": "ada@example.com"
     *     }
     */
    CustomerReplacement: {
      name?: components['schemas']['CustomerName'] | null;
      email?: components['schemas']['Email'] | null;
      description?: components['schemas']['Description'] | null;
      metadata?: components['schemas']['Metadata'];
      /** @description The card that charges of this customer use by default. It must be one of its own. */
      default_payment_method?: components['schemas']['PaymentMethodId'] | null;
    };
    CustomerUpdatedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `customer.updated`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.updated';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['CustomerEventData'];
    };
    /**
     * @description Why a card was refused. `generic_decline` where its issuer gives no reason.
     * @example insufficient_funds
     * @enum {string}
     */
    DeclineCode:
      | 'generic_decline'
      | 'insufficient_funds'
      | 'expired_card'
      | 'incorrect_cvc'
      | 'lost_card'
      | 'stolen_card'
      | 'processing_error'
      | 'authentication_required'
      | 'authentication_failed';
    /** @description What is left of a customer that was deleted: events show it. */
    DeletedCustomer: {
      id: components['schemas']['CustomerId'];
      /**
       * @description Always `customer`.
       * @constant
       */
      object: 'customer';
      /** @description Always `true`. */
      deleted: boolean;
    };
    DeliveryFigure: {
      /**
       * @description The beginning of the step.
       * @example 2026-11-01T12:00:00.000Z
       */
      at: components['schemas']['Time'];
      endpoint: components['schemas']['WebhookEndpointId'];
      /**
       * Format: int64
       * @description How many attempts delivered.
       * @example 118
       */
      delivered: number;
      failed: components['schemas']['FailedAttempts'];
      latency_ms: components['schemas']['AttemptLatency'];
    };
    DeliveryFigures: {
      /**
       * @description Always `delivery_figures`.
       * @constant
       */
      object: 'delivery_figures';
      /**
       * @description As asked for.
       * @example 1h
       */
      step: components['schemas']['FigureStep'];
      /**
       * @description The beginning of the first step.
       * @example 2026-11-01T12:00:00.000Z
       */
      from: components['schemas']['Time'];
      /**
       * @description The end of the last step.
       * @example 2026-11-01T12:00:00.000Z
       */
      to: components['schemas']['Time'];
      /** @description Oldest first. A step without attempts is left out. */
      data: components['schemas']['DeliveryFigure'][];
    };
    /** @description Your own words, 1 to 500 characters */
    Description: string;
    /**
     * @description An email address, at most 254 characters
     * @example ada@example.com
     */
    Email: string;
    /** @description An object without members; it can be left out. */
    EmptyBody: Record<string, never>;
    /** @description The resource after the change, in `api_version` */
    EndpointEventData: {
      object: components['schemas']['WebhookEndpoint'];
    };
    EndpointTestEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `endpoint.test`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'endpoint.test';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['EndpointEventData'];
    };
    /** @description A change of a resource. `type` says what changed, and what `data.object` is. */
    Event:
      | components['schemas']['ChargeRequiresActionEvent']
      | components['schemas']['ChargeAuthorizedEvent']
      | components['schemas']['ChargeSucceededEvent']
      | components['schemas']['ChargeFailedEvent']
      | components['schemas']['ChargeCancelledEvent']
      | components['schemas']['ChargeUpdatedEvent']
      | components['schemas']['RefundProcessedEvent']
      | components['schemas']['RefundSettledEvent']
      | components['schemas']['RefundFailedEvent']
      | components['schemas']['RefundReversedEvent']
      | components['schemas']['OperationSucceededEvent']
      | components['schemas']['OperationFailedEvent']
      | components['schemas']['OperationCancelledEvent']
      | components['schemas']['CustomerCreatedEvent']
      | components['schemas']['CustomerUpdatedEvent']
      | components['schemas']['CustomerDeletedEvent']
      | components['schemas']['WebhookEndpointDisabledEvent']
      | components['schemas']['EndpointTestEvent'];
    /** @description The rows of an export; all members must hold. */
    EventFilter: {
      /** @description Only events of this type. */
      type?: components['schemas']['EventType'];
      /** @description Only rows made in this time. */
      created?: components['schemas']['CreatedRange'];
    };
    /**
     * @description The id of an event
     * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    EventId: string;
    /** @description A page of a list */
    EventList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Event'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @description By `sequence`: `desc`, the newest first, or `asc`, the oldest first.
     * @enum {string}
     */
    EventOrder: 'desc' | 'asc';
    /**
     * @description A type of events, all types of a resource (`charge.*`), or all types, new ones too (`*`).
     * @example charge.*
     * @enum {string}
     */
    EventPattern:
      | '*'
      | 'charge.*'
      | 'refund.*'
      | 'operation.*'
      | 'customer.*'
      | 'webhook_endpoint.*'
      | 'endpoint.*'
      | 'charge.requires_action'
      | 'charge.authorized'
      | 'charge.succeeded'
      | 'charge.failed'
      | 'charge.cancelled'
      | 'charge.updated'
      | 'refund.processed'
      | 'refund.settled'
      | 'refund.failed'
      | 'refund.reversed'
      | 'operation.succeeded'
      | 'operation.failed'
      | 'operation.cancelled'
      | 'customer.created'
      | 'customer.updated'
      | 'customer.deleted'
      | 'webhook_endpoint.disabled'
      | 'endpoint.test';
    /**
     * @description Only events about this charge, refund, customer, operation or webhook endpoint.
     * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    EventResourceId: string;
    /**
     * @description What happened, as `{resource}.{change}`.
     * @example charge.succeeded
     * @enum {string}
     */
    EventType:
      | 'charge.requires_action'
      | 'charge.authorized'
      | 'charge.succeeded'
      | 'charge.failed'
      | 'charge.cancelled'
      | 'charge.updated'
      | 'refund.processed'
      | 'refund.settled'
      | 'refund.failed'
      | 'refund.reversed'
      | 'operation.succeeded'
      | 'operation.failed'
      | 'operation.cancelled'
      | 'customer.created'
      | 'customer.updated'
      | 'customer.deleted'
      | 'webhook_endpoint.disabled'
      | 'endpoint.test';
    /**
     * @description `csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.
     * @enum {string}
     */
    ExportFormat: 'csv' | 'ndjson';
    ExportOperation: {
      /**
       * @description `operations/` and the id.
       * @example operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD
       */
      name: string;
      /**
       * @description Always `operation`.
       * @constant
       */
      object: 'operation';
      id: components['schemas']['OperationId'];
      /**
       * @description Always `export`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'export';
      status: components['schemas']['OperationStatus'];
      /** @description If true, exactly one of `error` and `response` is present. */
      done: boolean;
      /**
       * @description `null` until the total is known. `completed` never decreases.
       * @example {
       *       "completed": 250,
       *       "total": 1000
       *     }
       */
      progress: components['schemas']['OperationProgress'] | null;
      request?: components['schemas']['ExportRequest'];
      /** @description Why the operation ended without completing. */
      error?: components['schemas']['Problem'];
      /** @description The file that the operation made. */
      response?: components['schemas']['ExportResult'];
      /**
       * @description When the operation was accepted.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /**
       * @description A finished operation can be read until then.
       * @example null
       */
      expires_at: components['schemas']['Time'] | null;
    };
    /** @description A page of a list */
    ExportOperationList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['ExportOperation'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @description What was asked for. As the body of `POST /v1/exports` it asks for the same again. An export of events begins with the oldest that were kept.
     * @example {
     *       "resource": "charges",
     *       "format": "csv",
     *       "filter": {
     *         "status": "succeeded",
     *         "created": {
     *           "gte": "2026-03-01T00:00:00.000Z"
     *         }
     *       }
     *     }
     */
    ExportRequest: {
      resource: components['schemas']['ExportedResource'];
      format: components['schemas']['ExportFormat'];
      /** @description Whether the file begins with a byte order mark. */
      bom?: boolean;
      filter: components['schemas']['ExportedFilter'];
    };
    ExportResult: {
      /**
       * Format: uri
       * @description A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
       * @example https://payments.example/v1/exports/op_01JF3ZC5T7P3X9R2V8K4M6N1WD/result?expires=1793492400&signature=k3bP
       */
      href: string;
      /**
       * @description The media type of the file.
       * @enum {string}
       */
      content_type: 'text/csv; charset=utf-8; header=present' | 'application/x-ndjson';
      /**
       * Format: int64
       * @description The size of the file, in bytes.
       */
      size: number;
      /**
       * @description The hash of the file, in hex.
       * @example 0000000000000000000000000000000000000000000000000000000000000000
       */
      sha256: string;
      /**
       * @description The result is kept until then.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    /** @description The rows of an export; all members hold. */
    ExportedFilter: {
      /** @description Only charges of this customer. */
      customer?: components['schemas']['CustomerId'];
      /** @description Only charges with exactly this reference. */
      reference?: string;
      /** @description Only charges of this amount, in minor currency units. */
      amount?: components['schemas']['Amount'];
      /** @description Only charges in this currency. */
      currency?: components['schemas']['Currency'];
      /** @description Only refunds of this charge. */
      charge?: components['schemas']['ChargeId'];
      /** @description Only charges or refunds with this status. */
      status?: string;
      /** @description Only events of this type. */
      type?: components['schemas']['EventType'];
      /** @description Only entries of the audit of this member, operator or client. */
      actor?: components['schemas']['ActorId'];
      created?: components['schemas']['ExportedRange'];
    };
    /** @description When the rows were made. `gt` and `lte` of the request are shown as `gte` and `lt`. */
    ExportedRange: {
      /** @description Only items created at this time or after. */
      gte?: components['schemas']['Time'];
      /** @description Only items created before this time. */
      lt?: components['schemas']['Time'];
    };
    /**
     * @description What the rows are.
     * @enum {string}
     */
    ExportedResource: 'charges' | 'refunds' | 'events' | 'audit_entries';
    /** @description Attempts that failed */
    FailedAttempts: {
      /**
       * Format: int64
       * @description How many attempts failed.
       * @example 2
       */
      count: number;
      /**
       * @description How many by reason: the status of the answer, or why there was none.
       * @example {
       *       "500": 1,
       *       "timed_out": 1
       *     }
       */
      by: {
        [key: string]: number;
      };
    };
    /** @description Charges that failed */
    FailedCharges: {
      /**
       * Format: int64
       * @description How many charges.
       * @example 12
       */
      count: number;
      /**
       * Format: int64
       * @description Those of them that were declined.
       * @example 2
       */
      declined: number;
      /**
       * @description How many by reason: the decline code, or `failure.code` of those that were not declined.
       * @example {
       *       "insufficient_funds": 2
       *     }
       */
      by: {
        [key: string]: number;
      };
    };
    /**
     * @description How long each step is: a minute, an hour or a day. Steps begin in UTC.
     * @example 1h
     * @enum {string}
     */
    FigureStep: '1m' | '1h' | '1d';
    /**
     * @description `client_credentials`, or `refresh_token` for clients that have one. The console alone can use the others.
     * @enum {string}
     */
    GrantType:
      | 'client_credentials'
      | 'refresh_token'
      | 'authorization_code'
      | 'urn:ietf:params:oauth:grant-type:token-exchange';
    IdempotencyKey: {
      /**
       * @description Always `idempotency_key`.
       * @constant
       */
      object: 'idempotency_key';
      /**
       * @description The key, without quotes.
       * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
       */
      key: string;
      /** @description One for each endpoint, oldest first. */
      uses: components['schemas']['IdempotencyKeyUse'][];
    };
    /**
     * @description Whether the key has its answer.
     * @enum {string}
     */
    IdempotencyKeyStatus: 'in_progress' | 'done';
    IdempotencyKeyUse: {
      /**
       * @description Method and route template.
       * @example POST /v1/charges
       */
      endpoint: string;
      status: components['schemas']['IdempotencyKeyStatus'];
      /**
       * @description When the request came first.
       * @example 2026-11-01T12:00:00.000Z
       */
      since: components['schemas']['Time'];
      /**
       * @description The key is kept until then at least. The time counts from the answer and from the end of the resource: while either is to come, it counts from now.
       * @example 2026-11-01T12:00:00.000Z
       */
      until: components['schemas']['Time'];
      /**
       * @description The path of the resource that the request created or changed; `null` if there is none, or none yet.
       * @example /v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      resource: string | null;
    };
    IntrospectionRequest: {
      /**
       * @description An access token or a refresh token of this client.
       * @example eyJ…
       */
      token: string;
      /**
       * @description Accepted and ignored: the token itself shows its type.
       * @example access_token
       */
      token_type_hint?: string;
      client_id?: components['schemas']['ClientId'];
      /** @description The secret of the client, without HTTP Basic. */
      client_secret?: string;
      /**
       * @description Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
       * @constant
       */
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      /** @description A JWT that the client signed (RFC 7523). */
      client_assertion?: string;
    };
    /**
     * @example {
     *       "issuer": "https://payments.example",
     *       "token_endpoint": "https://payments.example/oauth2/token",
     *       "jwks_uri": "https://payments.example/oauth2/jwks"
     *     }
     */
    IssuerMetadata: {
      /**
       * Format: uri
       * @description `iss` of the tokens.
       */
      issuer: string;
      /**
       * Format: uri
       * @description Where tokens are issued.
       */
      token_endpoint: string;
      /**
       * Format: uri
       * @description Where the public keys are.
       */
      jwks_uri: string;
    } & {
      [key: string]: unknown;
    };
    /** @description A person who signs in to the console */
    Member: {
      id: components['schemas']['MemberId'];
      /**
       * @description Always `member`.
       * @constant
       */
      object: 'member';
      /**
       * @description The name that others see.
       * @example Ana
       */
      name: string;
      /**
       * @description `null` for those who sign in by links alone.
       * @example ana@shop.example
       */
      email: string | null;
      role: components['schemas']['Role'];
      status: components['schemas']['MemberStatus'];
      /**
       * @description When the member was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
    };
    /** @description The account of a member who signed in to the console. */
    MemberAccount: {
      id: components['schemas']['AccountId'];
      /** @description Its name. */
      name: string;
    };
    /**
     * @description The id of a member of the console
     * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    MemberId: string;
    /** @description A page of a list */
    MemberList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Member'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @example {
     *       "role": "support"
     *     }
     */
    MemberPatch: {
      /**
       * @description The name that others see, 1 to 100 characters.
       * @example Ana
       */
      name?: string;
      role?: components['schemas']['AccountRole'];
    };
    /**
     * @description `disabled`: may not sign in.
     * @enum {string}
     */
    MemberStatus: 'active' | 'disabled';
    /** @description Where a person may sign in */
    Membership: {
      member: components['schemas']['MemberId'];
      role: components['schemas']['Role'];
      /** @description `null`: the service, of which the person is an operator. */
      account: components['schemas']['MemberAccount'] | null;
      status: components['schemas']['MembershipStatus'];
    };
    /**
     * @description `invited`: to sign in there is to accept the invitation.
     * @enum {string}
     */
    MembershipStatus: 'accepted' | 'invited';
    /**
     * @description Names and values of your own, returned unchanged: at most 50, names of 1 to 40 characters, values of at most 500.
     * @example {
     *       "order": "6735"
     *     }
     */
    Metadata: {
      [key: string]: string;
    };
    /**
     * @description Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.
     * @example {
     *       "order": "6735"
     *     }
     */
    MetadataFilter: {
      [key: string]: string;
    };
    /**
     * @description Names to set, and names to remove (`null`). Other names stay.
     * @example {
     *       "order": "6735",
     *       "gift": null
     *     }
     */
    MetadataPatch: {
      [key: string]: string | null;
    };
    /**
     * @example {
     *       "resource": "audit_entries",
     *       "format": "csv"
     *     }
     */
    NewAuditEntryExport: {
      /**
       * @description The rows are entries of the audit, of the last year. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      resource: 'audit_entries';
      format: components['schemas']['ExportFormat'];
      /**
       * @description For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
       * @example false
       */
      bom?: boolean;
      filter?: components['schemas']['AuditEntryFilter'];
    };
    /**
     * @example {
     *       "amount": 1999,
     *       "currency": "EUR",
     *       "payment_method": "tok_visa"
     *     }
     */
    NewBatchedCharge: {
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      /**
       * @description A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
       * @example tok_visa
       */
      payment_method?: components['schemas']['PaymentSource'];
      /** @description Who pays. Needed for a payment method on file. */
      customer?: components['schemas']['CustomerId'];
      /**
       * @description Whether the money is taken at once, or reserved first.
       * @default automatic
       */
      capture_method?: components['schemas']['CaptureMethod'];
      /**
       * @description Your own name of what is paid, such as the number of an order: 1 to 64 characters. Charges are found by it.
       * @example 6735
       */
      reference?: string;
      /** @description For your own use, at most 500 characters. */
      description?: string;
      /** @description What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters. */
      statement_descriptor?: string;
      metadata?: components['schemas']['Metadata'];
    };
    /**
     * @example {
     *       "amount": 1999,
     *       "currency": "EUR",
     *       "payment_method": "tok_visa"
     *     }
     */
    NewCharge: {
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      /**
       * @description A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
       * @example tok_visa
       */
      payment_method?: components['schemas']['PaymentSource'];
      /** @description Who pays. Needed for a payment method on file. */
      customer?: components['schemas']['CustomerId'];
      /**
       * @description Whether the money is taken at once, or reserved first.
       * @default automatic
       */
      capture_method?: components['schemas']['CaptureMethod'];
      /**
       * @description Your own name of what is paid, such as the number of an order: 1 to 64 characters. Charges are found by it.
       * @example 6735
       */
      reference?: string;
      /** @description For your own use, at most 500 characters. */
      description?: string;
      /** @description What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters. */
      statement_descriptor?: string;
      metadata?: components['schemas']['Metadata'];
      /**
       * @description Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the processor asks buyers for nothing.
       * @example https://shop.example/orders/6735
       */
      return_url?: string;
    };
    NewChargeBatch: {
      /**
       * @description Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result.
       * @example [
       *       {
       *         "amount": 1999,
       *         "currency": "EUR",
       *         "payment_method": "tok_visa"
       *       }
       *     ]
       */
      charges: components['schemas']['NewBatchedCharge'][];
    };
    /**
     * @example {
     *       "resource": "charges",
     *       "format": "csv"
     *     }
     */
    NewChargeExport: {
      /**
       * @description The rows are charges. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      resource: 'charges';
      format: components['schemas']['ExportFormat'];
      /**
       * @description For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
       * @example false
       */
      bom?: boolean;
      filter?: components['schemas']['ChargeFilter'];
    };
    /**
     * @example {
     *       "amount": 500,
     *       "reason": "requested_by_customer"
     *     }
     */
    NewChargeRefund: {
      /** @description Minor currency units. (Default: all that is left) */
      amount?: components['schemas']['Amount'];
      /** @description Why the money goes back, for your own records. */
      reason?: components['schemas']['RefundReason'];
      metadata?: components['schemas']['Metadata'];
    };
    /**
     * @example {
     *       "name": "Ada Lovelace",
     *       "email": "ada@example.com"
     *     }
     */
    NewCustomer: {
      name?: components['schemas']['CustomerName'] | null;
      email?: components['schemas']['Email'] | null;
      description?: components['schemas']['Description'] | null;
      metadata?: components['schemas']['Metadata'];
    };
    /**
     * @example {
     *       "resource": "events",
     *       "format": "ndjson"
     *     }
     */
    NewEventExport: {
      /**
       * @description The rows are events of the last 30 days. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      resource: 'events';
      format: components['schemas']['ExportFormat'];
      /**
       * @description For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
       * @example false
       */
      bom?: boolean;
      filter?: components['schemas']['EventFilter'];
    };
    /**
     * @description What to export; `resource` says which filter there is.
     * @example {
     *       "resource": "charges",
     *       "format": "csv"
     *     }
     */
    NewExport:
      | components['schemas']['NewChargeExport']
      | components['schemas']['NewRefundExport']
      | components['schemas']['NewEventExport']
      | components['schemas']['NewAuditEntryExport'];
    /** @description A member to be made */
    NewMember: {
      /**
       * @description The name that others see, 1 to 100 characters.
       * @example Ana
       */
      name: string;
      role: components['schemas']['AccountRole'];
      /**
       * @description The address that the OIDC provider of the service has verified. Who has it is invited, and accepts at a sign-in. It is kept in lower case and NFKC, without characters that nobody sees. Without one, the operator of the service makes sign-in links.
       * @example ana@shop.example
       */
      email?: string | null;
    };
    /** @description A client to be made */
    NewOAuthClient: {
      /**
       * @description The name that people know it by, 1 to 100 characters.
       * @example Checkout
       */
      name: string;
      /**
       * @description What its tokens allow.
       * @example [
       *       "charges:write",
       *       "charges:read"
       *     ]
       */
      scopes: components['schemas']['Scope'][];
    };
    /**
     * @example {
     *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
     *       "amount": 500,
     *       "reason": "requested_by_customer"
     *     }
     */
    NewRefund: {
      /** @description Minor currency units. (Default: all that is left) */
      amount?: components['schemas']['Amount'];
      /** @description Why the money goes back, for your own records. */
      reason?: components['schemas']['RefundReason'];
      metadata?: components['schemas']['Metadata'];
      charge: components['schemas']['ChargeId'];
    };
    /**
     * @example {
     *       "resource": "refunds",
     *       "format": "csv"
     *     }
     */
    NewRefundExport: {
      /**
       * @description The rows are refunds. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      resource: 'refunds';
      format: components['schemas']['ExportFormat'];
      /**
       * @description For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
       * @example false
       */
      bom?: boolean;
      filter?: components['schemas']['RefundFilter'];
    };
    /**
     * @example {
     *       "url": "https://shop.example/webhooks",
     *       "events": [
     *         "charge.*"
     *       ]
     *     }
     */
    NewWebhookEndpoint: {
      /**
       * @description HTTPS, with a host that has only public addresses, without credentials and fragment.
       * @example https://shop.example/webhooks
       */
      url: string;
      /**
       * @description What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`).
       * @example [
       *       "charge.*",
       *       "refund.processed"
       *     ]
       */
      events: components['schemas']['EventPattern'][];
      /** @description Your own words, 1 to 500 characters; `null` if there are none. */
      description?: string | null;
      metadata?: components['schemas']['Metadata'];
      /**
       * @description The API version of its payloads. (Default: that of the request)
       * @example 2026-11-01
       */
      api_version?: components['schemas']['ApiVersion'];
      /** @default none */
      ordering?: components['schemas']['WebhookOrdering'];
    };
    /**
     * @example {
     *       "since": "2026-11-01T12:00:00Z",
     *       "types": [
     *         "charge.*"
     *       ],
     *       "status": "dead_letter",
     *       "dry_run": true
     *     }
     */
    NewWebhookReplay: {
      /**
       * Format: date-time
       * @description Events from this time on. Events are kept for 30 days.
       */
      since: string;
      /**
       * Format: date-time
       * @description Events before this time. (Default: now)
       */
      until?: string;
      /** @description Types and patterns. (Default: those of the endpoint) */
      types?: components['schemas']['EventPattern'][];
      /** @description Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery) */
      status?: components['schemas']['WebhookDeliveryStatus'];
      /**
       * @description Count the events, but send nothing.
       * @default false
       */
      dry_run?: boolean;
    };
    /** @description A program that takes tokens for the account */
    OAuthClient: {
      id: components['schemas']['ClientId'];
      /**
       * @description Always `client`.
       * @constant
       */
      object: 'client';
      /**
       * @description The name that people know it by, 1 to 100 characters.
       * @example Checkout
       */
      name: string;
      status: components['schemas']['OAuthClientStatus'];
      /** @description What its tokens allow. */
      scopes: components['schemas']['Scope'][];
      authentication: components['schemas']['OAuthClientAuthentication'];
      /** @description Until when the secret before the current one is valid; `null` without one. */
      previous_secret_expires_at: components['schemas']['Time'] | null;
      /**
       * @description When the client was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
    };
    /**
     * @description How it proves itself: by a secret, or by assertions that its public keys verify.
     * @enum {string}
     */
    OAuthClientAuthentication: 'secret' | 'public_keys' | 'none';
    /** @description A page of a list */
    OAuthClientList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['OAuthClient'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @example {
     *       "overlap_seconds": 86400
     *     }
     */
    OAuthClientSecretRotation: {
      /**
       * Format: int32
       * @description How long the current secret is valid beside the new one, in seconds. 0: it leaked.
       * @default 86400
       */
      overlap_seconds?: number;
    };
    /**
     * @description `disabled`: it gets no tokens, and has none.
     * @enum {string}
     */
    OAuthClientStatus: 'active' | 'disabled';
    /** @description A client with its new secret */
    OAuthClientWithSecret: {
      id: components['schemas']['ClientId'];
      /**
       * @description Always `client`.
       * @constant
       */
      object: 'client';
      /**
       * @description The name that people know it by, 1 to 100 characters.
       * @example Checkout
       */
      name: string;
      status: components['schemas']['OAuthClientStatus'];
      /** @description What its tokens allow. */
      scopes: components['schemas']['Scope'][];
      authentication: components['schemas']['OAuthClientAuthentication'];
      /** @description Until when the secret before the current one is valid; `null` without one. */
      previous_secret_expires_at: components['schemas']['Time'] | null;
      /**
       * @description When the client was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description Shown this once. Keep it on your server.
       * @example Zq3m…
       */
      readonly secret: string;
    };
    /**
     * @example {
     *       "error": "invalid_client",
     *       "error_description": "The client is unknown."
     *     }
     */
    OAuthError: {
      error: components['schemas']['OAuthErrorCode'];
      /** @description What to do, for people. */
      error_description: string;
      /** @description With `account_selection_required`, which the console alone is answered. */
      memberships?: components['schemas']['Membership'][];
    };
    /**
     * @description What a program branches on (RFC 6749 §5.2).
     * @enum {string}
     */
    OAuthErrorCode:
      | 'invalid_request'
      | 'invalid_client'
      | 'invalid_grant'
      | 'invalid_scope'
      | 'unauthorized_client'
      | 'unsupported_grant_type'
      | 'invalid_target'
      | 'account_selection_required'
      | 'temporarily_unavailable';
    /** @description Work that lasts longer than its request */
    Operation:
      | components['schemas']['ExportOperation']
      | components['schemas']['ChargeBatchOperation']
      | components['schemas']['WebhookReplayOperation'];
    OperationCancelledEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `operation.cancelled`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'operation.cancelled';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['OperationEventData'];
    };
    /** @description The resource after the change, in `api_version` */
    OperationEventData: {
      object: components['schemas']['Operation'];
    };
    OperationFailedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `operation.failed`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'operation.failed';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['OperationEventData'];
    };
    /**
     * @description The id of an operation
     * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
     */
    OperationId: string;
    /** @description A page of a list */
    OperationList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Operation'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    OperationProgress: {
      /**
       * Format: int64
       * @description Steps that are done; never fewer than before.
       */
      completed: number;
      /**
       * Format: int64
       * @description Steps that there are.
       */
      total: number;
    };
    /**
     * @description `cancelling`: a cancel was requested, and the work has not stopped yet. `succeeded`, `failed` and `cancelled` are final.
     * @example running
     * @enum {string}
     */
    OperationStatus: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelling' | 'cancelled';
    OperationSucceededEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `operation.succeeded`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'operation.succeeded';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['OperationEventData'];
    };
    /**
     * @description What the operation does.
     * @enum {string}
     */
    OperationType: 'export' | 'charge_batch' | 'webhook_replay';
    /** @description A card that a customer keeps on file */
    PaymentMethod: {
      id: components['schemas']['PaymentMethodId'];
      /**
       * @description Always `payment_method`.
       * @constant
       */
      object: 'payment_method';
      /**
       * @description The only kind there is.
       * @constant
       */
      type: 'card';
      card: components['schemas']['Card'];
    };
    PaymentMethodAttachment: {
      /**
       * @description The token of the processor for the card.
       * @example tok_visa
       */
      token: string;
    };
    PaymentMethodDetachment: {
      /**
       * @description The payment method to remove.
       * @example pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      payment_method: components['schemas']['PaymentMethodId'];
    };
    /**
     * @description The id of a payment method
     * @example pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    PaymentMethodId: string;
    /**
     * @description A one-off token of the processor (`tok_…`), or a payment method of the customer (`pm_…`)
     * @example tok_visa
     */
    PaymentSource: string;
    /** @description A problem document (RFC 9457). */
    Problem: {
      /**
       * Format: uri
       * @description Where the code is explained.
       */
      type: string;
      code: components['schemas']['ProblemCode'];
      /** @description The same for every occurrence of the code. */
      title: string;
      /**
       * Format: int32
       * @description The status of the answer.
       */
      status: number;
      /** @description What went wrong this time, and what to do. */
      detail: string;
      /** @description The path that was asked for. */
      instance: string;
      trace_id: components['schemas']['TraceId'];
      /** @description With `validation_failed` and `card_number_refused`: each fault of the body. */
      errors?: components['schemas']['ValidationFault'][];
      /** @description With a decline: why the card was refused. */
      decline_code?: components['schemas']['DeclineCode'];
      /** @description The charge that was declined, refused, voided, never sent or cancelled, which stays readable. In a line of a charge batch also the charge whose outcome is not known yet. */
      charge?: components['schemas']['ChargeId'];
      /** @description With `refund_failed`: the failed refund, which stays readable. */
      refund?: components['schemas']['RefundId'];
      /** @description With a charge batch that was cancelled or failed: the path of the result of what was done by then. Of one that failed it can be fetched within minutes. */
      result?: string;
    };
    /**
     * @description What a program branches on. Codes are never renamed; new ones may be added.
     * @enum {string}
     */
    ProblemCode:
      | 'malformed_request'
      | 'invalid_parameter'
      | 'invalid_cursor'
      | 'idempotency_key_required'
      | 'idempotency_key_invalid'
      | 'unknown_api_version'
      | 'invalid_token'
      | 'card_declined'
      | 'payment_not_sent'
      | 'payment_voided'
      | 'insufficient_scope'
      | 'account_disabled'
      | 'not_found'
      | 'method_not_allowed'
      | 'not_acceptable'
      | 'request_timeout'
      | 'idempotency_key_in_progress'
      | 'charge_cancelled'
      | 'charge_already_captured'
      | 'charge_not_capturable'
      | 'charge_already_refunded'
      | 'charge_not_refundable'
      | 'refund_not_reversible'
      | 'webhook_endpoint_disabled'
      | 'operation_cancelled'
      | 'operation_not_done'
      | 'link_expired'
      | 'result_expired'
      | 'customer_deleted'
      | 'webhook_endpoint_deleted'
      | 'precondition_failed'
      | 'payload_too_large'
      | 'range_not_satisfiable'
      | 'unsupported_media_type'
      | 'validation_failed'
      | 'card_number_refused'
      | 'processor_refused'
      | 'processor_not_available'
      | 'processor_cannot'
      | 'idempotency_key_reused'
      | 'capture_exceeds_authorized'
      | 'capture_declined'
      | 'refund_exceeds_captured'
      | 'refund_failed'
      | 'too_many_payment_methods'
      | 'too_many_clients'
      | 'too_many_members'
      | 'member_email_taken'
      | 'client_has_no_secret'
      | 'too_many_webhook_endpoints'
      | 'too_many_webhook_endpoints_of_url'
      | 'too_many_webhook_secrets'
      | 'https_required'
      | 'address_refused'
      | 'precondition_required'
      | 'rate_limited'
      | 'list_too_slow'
      | 'too_many_open_operations'
      | 'internal_error'
      | 'operation_failed'
      | 'operation_terminated'
      | 'processor_invalid_response'
      | 'operation_snapshot_lost'
      | 'snapshots_unavailable'
      | 'service_unavailable'
      | 'outcome_unknown'
      | 'processor_unavailable'
      | 'processor_timeout';
    /** @description Money that goes back from one charge */
    Refund: {
      id: components['schemas']['RefundId'];
      /**
       * @description Always `refund`.
       * @constant
       */
      object: 'refund';
      charge: components['schemas']['ChargeId'];
      /**
       * @description The money that goes back, in minor currency units.
       * @example 1999
       */
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      status: components['schemas']['RefundStatus'];
      /**
       * @description Why the money goes back, as given.
       * @example null
       */
      reason: components['schemas']['RefundReason'] | null;
      metadata: components['schemas']['Metadata'];
      /** @description Until when `:cancel` can reverse the refund. */
      reversible_until: components['schemas']['Time'] | null;
      /**
       * @description Why the refund failed; `null` if it did not.
       * @example null
       */
      failure: components['schemas']['RefundFailure'] | null;
      /**
       * @description When the refund was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
    };
    /** @description The resource after the change, in `api_version` */
    RefundEventData: {
      object: components['schemas']['Refund'];
    };
    RefundFailedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `refund.failed`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'refund.failed';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['RefundEventData'];
    };
    /** @description Why a refund failed */
    RefundFailure: {
      /**
       * @description As the processor names it; `refund_reversed`: it took the refund back; `returned`: the money came back after the refund was settled.
       * @example refund_failed
       */
      code: string;
      /** @description For people; do not branch on it. */
      message: string;
    };
    /** @description The rows of an export; all members must hold. */
    RefundFilter: {
      /** @description Only refunds of this charge. */
      charge?: components['schemas']['ChargeId'];
      /** @description Only refunds with this status when their line is written. */
      status?: components['schemas']['RefundStatus'];
      /** @description Only rows made in this time. */
      created?: components['schemas']['CreatedRange'];
    };
    /**
     * @description The id of a refund
     * @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G
     */
    RefundId: string;
    /** @description A page of a list */
    RefundList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Refund'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    RefundProcessedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `refund.processed`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'refund.processed';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['RefundEventData'];
    };
    /**
     * @description Why the money goes back, in your records.
     * @enum {string}
     */
    RefundReason: 'duplicate' | 'fraudulent' | 'requested_by_customer';
    RefundReversedEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `refund.reversed`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'refund.reversed';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['RefundEventData'];
    };
    RefundSettledEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `refund.settled`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'refund.settled';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['RefundEventData'];
    };
    /**
     * @description `pending`: the processor has not accepted it yet. `processed`: accepted, and reversible until `reversible_until`; it may still fail. `failed` and `reversed` are final, and so is `settled`, unless the money comes back: then the refund reads `failed`.
     * @example processed
     * @enum {string}
     */
    RefundStatus: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
    Request: {
      id: components['schemas']['RequestId'];
      /**
       * @description Always `request`.
       * @constant
       */
      object: 'request';
      trace_id: components['schemas']['TraceId'];
      /**
       * @description The method of the request.
       * @example POST
       */
      method: string;
      /**
       * @description The template of its path.
       * @example /v1/charges
       */
      route: string;
      /**
       * @description Its path without the query. A part that is no id of ours reads as in `route`.
       * @example /v1/charges
       */
      path: string;
      /**
       * @description The id of what it made, or of what its path names.
       * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      resource: string | null;
      /**
       * Format: int32
       * @description Of the answer. 499: the caller had gone.
       * @example 402
       */
      status: number;
      /**
       * @description The code of the problem; `null` without one.
       * @example card_declined
       */
      code: string | null;
      /** @description The members of its body that were wrong, at most 10. Never a value; a name that you made up reads as `*`. */
      errors: components['schemas']['RequestError'][];
      /**
       * @description The beginning of the key that it carried, and `…`; `null` without one.
       * @example order…
       */
      idempotency_key: string | null;
      /** @description Whether the answer was that of an earlier request with the key. */
      replayed: boolean;
      client: components['schemas']['ClientId'];
      /**
       * @description The id of the person who asked, through the console; `null` for a program.
       * @example null
       */
      member: components['schemas']['MemberId'] | null;
      /**
       * @description From its head to its answer.
       * @example 41.2
       */
      duration_ms: number;
      /**
       * Format: int64
       * @description How many requests it stands for: itself, and others within a minute that were refused alike.
       * @example 1
       */
      count: number;
      /**
       * @description When it was answered.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
    };
    /** @description A member of a body that was wrong */
    RequestError: {
      /**
       * @description RFC 6901, into the body.
       * @example /amount
       */
      pointer: string;
      /**
       * @description Says what is wrong with the member.
       * @example too_small
       */
      code: string;
    };
    /**
     * @description The id of a request
     * @example req_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    RequestId: string;
    /** @description A page of a list */
    RequestList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Request'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    RequestTrace: {
      /**
       * @description Always `request_trace`.
       * @constant
       */
      object: 'request_trace';
      trace_id: components['schemas']['TraceId'];
      /** @description Oldest first, at most 100. */
      requests: components['schemas']['Request'][];
    };
    RevocationRequest: {
      /**
       * @description An access token or a refresh token of this client.
       * @example eyJ…
       */
      token: string;
      /**
       * @description Accepted and ignored: the token itself shows its type.
       * @example access_token
       */
      token_type_hint?: string;
      client_id?: components['schemas']['ClientId'];
      /** @description The secret of the client, without HTTP Basic. */
      client_secret?: string;
      /**
       * @description Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
       * @constant
       */
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      /** @description A JWT that the client signed (RFC 7523). */
      client_assertion?: string;
    };
    /**
     * @description What a member may do; `operator`: of those who run the service.
     * @enum {string}
     */
    Role: 'viewer' | 'support' | 'developer' | 'operator';
    /**
     * @description What a token allows; see the guide to authentication.
     * @example charges:read
     * @enum {string}
     */
    Scope:
      | 'charges:read'
      | 'charges:write'
      | 'refunds:read'
      | 'refunds:write'
      | 'customers:read'
      | 'customers:write'
      | 'exports:read'
      | 'exports:write'
      | 'charge-batches:read'
      | 'charge-batches:write'
      | 'operations:read'
      | 'operations:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'events:read'
      | 'events:write'
      | 'access:read'
      | 'access:write'
      | 'requests:read'
      | 'charges:update'
      | 'webhooks:replay';
    /**
     * @example {
     *       "overlap_seconds": 86400
     *     }
     */
    SecretRotation: {
      /**
       * Format: int32
       * @description How long the current secret signs beside the new one, in seconds.
       * @default 86400
       */
      overlap_seconds?: number;
    };
    /** @description A session of a member in the console */
    Session: {
      id: components['schemas']['SessionId'];
      /**
       * @description Always `session`.
       * @constant
       */
      object: 'session';
      status: components['schemas']['SessionStatus'];
      member: components['schemas']['SessionMember'];
      /**
       * @description When the member signed in.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it ends, however often it is used.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    /**
     * @description The id of a session of the console
     * @example ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    SessionId: string;
    /** @description A page of a list */
    SessionList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['Session'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /** @description Who signed in */
    SessionMember: {
      id: components['schemas']['MemberId'];
      /**
       * @description The name of the member.
       * @example Ana
       */
      name: string;
      role: components['schemas']['Role'];
    };
    /**
     * @description Whether it lasts.
     * @enum {string}
     */
    SessionStatus: 'active' | 'ended';
    /** @description Who signed in to the console. */
    SignedInMember: {
      id: components['schemas']['MemberId'];
      /** @description The name of the member. */
      name: string;
      role: components['schemas']['Role'];
    };
    /** @description A public key (RFC 7517) */
    SigningKey: {
      /** @description The kind of the key. */
      kty: string;
      /** @description Which key it is: `kid` in the head of a token. */
      kid: string;
    } & {
      [key: string]: unknown;
    };
    /**
     * @example {
     *       "keys": [
     *         {
     *           "kty": "EC",
     *           "crv": "P-256",
     *           "kid": "key-1",
     *           "alg": "ES256",
     *           "use": "sig"
     *         }
     *       ]
     *     }
     */
    SigningKeys: {
      /** @description The keys that verify tokens. */
      keys: components['schemas']['SigningKey'][];
    };
    /** @description Charges that succeeded, and what was captured */
    SucceededCharges: {
      /**
       * Format: int64
       * @description How many charges.
       * @example 12
       */
      count: number;
      /**
       * Format: int64
       * @description The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
       * @example 23988
       */
      amount: number;
    };
    /**
     * Format: date-time
     * @description RFC 3339 in UTC, with milliseconds
     * @example 2026-11-01T12:00:00.000Z
     */
    Time: string;
    TimelineEntry: {
      /**
       * @description Always `timeline_entry`.
       * @constant
       */
      object: 'timeline_entry';
      /**
       * @description When the step ended.
       * @example 2026-11-01T12:00:00.000Z
       */
      at: components['schemas']['Time'];
      /**
       * @description What happened. New types may be added.
       * @example processor_answered
       */
      type: string;
      /**
       * @description The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` is in minor units, with its `currency`.
       * @example {
       *       "call": "charge",
       *       "outcome": "captured",
       *       "amount": 1999,
       *       "currency": "EUR"
       *     }
       */
      detail: {
        [key: string]: string | number;
      };
    };
    /** @description A page of a list */
    TimelineEntryList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['TimelineEntry'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    Token: {
      /**
       * @description Send it as `Authorization: Bearer …`. Do not read it: its form may change.
       * @example eyJ…
       */
      access_token: string;
      /**
       * @description Always `Bearer`.
       * @constant
       */
      token_type: 'Bearer';
      /** @description The kind of an exchanged token (RFC 8693). */
      issued_token_type?: string;
      /**
       * Format: int64
       * @description How long the token is valid, in seconds.
       * @example 600
       */
      expires_in: number;
      /**
       * @description The scopes that were granted, separated by spaces.
       * @example charges:read charges:write
       */
      scope: string;
      /** @description Only for clients that are registered for it. Valid once. */
      refresh_token?: string;
      /**
       * Format: int64
       * @description When a session of the console ends, in seconds.
       */
      refresh_expires_in?: number;
      session?: components['schemas']['SessionId'];
      member?: components['schemas']['SignedInMember'];
      /** @description The account of the member, or the one that an operator reads; `null` for an operator who reads none. */
      account?: components['schemas']['MemberAccount'] | null;
    };
    TokenIntrospection: {
      /** @description Whether the token is valid, and of this client. If not, nothing else is told. */
      active: boolean;
      /**
       * @description Always `Bearer`.
       * @constant
       */
      token_type?: 'Bearer';
      /** @description Its scopes, separated by spaces. */
      scope?: string;
      client_id?: components['schemas']['ClientId'];
      account_id?: components['schemas']['AccountId'];
      /** @description The client again, or the member who is signed in. */
      sub?: string;
      /**
       * Format: uri
       * @description The issuer.
       */
      iss?: string;
      /** @description The service that the token is for. */
      aud?: string;
      /** @description The id of the token. */
      jti?: string;
      /**
       * Format: int64
       * @description When it was issued, in Unix seconds.
       */
      iat?: number;
      /**
       * Format: int64
       * @description From when it is valid, in Unix seconds.
       */
      nbf?: number;
      /**
       * Format: int64
       * @description Until when it is valid, in Unix seconds.
       */
      exp?: number;
    };
    TokenRequest: {
      grant_type: components['schemas']['GrantType'];
      /**
       * @description Some scopes of the client, separated by spaces. (Default: all of them)
       * @example charges:read charges:write
       */
      scope?: string;
      /** @description The refresh token, which is valid once; with `grant_type=refresh_token`. */
      refresh_token?: string;
      /** @description The code of a sign-in link, which is valid once; of the console alone. */
      code?: string;
      /** @description The token that the console exchanges (RFC 8693). */
      subject_token?: string;
      /** @description Whether that is an access token or an ID token. */
      subject_token_type?: string;
      /**
       * @description The IP address of the person behind the request, for the audit and for limits; of the console alone.
       * @example 203.0.113.7
       */
      person_address?: string;
      /**
       * @description The session of the person behind the request, for limits; of the console alone.
       * @example ses_0190f1d2a5b07c3e8f1a2b3c4d5e6f70
       */
      person_session?: string;
      /** @description The account that an operator reads. */
      audience?: string;
      /**
       * @description Which membership a person with an ID token signs in as; of the console alone.
       * @example mem_0190f1d2a5b07c3e8f1a2b3c4d5e6f70
       */
      member?: string;
      client_id?: components['schemas']['ClientId'];
      /** @description The secret of the client, without HTTP Basic. */
      client_secret?: string;
      /**
       * @description Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
       * @constant
       */
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      /** @description A JWT that the client signed (RFC 7523). */
      client_assertion?: string;
    };
    /**
     * @description Names one request in the logs of the service.
     * @example 4bf92f3577b34da6a3ce929d0e0e4736
     */
    TraceId: string;
    ValidationFault: {
      /**
       * @description RFC 6901, into the body.
       * @example /amount
       */
      pointer: string;
      /**
       * @description What is wrong; new codes may be added.
       * @example too_small
       */
      code: string;
      /**
       * @description What to send instead.
       * @example must be at least 1
       */
      detail: string;
    };
    WebhookAttempt: {
      /**
       * Format: int64
       * @description Counts from 1.
       * @example 1
       */
      number: number;
      /**
       * @description When it began.
       * @example 2026-11-01T12:00:00.000Z
       */
      at: components['schemas']['Time'];
      /**
       * @description The status of the answer; `null` if there was none.
       * @example 200
       */
      status_code: number | null;
      /**
       * Format: int64
       * @description How long it took, in milliseconds.
       * @example 41
       */
      latency_ms: number;
      /**
       * @description Why the attempt failed; `null` if it delivered.
       * @example null
       */
      error: string | null;
      /**
       * @description The first 1 KiB of the answer.
       * @example ok
       */
      response_body: string | null;
    };
    /** @description One event for one endpoint */
    WebhookDelivery: {
      id: components['schemas']['WebhookDeliveryId'];
      /**
       * @description Always `webhook_delivery`.
       * @constant
       */
      object: 'webhook_delivery';
      endpoint: components['schemas']['WebhookEndpointId'];
      event: components['schemas']['EventId'];
      type: components['schemas']['EventType'];
      status: components['schemas']['WebhookDeliveryStatus'];
      /**
       * Format: int64
       * @description The attempts so far.
       * @example 1
       */
      attempt_count: number;
      /**
       * @description When the next attempt is due; `null` if none follows.
       * @example null
       */
      next_attempt_at: components['schemas']['Time'] | null;
      /** @description Whether a caller requested the delivery; an event makes the others. */
      replay: boolean;
      /**
       * @description The delivery that this one repeats, if it repeats one.
       * @example null
       */
      replay_of: components['schemas']['WebhookDeliveryId'] | null;
      /**
       * @description When the delivery was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
    };
    WebhookDeliveryDetail: {
      id: components['schemas']['WebhookDeliveryId'];
      /**
       * @description Always `webhook_delivery`.
       * @constant
       */
      object: 'webhook_delivery';
      endpoint: components['schemas']['WebhookEndpointId'];
      event: components['schemas']['EventId'];
      type: components['schemas']['EventType'];
      status: components['schemas']['WebhookDeliveryStatus'];
      /**
       * Format: int64
       * @description The attempts so far.
       * @example 1
       */
      attempt_count: number;
      /**
       * @description When the next attempt is due; `null` if none follows.
       * @example null
       */
      next_attempt_at: components['schemas']['Time'] | null;
      /** @description Whether a caller requested the delivery; an event makes the others. */
      replay: boolean;
      /**
       * @description The delivery that this one repeats, if it repeats one.
       * @example null
       */
      replay_of: components['schemas']['WebhookDeliveryId'] | null;
      /**
       * @description When the delivery was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /** @description Every attempt, oldest first. */
      attempts: components['schemas']['WebhookAttempt'][];
    };
    /**
     * @description A status, or several: `open` is `pending` and `retrying`; `undelivered` is those and `dead_letter`.
     * @example undelivered
     * @enum {string}
     */
    WebhookDeliveryFilter:
      'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled' | 'open' | 'undelivered';
    /**
     * @description The id of a webhook delivery
     * @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    WebhookDeliveryId: string;
    /** @description A page of a list */
    WebhookDeliveryList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['WebhookDelivery'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @description `pending`: not tried yet. `retrying`: an attempt failed, and another one is due. `delivered`: the endpoint answered 2xx. `dead_letter`: the last attempt failed. `cancelled`: the endpoint was disabled or deleted.
     * @example delivered
     * @enum {string}
     */
    WebhookDeliveryStatus: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
    /**
     * @description `requested`: you did. `failing`: it failed for too long. `gone`: it answered 410.
     * @enum {string}
     */
    WebhookDisabledReason: 'requested' | 'failing' | 'gone';
    /** @description A URL that receives events */
    WebhookEndpoint: {
      id: components['schemas']['WebhookEndpointId'];
      /**
       * @description Always `webhook_endpoint`.
       * @constant
       */
      object: 'webhook_endpoint';
      /**
       * @description Where events are sent.
       * @example https://shop.example/webhooks
       */
      url: string;
      /**
       * @description What the endpoint receives.
       * @example [
       *       "charge.*",
       *       "refund.processed"
       *     ]
       */
      events: components['schemas']['EventPattern'][];
      status: components['schemas']['WebhookEndpointStatus'];
      /**
       * @description Why the endpoint is disabled; `null` if it is not.
       * @example null
       */
      disabled_reason: components['schemas']['WebhookDisabledReason'] | null;
      /**
       * @description Your own words, 1 to 500 characters; `null` if there are none.
       * @example null
       */
      description: string | null;
      metadata: components['schemas']['Metadata'];
      api_version: components['schemas']['ApiVersion'];
      ordering: components['schemas']['WebhookOrdering'];
      /**
       * @description When the first failure in a row was; `null` while deliveries succeed.
       * @example null
       */
      failing_since: components['schemas']['Time'] | null;
      /**
       * @description The last attempt that failed.
       * @example null
       */
      last_failure: components['schemas']['WebhookFailure'] | null;
      /**
       * @description While it fails, when the next attempt is made at the earliest; `null` if it need not wait.
       * @example null
       */
      paused_until: components['schemas']['Time'] | null;
      /**
       * @description A failure from then on disables the endpoint; `null` while deliveries succeed.
       * @example null
       */
      disables_at: components['schemas']['Time'] | null;
      /** @description The secrets that sign, newest first. */
      secrets: components['schemas']['WebhookSecret'][];
      /**
       * @description When the endpoint was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
    };
    WebhookEndpointDisabledEvent: {
      /**
       * @description The same in every delivery of this event: a receiver skips an id that it has seen.
       * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
       */
      id: components['schemas']['EventId'];
      /**
       * @description Always `event`.
       * @constant
       */
      object: 'event';
      /**
       * @description Always `webhook_endpoint.disabled`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook_endpoint.disabled';
      /**
       * @description When it happened.
       * @example 2026-11-01T12:00:00.000Z
       */
      timestamp: components['schemas']['Time'];
      /**
       * Format: int64
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /**
       * @description The version of `data.object`.
       * @example 2026-11-01
       */
      api_version: components['schemas']['ApiVersion'];
      account: components['schemas']['AccountId'];
      data: components['schemas']['WebhookEndpointEventData'];
    };
    /** @description The resource after the change, in `api_version` */
    WebhookEndpointEventData: {
      object: components['schemas']['WebhookEndpoint'];
    };
    /**
     * @description The id of a webhook endpoint
     * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    WebhookEndpointId: string;
    /** @description A page of a list */
    WebhookEndpointList: {
      /** @description The items of this page, at most `limit`. */
      data: components['schemas']['WebhookEndpoint'][];
      /** @description Whether another page follows. */
      has_more: boolean;
      /** @description `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
      next_cursor: string | null;
    };
    /**
     * @example {
     *       "status": "disabled"
     *     }
     */
    WebhookEndpointPatch: {
      /**
       * @description HTTPS, with a host that has only public addresses, without credentials and fragment.
       * @example https://shop.example/webhooks
       */
      url?: string;
      /**
       * @description What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`).
       * @example [
       *       "charge.*",
       *       "refund.processed"
       *     ]
       */
      events?: components['schemas']['EventPattern'][];
      status?: components['schemas']['WebhookEndpointStatus'];
      /** @description Your own words, 1 to 500 characters; `null` if there are none. */
      description?: string | null;
      /** @description Names to set or to remove; `null` removes all. */
      metadata?: components['schemas']['MetadataPatch'] | null;
      /**
       * @description The API version of its payloads. (Default: that of the request)
       * @example 2026-11-01
       */
      api_version?: components['schemas']['ApiVersion'];
      /** @description `null` is the same as `none`. */
      ordering?: components['schemas']['WebhookOrdering'] | null;
    };
    /**
     * @description `disabled`: it receives nothing, and its open deliveries are cancelled.
     * @enum {string}
     */
    WebhookEndpointStatus: 'enabled' | 'disabled';
    WebhookEndpointWithSecret: {
      id: components['schemas']['WebhookEndpointId'];
      /**
       * @description Always `webhook_endpoint`.
       * @constant
       */
      object: 'webhook_endpoint';
      /**
       * @description Where events are sent.
       * @example https://shop.example/webhooks
       */
      url: string;
      /**
       * @description What the endpoint receives.
       * @example [
       *       "charge.*",
       *       "refund.processed"
       *     ]
       */
      events: components['schemas']['EventPattern'][];
      status: components['schemas']['WebhookEndpointStatus'];
      /**
       * @description Why the endpoint is disabled; `null` if it is not.
       * @example null
       */
      disabled_reason: components['schemas']['WebhookDisabledReason'] | null;
      /**
       * @description Your own words, 1 to 500 characters; `null` if there are none.
       * @example null
       */
      description: string | null;
      metadata: components['schemas']['Metadata'];
      api_version: components['schemas']['ApiVersion'];
      ordering: components['schemas']['WebhookOrdering'];
      /**
       * @description When the first failure in a row was; `null` while deliveries succeed.
       * @example null
       */
      failing_since: components['schemas']['Time'] | null;
      /**
       * @description The last attempt that failed.
       * @example null
       */
      last_failure: components['schemas']['WebhookFailure'] | null;
      /**
       * @description While it fails, when the next attempt is made at the earliest; `null` if it need not wait.
       * @example null
       */
      paused_until: components['schemas']['Time'] | null;
      /**
       * @description A failure from then on disables the endpoint; `null` while deliveries succeed.
       * @example null
       */
      disables_at: components['schemas']['Time'] | null;
      /** @description The secrets that sign, newest first. */
      secrets: components['schemas']['WebhookSecret'][];
      /**
       * @description When the endpoint was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /**
       * @description Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string;
    };
    WebhookFailure: {
      /**
       * @description When it failed.
       * @example 2026-11-01T12:00:00.000Z
       */
      at: components['schemas']['Time'];
      /** @description The status of the answer; `null` if there was none. */
      status_code: number | null;
      /** @description Why it failed, for people. */
      message: string;
    };
    /**
     * @description `none`: as fast as the endpoint takes them. `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
     * @enum {string}
     */
    WebhookOrdering: 'none' | 'fifo';
    WebhookReplayOperation: {
      /**
       * @description `operations/` and the id.
       * @example operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD
       */
      name: string;
      /**
       * @description Always `operation`.
       * @constant
       */
      object: 'operation';
      id: components['schemas']['OperationId'];
      /**
       * @description Always `webhook_replay`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook_replay';
      status: components['schemas']['OperationStatus'];
      /** @description If true, exactly one of `error` and `response` is present. */
      done: boolean;
      /**
       * @description `null` until the total is known. `completed` never decreases.
       * @example {
       *       "completed": 250,
       *       "total": 1000
       *     }
       */
      progress: components['schemas']['OperationProgress'] | null;
      /** @description Why the operation ended without completing. */
      error?: components['schemas']['Problem'];
      /** @description The file that the operation made. */
      response?: components['schemas']['WebhookReplayResult'];
      /**
       * @description When the operation was accepted.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /**
       * @description When it last changed.
       * @example 2026-11-01T12:00:00.000Z
       */
      updated: components['schemas']['Time'];
      /**
       * @description A finished operation can be read until then.
       * @example null
       */
      expires_at: components['schemas']['Time'] | null;
    };
    WebhookReplayResult: {
      /**
       * Format: uri
       * @description A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
       * @example https://payments.example/v1/exports/op_01JF3ZC5T7P3X9R2V8K4M6N1WD/result?expires=1793492400&signature=k3bP
       */
      href: string;
      /**
       * @description The media type of the file.
       * @enum {string}
       */
      content_type: 'application/json';
      /**
       * Format: int64
       * @description The size of the file, in bytes.
       */
      size: number;
      /**
       * @description The hash of the file, in hex.
       * @example 0000000000000000000000000000000000000000000000000000000000000000
       */
      sha256: string;
      /**
       * @description The result is kept until then.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    /** @description A secret that signs, without its value */
    WebhookSecret: {
      id: components['schemas']['WebhookSecretId'];
      /**
       * @description When the secret was made.
       * @example 2026-11-01T12:00:00.000Z
       */
      created: components['schemas']['Time'];
      /** @description Until when it signs; `null` for the current secret. */
      expires_at: components['schemas']['Time'] | null;
    };
    /**
     * @description The id of a webhook secret
     * @example whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    WebhookSecretId: string;
  };
  responses: never;
  parameters: {
    /**
     * @description The version of the answer, which this document describes. (Default: that of the account)
     * @example 2026-11-01
     */
    ApiVersionHeader: '2026-11-01';
    /**
     * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    TraceparentHeader: string;
    /**
     * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
     * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
     */
    IdempotencyKeyHeader: string;
    /**
     * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
     * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
     */
    OptionalIdempotencyKeyHeader: string;
    /**
     * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
     * @example respond-async
     */
    PreferHeader: string;
    /**
     * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
     * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
     */
    IfNoneMatchHeader: string;
    /**
     * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
     * @example Sun, 01 Nov 2026 12:00:00 GMT
     */
    IfModifiedSinceHeader: string;
    /**
     * @description One range of bytes, to continue an interrupted download (RFC 9110 §14.2).
     * @example bytes=1024-
     */
    RangeHeader: string;
    /**
     * @description The `ETag` of the first part. If the file is another one, the answer is the whole file.
     * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
     */
    IfRangeHeader: string;
    /**
     * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
     * @example Sun, 01 Nov 2026 12:00:00 GMT
     */
    IfUnmodifiedSinceHeader: string;
    /**
     * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
     * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
     */
    IfMatchHeader: string;
    /**
     * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
     * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
     */
    OptionalIfMatchHeader: string;
    /**
     * @description The id of the event, the same on every attempt and replay.
     * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
     */
    WebhookIdHeader: components['schemas']['EventId'];
    /**
     * @description When the attempt was signed, in Unix seconds.
     * @example 1793491200
     */
    WebhookTimestampHeader: number;
    /**
     * @description `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, for each secret that signs, separated by spaces.
     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
     */
    WebhookSignatureHeader: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listCharges: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.
         * @example {
         *       "order": "6735"
         *     }
         */
        metadata?: components['schemas']['MetadataFilter'];
        /**
         * @description Only charges of this customer.
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        customer?: components['schemas']['CustomerId'];
        /**
         * @description Only charges with this status.
         * @example succeeded
         */
        status?: components['schemas']['ChargeStatus'];
        /**
         * @description Only charges with exactly this reference.
         * @example 6735
         */
        reference?: string;
        /**
         * @description Only charges of this charge batch.
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        charge_batch?: components['schemas']['OperationId'];
        /**
         * @description Only charges of this amount, in minor currency units. It needs `created[gte]` or `created[gt]`, and a time of at most 31 days.
         * @example 1999
         */
        amount?: number;
        /**
         * @description Only charges in this currency. It needs a time, as `amount` does.
         * @example EUR
         */
        currency?: components['schemas']['Currency'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of charges */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "charge",
           *           "amount": 1999,
           *           "currency": "EUR",
           *           "status": "succeeded",
           *           "capture_method": "automatic",
           *           "amount_captured": 1999,
           *           "amount_refunded": 0,
           *           "amount_returned": 0,
           *           "refunded": false,
           *           "customer": null,
           *           "payment_method": "tok_visa",
           *           "reference": "6735",
           *           "description": null,
           *           "statement_descriptor": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "failure": null,
           *           "next_action": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "captured_at": "2026-11-01T12:00:00.000Z",
           *           "cancel_requested_at": null,
           *           "cancelled_at": null,
           *           "expires_at": null,
           *           "charge_batch": null,
           *           "charge_batch_row": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['ChargeList'];
        };
      };
    };
  };
  createCharge: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['PreferHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "amount": 1999,
         *       "currency": "EUR",
         *       "payment_method": "tok_visa"
         *     }
         */
        'application/json': components['schemas']['NewCharge'];
      };
    };
    responses: {
      /** @description The outcome is known: the charge is captured or authorized */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "succeeded",
           *       "capture_method": "automatic",
           *       "amount_captured": 1999,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": "2026-11-01T12:00:00.000Z",
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
      /** @description The outcome is not known yet, or the buyer must confirm the charge (`next_action`). Read the charge to learn it. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "pending",
           *       "capture_method": "automatic",
           *       "amount_captured": 0,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": null,
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
    };
  };
  getCharge: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The charge */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "succeeded",
           *       "capture_method": "automatic",
           *       "amount_captured": 1999,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": "2026-11-01T12:00:00.000Z",
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
    };
  };
  updateCharge: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match': components['parameters']['IfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "reference": "6735",
         *       "description": "Order 6735"
         *     }
         */
        'application/merge-patch+json': components['schemas']['ChargePatch'];
      };
    };
    responses: {
      /** @description The charge */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "succeeded",
           *       "capture_method": "automatic",
           *       "amount_captured": 1999,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": "2026-11-01T12:00:00.000Z",
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
    };
  };
  captureCharge: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 1999
         *     }
         */
        'application/json': components['schemas']['Capture'];
      };
    };
    responses: {
      /** @description The charge */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "succeeded",
           *       "capture_method": "automatic",
           *       "amount_captured": 1999,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": "2026-11-01T12:00:00.000Z",
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
    };
  };
  cancelCharge: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The charge */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "charge",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "succeeded",
           *       "capture_method": "automatic",
           *       "amount_captured": 1999,
           *       "amount_refunded": 0,
           *       "amount_returned": 0,
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
           *       "reference": "6735",
           *       "description": null,
           *       "statement_descriptor": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "failure": null,
           *       "next_action": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "captured_at": "2026-11-01T12:00:00.000Z",
           *       "cancel_requested_at": null,
           *       "cancelled_at": null,
           *       "expires_at": null,
           *       "charge_batch": null,
           *       "charge_batch_row": null
           *     }
           */
          'application/json': components['schemas']['Charge'];
        };
      };
    };
  };
  getChargeTimeline: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "object": "timeline_entry",
           *           "at": "2026-11-01T12:00:00.000Z",
           *           "type": "processor_answered",
           *           "detail": {
           *             "call": "charge",
           *             "outcome": "captured",
           *             "amount": 1999,
           *             "currency": "EUR"
           *           }
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['TimelineEntryList'];
        };
      };
    };
  };
  getChargeFigures: {
    parameters: {
      query?: {
        /** @description The beginning of the range. By default: an hour before `to` by minutes, a day by hours, 30 days by days. */
        from?: string;
        /** @description The end of the range. By default: now. */
        to?: string;
        /**
         * @description Minutes are kept for 48 hours, and a range has at most 24 hours of them; hours at most 31 days; days at most 366.
         * @example 1h
         */
        step?: components['schemas']['FigureStep'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The figures */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "charge_figures",
           *       "step": "1h",
           *       "from": "2026-11-01T12:00:00.000Z",
           *       "to": "2026-11-01T12:00:00.000Z",
           *       "up_to_sequence": 42,
           *       "data": [
           *         {
           *           "at": "2026-11-01T12:00:00.000Z",
           *           "currency": "EUR",
           *           "authorized": {
           *             "count": 12,
           *             "amount": 23988
           *           },
           *           "succeeded": {
           *             "count": 12,
           *             "amount": 23988
           *           },
           *           "failed": {
           *             "count": 12,
           *             "declined": 2,
           *             "by": {
           *               "insufficient_funds": 2
           *             }
           *           },
           *           "cancelled": {
           *             "count": 12,
           *             "amount": 23988
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ChargeFigures'];
        };
      };
    };
  };
  listRefunds: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.
         * @example {
         *       "order": "6735"
         *     }
         */
        metadata?: components['schemas']['MetadataFilter'];
        /**
         * @description Only refunds of this charge.
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        charge?: components['schemas']['ChargeId'];
        /**
         * @description Only refunds with this status.
         * @example processed
         */
        status?: components['schemas']['RefundStatus'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of refunds */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *           "object": "refund",
           *           "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "amount": 1999,
           *           "currency": "EUR",
           *           "status": "processed",
           *           "reason": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "reversible_until": null,
           *           "failure": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['RefundList'];
        };
      };
    };
  };
  createRefund: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['PreferHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
         *       "amount": 500,
         *       "reason": "requested_by_customer"
         *     }
         */
        'application/json': components['schemas']['NewRefund'];
      };
    };
    responses: {
      /** @description The processor accepted the refund */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The outcome is not known yet. Read the refund to learn it. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
    };
  };
  createChargeRefund: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['PreferHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a charge
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 500,
         *       "reason": "requested_by_customer"
         *     }
         */
        'application/json': components['schemas']['NewChargeRefund'];
      };
    };
    responses: {
      /** @description The processor accepted the refund */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The outcome is not known yet. Read the refund to learn it. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
    };
  };
  getRefund: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a refund
         * @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G
         */
        id: components['schemas']['RefundId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The refund */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
    };
  };
  cancelRefund: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a refund
         * @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G
         */
        id: components['schemas']['RefundId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The refund */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *       "object": "refund",
           *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "amount": 1999,
           *       "currency": "EUR",
           *       "status": "processed",
           *       "reason": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "reversible_until": null,
           *       "failure": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
    };
  };
  listCustomers: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.
         * @example {
         *       "order": "6735"
         *     }
         */
        metadata?: components['schemas']['MetadataFilter'];
        /**
         * @description Only customers with exactly this email address.
         * @example ada@example.com
         */
        email?: components['schemas']['Email'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of customers */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "customer",
           *           "name": null,
           *           "email": null,
           *           "description": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "default_payment_method": null,
           *           "payment_methods": [
           *             {
           *               "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *               "object": "payment_method",
           *               "type": "card",
           *               "card": {
           *                 "brand": "visa",
           *                 "last4": "4242",
           *                 "exp_month": 12,
           *                 "exp_year": 2030
           *               }
           *             }
           *           ],
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['CustomerList'];
        };
      };
    };
  };
  createCustomer: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com"
         *     }
         */
        'application/json': components['schemas']['NewCustomer'];
      };
    };
    responses: {
      /** @description The customer */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  getCustomer: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The customer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  replaceCustomer: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match': components['parameters']['IfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com"
         *     }
         */
        'application/json': components['schemas']['CustomerReplacement'];
      };
    };
    responses: {
      /** @description The customer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  deleteCustomer: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  updateCustomer: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match': components['parameters']['IfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        'application/merge-patch+json': components['schemas']['CustomerPatch'];
      };
    };
    responses: {
      /** @description The customer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  attachPaymentMethod: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "tok_visa"
         *     }
         */
        'application/json': components['schemas']['PaymentMethodAttachment'];
      };
    };
    responses: {
      /** @description The customer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  detachPaymentMethod: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a customer
         * @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
         *     }
         */
        'application/json': components['schemas']['PaymentMethodDetachment'];
      };
    };
    responses: {
      /** @description The customer */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "customer",
           *       "name": null,
           *       "email": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": null,
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "payment_method",
           *           "type": "card",
           *           "card": {
           *             "brand": "visa",
           *             "last4": "4242",
           *             "exp_month": 12,
           *             "exp_year": 2030
           *           }
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Customer'];
        };
      };
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of webhook endpoints */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "webhook_endpoint",
           *           "url": "https://shop.example/webhooks",
           *           "events": [
           *             "charge.*",
           *             "refund.processed"
           *           ],
           *           "status": "enabled",
           *           "disabled_reason": null,
           *           "description": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "api_version": "2026-11-01",
           *           "ordering": "none",
           *           "failing_since": null,
           *           "last_failure": null,
           *           "paused_until": null,
           *           "disables_at": null,
           *           "secrets": [
           *             {
           *               "id": "whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *               "created": "2026-11-01T12:00:00.000Z",
           *               "expires_at": null
           *             }
           *           ],
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointList'];
        };
      };
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://shop.example/webhooks",
         *       "events": [
         *         "charge.*"
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewWebhookEndpoint'];
      };
    };
    responses: {
      /** @description The webhook endpoint, with its secret */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_endpoint",
           *       "url": "https://shop.example/webhooks",
           *       "events": [
           *         "charge.*",
           *         "refund.processed"
           *       ],
           *       "status": "enabled",
           *       "disabled_reason": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "api_version": "2026-11-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
           *       "paused_until": null,
           *       "disables_at": null,
           *       "secrets": [
           *         {
           *           "id": "whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointWithSecret'];
        };
      };
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook endpoint */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_endpoint",
           *       "url": "https://shop.example/webhooks",
           *       "events": [
           *         "charge.*",
           *         "refund.processed"
           *       ],
           *       "status": "enabled",
           *       "disabled_reason": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "api_version": "2026-11-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
           *       "paused_until": null,
           *       "disables_at": null,
           *       "secrets": [
           *         {
           *           "id": "whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  updateWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match': components['parameters']['IfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "status": "disabled"
         *     }
         */
        'application/merge-patch+json': components['schemas']['WebhookEndpointPatch'];
      };
    };
    responses: {
      /** @description The webhook endpoint */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_endpoint",
           *       "url": "https://shop.example/webhooks",
           *       "events": [
           *         "charge.*",
           *         "refund.processed"
           *       ],
           *       "status": "enabled",
           *       "disabled_reason": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "api_version": "2026-11-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
           *       "paused_until": null,
           *       "disables_at": null,
           *       "secrets": [
           *         {
           *           "id": "whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
    };
  };
  rotateWebhookEndpointSecret: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlap_seconds": 86400
         *     }
         */
        'application/json': components['schemas']['SecretRotation'];
      };
    };
    responses: {
      /** @description The webhook endpoint, with its new secret */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_endpoint",
           *       "url": "https://shop.example/webhooks",
           *       "events": [
           *         "charge.*",
           *         "refund.processed"
           *       ],
           *       "status": "enabled",
           *       "disabled_reason": null,
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "api_version": "2026-11-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
           *       "paused_until": null,
           *       "disables_at": null,
           *       "secrets": [
           *         {
           *           "id": "whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointWithSecret'];
        };
      };
    };
  };
  replayWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "since": "2026-11-01T12:00:00Z",
         *       "types": [
         *         "charge.*"
         *       ],
         *       "status": "dead_letter",
         *       "dry_run": true
         *     }
         */
        'application/json': components['schemas']['NewWebhookReplay'];
      };
    };
    responses: {
      /** @description The replay is accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "webhook_replay",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['WebhookReplayOperation'];
        };
      };
    };
  };
  getOperationResult: {
    parameters: {
      query?: {
        /** @description From the link. */
        expires?: string;
        /** @description From the link. */
        signature?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description One range of bytes, to continue an interrupted download (RFC 9110 §14.2).
         * @example bytes=1024-
         */
        Range?: components['parameters']['RangeHeader'];
        /**
         * @description The `ETag` of the first part. If the file is another one, the answer is the whole file.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        'If-Range'?: components['parameters']['IfRangeHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
          'application/x-ndjson': string;
          'application/json': Record<string, never>;
        };
      };
      /** @description The requested range of the file */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
          'application/x-ndjson': string;
          'application/json': Record<string, never>;
        };
      };
    };
  };
  listWebhookEndpointDeliveries: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /**
         * @description Only deliveries with this status.
         * @example delivered
         */
        status?: components['schemas']['WebhookDeliveryStatus'];
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of deliveries */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "webhook_delivery",
           *           "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "event": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "type": "charge.succeeded",
           *           "status": "delivered",
           *           "attempt_count": 1,
           *           "next_attempt_at": null,
           *           "replay": false,
           *           "replay_of": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookDeliveryList'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /**
         * @description A status, or several: `open` is `pending` and `retrying`; `undelivered` is those and `dead_letter`.
         * @example undelivered
         */
        status?: components['schemas']['WebhookDeliveryFilter'];
        /**
         * @description Only deliveries to this endpoint.
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        endpoint?: components['schemas']['WebhookEndpointId'];
        /**
         * @description Only the deliveries that this event made, without its replays.
         * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        event?: components['schemas']['EventId'];
        /**
         * @description Only deliveries of events of this type. Repeat it for several types, as in `type=charge.failed&type=refund.failed`.
         * @example [
         *       "charge.succeeded"
         *     ]
         */
        type?: components['schemas']['EventType'][];
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of deliveries */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "webhook_delivery",
           *           "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "event": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "type": "charge.succeeded",
           *           "status": "delivered",
           *           "attempt_count": 1,
           *           "next_attempt_at": null,
           *           "replay": false,
           *           "replay_of": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookDeliveryList'];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook delivery
         * @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookDeliveryId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_delivery",
           *       "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "event": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "type": "charge.succeeded",
           *       "status": "delivered",
           *       "attempt_count": 1,
           *       "next_attempt_at": null,
           *       "replay": false,
           *       "replay_of": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "attempts": [
           *         {
           *           "number": 1,
           *           "at": "2026-11-01T12:00:00.000Z",
           *           "status_code": 200,
           *           "latency_ms": 41,
           *           "error": null,
           *           "response_body": "ok"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WebhookDeliveryDetail'];
        };
      };
    };
  };
  replayWebhookDelivery: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook delivery
         * @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookDeliveryId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The new delivery. Read it to learn its outcome. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_delivery",
           *       "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "event": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "type": "charge.succeeded",
           *       "status": "pending",
           *       "attempt_count": 0,
           *       "next_attempt_at": null,
           *       "replay": false,
           *       "replay_of": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
    };
  };
  testWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a webhook endpoint
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The new delivery. Read it to learn its outcome. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "webhook_delivery",
           *       "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "event": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "type": "charge.succeeded",
           *       "status": "pending",
           *       "attempt_count": 0,
           *       "next_attempt_at": null,
           *       "replay": false,
           *       "replay_of": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
    };
  };
  getDeliveryFigures: {
    parameters: {
      query?: {
        /**
         * @description Only attempts at this endpoint.
         * @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        endpoint?: components['schemas']['WebhookEndpointId'];
        /** @description The beginning of the range. By default: an hour before `to` by minutes, a day by hours, 30 days by days. */
        from?: string;
        /** @description The end of the range. By default: now. */
        to?: string;
        /**
         * @description Minutes are kept for 48 hours, and a range has at most 24 hours of them; hours at most 31 days; days at most 366.
         * @example 1h
         */
        step?: components['schemas']['FigureStep'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The figures */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "delivery_figures",
           *       "step": "1h",
           *       "from": "2026-11-01T12:00:00.000Z",
           *       "to": "2026-11-01T12:00:00.000Z",
           *       "data": [
           *         {
           *           "at": "2026-11-01T12:00:00.000Z",
           *           "endpoint": "we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "delivered": 118,
           *           "failed": {
           *             "count": 2,
           *             "by": {
           *               "500": 1,
           *               "timed_out": 1
           *             }
           *           },
           *           "latency_ms": {
           *             "p50": 45,
           *             "p95": 181
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DeliveryFigures'];
        };
      };
    };
  };
  getEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an event
         * @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['EventId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "event",
           *       "type": "charge.requires_action",
           *       "timestamp": "2026-11-01T12:00:00.000Z",
           *       "sequence": 42,
           *       "api_version": "2026-11-01",
           *       "account": "acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "data": {
           *         "object": {
           *           "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "charge",
           *           "amount": 1999,
           *           "currency": "EUR",
           *           "status": "succeeded",
           *           "capture_method": "automatic",
           *           "amount_captured": 1999,
           *           "amount_refunded": 0,
           *           "amount_returned": 0,
           *           "refunded": false,
           *           "customer": null,
           *           "payment_method": "tok_visa",
           *           "reference": "6735",
           *           "description": null,
           *           "statement_descriptor": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "failure": null,
           *           "next_action": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "captured_at": "2026-11-01T12:00:00.000Z",
           *           "cancel_requested_at": null,
           *           "cancelled_at": null,
           *           "expires_at": null,
           *           "charge_batch": null,
           *           "charge_batch_row": null
           *         }
           *       }
           *     }
           */
          'application/json': components['schemas']['Event'];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description By `sequence`: `desc`, the newest first, or `asc`, the oldest first. (Default: desc) */
        order?: components['schemas']['EventOrder'];
        /**
         * @description Only events with a higher `sequence`. It needs `order=asc`.
         * @example 42
         */
        after_sequence?: number;
        /**
         * @description Only events of this type. Repeat it for several types, as in `type=charge.failed&type=refund.failed`.
         * @example [
         *       "charge.succeeded"
         *     ]
         */
        type?: components['schemas']['EventType'][];
        /**
         * @description Only events about this charge, refund, customer, operation or webhook endpoint.
         * @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        resource?: components['schemas']['EventResourceId'];
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "event",
           *           "type": "charge.requires_action",
           *           "timestamp": "2026-11-01T12:00:00.000Z",
           *           "sequence": 42,
           *           "api_version": "2026-11-01",
           *           "account": "acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "data": {
           *             "object": {
           *               "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *               "object": "charge",
           *               "amount": 1999,
           *               "currency": "EUR",
           *               "status": "succeeded",
           *               "capture_method": "automatic",
           *               "amount_captured": 1999,
           *               "amount_refunded": 0,
           *               "amount_returned": 0,
           *               "refunded": false,
           *               "customer": null,
           *               "payment_method": "tok_visa",
           *               "reference": "6735",
           *               "description": null,
           *               "statement_descriptor": null,
           *               "metadata": {
           *                 "order": "6735"
           *               },
           *               "failure": null,
           *               "next_action": null,
           *               "created": "2026-11-01T12:00:00.000Z",
           *               "updated": "2026-11-01T12:00:00.000Z",
           *               "captured_at": "2026-11-01T12:00:00.000Z",
           *               "cancel_requested_at": null,
           *               "cancelled_at": null,
           *               "expires_at": null,
           *               "charge_batch": null,
           *               "charge_batch_row": null
           *             }
           *           }
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['EventList'];
        };
      };
    };
  };
  listExports: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only operations in this state.
         * @example running
         */
        status?: components['schemas']['OperationStatus'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of operations */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "object": "operation",
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "export",
           *           "status": "running",
           *           "done": false,
           *           "progress": {
           *             "completed": 250,
           *             "total": 1000
           *           },
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['ExportOperationList'];
        };
      };
    };
  };
  createExport: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "resource": "charges",
         *       "format": "csv"
         *     }
         */
        'application/json': components['schemas']['NewExport'];
      };
    };
    responses: {
      /** @description The export is accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ExportOperation'];
        };
      };
    };
  };
  getExport: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ExportOperation'];
        };
      };
    };
  };
  cancelExport: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ExportOperation'];
        };
      };
    };
  };
  getExportResult: {
    parameters: {
      query?: {
        /** @description From the link. */
        expires?: string;
        /** @description From the link. */
        signature?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description One range of bytes, to continue an interrupted download (RFC 9110 §14.2).
         * @example bytes=1024-
         */
        Range?: components['parameters']['RangeHeader'];
        /**
         * @description The `ETag` of the first part. If the file is another one, the answer is the whole file.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        'If-Range'?: components['parameters']['IfRangeHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
          'application/x-ndjson': string;
        };
      };
      /** @description The requested range of the file */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
          'application/x-ndjson': string;
        };
      };
    };
  };
  listChargeBatches: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only operations in this state.
         * @example running
         */
        status?: components['schemas']['OperationStatus'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of operations */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "object": "operation",
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "charge_batch",
           *           "status": "running",
           *           "done": false,
           *           "progress": {
           *             "completed": 250,
           *             "total": 1000
           *           },
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['ChargeBatchOperationList'];
        };
      };
    };
  };
  createChargeBatch: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "charges": [
         *         {
         *           "amount": 1999,
         *           "currency": "EUR",
         *           "payment_method": "tok_visa"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewChargeBatch'];
      };
    };
    responses: {
      /** @description The operation to poll */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "charge_batch",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ChargeBatchOperation'];
        };
      };
    };
  };
  getChargeBatch: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "charge_batch",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ChargeBatchOperation'];
        };
      };
    };
  };
  cancelChargeBatch: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "charge_batch",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['ChargeBatchOperation'];
        };
      };
    };
  };
  getChargeBatchResult: {
    parameters: {
      query?: {
        /** @description From the link. */
        expires?: string;
        /** @description From the link. */
        signature?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description One range of bytes, to continue an interrupted download (RFC 9110 §14.2).
         * @example bytes=1024-
         */
        Range?: components['parameters']['RangeHeader'];
        /**
         * @description The `ETag` of the first part. If the file is another one, the answer is the whole file.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        'If-Range'?: components['parameters']['IfRangeHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
      /** @description The requested range of the file */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
    };
  };
  listOperations: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only operations in this state.
         * @example running
         */
        status?: components['schemas']['OperationStatus'];
        /** @description Only operations of this type. */
        type?: components['schemas']['OperationType'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of operations */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "object": "operation",
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "export",
           *           "status": "running",
           *           "done": false,
           *           "progress": {
           *             "completed": 250,
           *             "total": 1000
           *           },
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['OperationList'];
        };
      };
    };
  };
  getOperation: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['Operation'];
        };
      };
    };
  };
  deleteOperation: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['Operation'];
        };
      };
    };
  };
  cancelOperation: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an operation
         * @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD
         */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The operation */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "object": "operation",
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": {
           *         "completed": 250,
           *         "total": 1000
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "updated": "2026-11-01T12:00:00.000Z",
           *       "expires_at": null
           *     }
           */
          'application/json': components['schemas']['Operation'];
        };
      };
    };
  };
  getIdempotencyKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /** @description As in the header, percent-encoded. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Its uses */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "idempotency_key",
           *       "key": "5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77",
           *       "uses": [
           *         {
           *           "endpoint": "POST /v1/charges",
           *           "status": "in_progress",
           *           "since": "2026-11-01T12:00:00.000Z",
           *           "until": "2026-11-01T12:00:00.000Z",
           *           "resource": "/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['IdempotencyKey'];
        };
      };
    };
  };
  listRequests: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only requests with this Idempotency-Key: the whole key, without quotes.
         * @example order-6735
         */
        idempotency_key?: string;
        /**
         * @description Only requests that were refused with this code.
         * @example card_declined
         */
        code?: components['schemas']['ProblemCode'];
        /**
         * @description Only requests with this status.
         * @example 402
         */
        status?: number;
        /**
         * @description Only requests to this route: the template of its path.
         * @example /v1/charges
         */
        route?: string;
        /**
         * @description Only requests of this client.
         * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        client?: components['schemas']['ClientId'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of requests */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "req_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "request",
           *           "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
           *           "method": "POST",
           *           "route": "/v1/charges",
           *           "path": "/v1/charges",
           *           "resource": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "status": 402,
           *           "code": "card_declined",
           *           "errors": [
           *             {
           *               "pointer": "/amount",
           *               "code": "too_small"
           *             }
           *           ],
           *           "idempotency_key": "order…",
           *           "replayed": false,
           *           "client": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "member": null,
           *           "duration_ms": 41.2,
           *           "count": 1,
           *           "created": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['RequestList'];
        };
      };
    };
  };
  getRequest: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description Names one request in the logs of the service.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        trace_id: components['schemas']['TraceId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The requests of the trace */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "request_trace",
           *       "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "requests": [
           *         {
           *           "id": "req_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "request",
           *           "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
           *           "method": "POST",
           *           "route": "/v1/charges",
           *           "path": "/v1/charges",
           *           "resource": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "status": 402,
           *           "code": "card_declined",
           *           "errors": [
           *             {
           *               "pointer": "/amount",
           *               "code": "too_small"
           *             }
           *           ],
           *           "idempotency_key": "order…",
           *           "replayed": false,
           *           "client": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "member": null,
           *           "duration_ms": 41.2,
           *           "count": 1,
           *           "created": "2026-11-01T12:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RequestTrace'];
        };
      };
    };
  };
  listClients: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of clients */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "client",
           *           "name": "Checkout",
           *           "status": "active",
           *           "scopes": [
           *             "charges:read"
           *           ],
           *           "authentication": "secret",
           *           "previous_secret_expires_at": null,
           *           "created": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['OAuthClientList'];
        };
      };
    };
  };
  createClient: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Checkout",
         *       "scopes": [
         *         "charges:write",
         *         "charges:read"
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewOAuthClient'];
      };
    };
    responses: {
      /** @description The client, with its secret */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "client",
           *       "name": "Checkout",
           *       "status": "active",
           *       "scopes": [
           *         "charges:read"
           *       ],
           *       "authentication": "secret",
           *       "previous_secret_expires_at": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "secret": "Zq3m…"
           *     }
           */
          'application/json': components['schemas']['OAuthClientWithSecret'];
        };
      };
    };
  };
  getClient: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an OAuth client
         * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ClientId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The client */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "client",
           *       "name": "Checkout",
           *       "status": "active",
           *       "scopes": [
           *         "charges:read"
           *       ],
           *       "authentication": "secret",
           *       "previous_secret_expires_at": null,
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['OAuthClient'];
        };
      };
    };
  };
  rotateClientSecret: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an OAuth client
         * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ClientId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlap_seconds": 86400
         *     }
         */
        'application/json': components['schemas']['OAuthClientSecretRotation'];
      };
    };
    responses: {
      /** @description The client, with its secret */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "client",
           *       "name": "Checkout",
           *       "status": "active",
           *       "scopes": [
           *         "charges:read"
           *       ],
           *       "authentication": "secret",
           *       "previous_secret_expires_at": null,
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "secret": "Zq3m…"
           *     }
           */
          'application/json': components['schemas']['OAuthClientWithSecret'];
        };
      };
    };
  };
  disableClient: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an OAuth client
         * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ClientId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The client */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "client",
           *       "name": "Checkout",
           *       "status": "active",
           *       "scopes": [
           *         "charges:read"
           *       ],
           *       "authentication": "secret",
           *       "previous_secret_expires_at": null,
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['OAuthClient'];
        };
      };
    };
  };
  enableClient: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of an OAuth client
         * @example cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['ClientId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The client */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cl_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "client",
           *       "name": "Checkout",
           *       "status": "active",
           *       "scopes": [
           *         "charges:read"
           *       ],
           *       "authentication": "secret",
           *       "previous_secret_expires_at": null,
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['OAuthClient'];
        };
      };
    };
  };
  listMembers: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of members */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "member",
           *           "name": "Ana",
           *           "email": "ana@shop.example",
           *           "role": "viewer",
           *           "status": "active",
           *           "created": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['MemberList'];
        };
      };
    };
  };
  createMember: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['IdempotencyKeyHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Ana",
         *       "role": "support",
         *       "email": "ana@shop.example"
         *     }
         */
        'application/json': components['schemas']['NewMember'];
      };
    };
    responses: {
      /** @description The member */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "member",
           *       "name": "Ana",
           *       "email": "ana@shop.example",
           *       "role": "viewer",
           *       "status": "active",
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  getMember: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a member of the console
         * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['MemberId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The member */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "member",
           *       "name": "Ana",
           *       "email": "ana@shop.example",
           *       "role": "viewer",
           *       "status": "active",
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  updateMember: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match': components['parameters']['IfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a member of the console
         * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['MemberId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "role": "support"
         *     }
         */
        'application/merge-patch+json': components['schemas']['MemberPatch'];
      };
    };
    responses: {
      /** @description The member */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "member",
           *       "name": "Ana",
           *       "email": "ana@shop.example",
           *       "role": "viewer",
           *       "status": "active",
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  disableMember: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a member of the console
         * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['MemberId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The member */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "member",
           *       "name": "Ana",
           *       "email": "ana@shop.example",
           *       "role": "viewer",
           *       "status": "active",
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  enableMember: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a member of the console
         * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['MemberId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The member */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "member",
           *       "name": "Ana",
           *       "email": "ana@shop.example",
           *       "role": "viewer",
           *       "status": "active",
           *       "created": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sessions */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "session",
           *           "status": "active",
           *           "member": {
           *             "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *             "name": "Ana",
           *             "role": "viewer"
           *           },
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "expires_at": "2026-11-01T12:00:00.000Z"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['SessionList'];
        };
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a session of the console
         * @example ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['SessionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "session",
           *       "status": "active",
           *       "member": {
           *         "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *         "name": "Ana",
           *         "role": "viewer"
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "expires_at": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['OptionalIdempotencyKeyHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path: {
        /**
         * @description The id of a session of the console
         * @example ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        id: components['schemas']['SessionId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The session */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "ses_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "object": "session",
           *       "status": "active",
           *       "member": {
           *         "id": "mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *         "name": "Ana",
           *         "role": "viewer"
           *       },
           *       "created": "2026-11-01T12:00:00.000Z",
           *       "expires_at": "2026-11-01T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        starting_after?: string;
        /** @description Only items created after this time. */
        'created[gt]'?: string;
        /** @description Only items created at this time or after. */
        'created[gte]'?: string;
        /** @description Only items created before this time. */
        'created[lt]'?: string;
        /** @description Only items created at this time or before. */
        'created[lte]'?: string;
        /**
         * @description Only of this member, operator or client.
         * @example mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        actor?: components['schemas']['ActorId'];
        /**
         * @description Only this action, such as `refunds.create`.
         * @example refunds.create
         */
        action?: string;
        /**
         * @description Only what acted on this resource. Repeat it for several ones, as in `resource=re_…&resource=re_…`.
         * @example [
         *       "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G"
         *     ]
         */
        resource?: string[];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['IfModifiedSinceHeader'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['OptionalIfMatchHeader'];
        /**
         * @description A `Last-Modified` that was read before. If the resource has changed since, the answer is a 412.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Unmodified-Since'?: components['parameters']['IfUnmodifiedSinceHeader'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['ApiVersionHeader'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['TraceparentHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "aud_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "audit_entry",
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "actor": null,
           *           "action": "refunds.create",
           *           "resource": "re_01JF3Z9B6W8X1M4H7S2Q5D0E9G",
           *           "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
           *           "status": 201,
           *           "replayed": false,
           *           "reason": null,
           *           "address": "203.0.113.7"
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': components['schemas']['AuditEntryList'];
        };
      };
    };
  };
}
