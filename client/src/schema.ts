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
    /** List charges, newest first */
    get: operations['listCharges'];
    put?: never;
    /** Create a charge */
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
    /** Read a charge */
    get: operations['getCharge'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the description or the metadata of a charge (RFC 7386)
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
    /** Capture an authorized charge once, in full or in part */
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
    /** Cancel a charge: void its authorization, or request the cancel while the outcome is unknown */
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
    /** List the steps of a charge and its refunds, oldest first */
    get: operations['getChargeTimeline'];
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
    /** List refunds, newest first */
    get: operations['listRefunds'];
    put?: never;
    /** Refund a charge, in full or in part */
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
    /** Refund this charge, in full or in part */
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
    /** Read a refund */
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
    /** Reverse a processed refund, until its `reversible_until` */
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
    /** List customers, newest first */
    get: operations['listCustomers'];
    put?: never;
    /** Create a customer */
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
    /** Read a customer */
    get: operations['getCustomer'];
    /** Replace a customer; a member that is left out is reset */
    put: operations['replaceCustomer'];
    post?: never;
    /** Delete a customer with its payment methods; its charges stay */
    delete: operations['deleteCustomer'];
    options?: never;
    head?: never;
    /** Change a customer (RFC 7386); a member that is left out stays */
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
    /** Store the card of a token; it becomes the first payment method */
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
    /** Remove a payment method; charges made with it continue */
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
    /** List webhook endpoints, newest first */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /** Register a URL that receives events */
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
    /** Read a webhook endpoint and its state */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /** Delete a webhook endpoint and cancel its open deliveries; all stay readable */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /** Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries */
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
    /** Create a new secret; the current one signs beside it for a while */
    post: operations['rotateSecret'];
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
    /** List the deliveries of a webhook endpoint, newest first */
    get: operations['listWebhookEndpointDeliveries'];
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
    /** Read a delivery with every attempt */
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
    /** Send the event of a delivery to its endpoint again, whatever its outcome */
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
    /** Send an event `endpoint.test` to this endpoint only */
    post: operations['testWebhookEndpoint'];
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
    /** Read an event of the last 30 days */
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
     *     other filters is not N + 1, the events between are older than 30 days.
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
    /** List exports, newest first */
    get: operations['listExports'];
    put?: never;
    /**
     * Export charges, refunds or events to a file
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
    /** Read an export */
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
    /** Cancel an export; one that is done stays as it is */
    post: operations['createExportCancel'];
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
    /** List charge batchs, newest first */
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
     *     - `error` is the problem document, if the status is 400 or more.
     *
     *     Each row has the Idempotency-Key `{id of the operation}/{row}` in effect, in a scope of its own (`charge-batch-row`). A row
     *     that ends `pending` or `requires_capture` goes on as any such charge. One whose outcome the processor does not tell in
     *     time reads 502, 503 or 504 with its `pending` charge, and is settled later.
     *
     *     A batch that is cancelled has a result too, linked by `result` of its `error`: rows that never began read 409
     *     `operation_cancelled` without a charge; with one, it was on its way to the processor: read the charge to learn how it ends.
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
    /** Read a charge batch */
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
    /** Cancel a charge batch; one that is done stays as it is */
    post: operations['createChargeBatchCancel'];
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
    /** List operations, newest first */
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
    /** Read an operation */
    get: operations['getOperation'];
    put?: never;
    post?: never;
    /** Cancel an operation, as `:cancel` does; it stays readable */
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
    /** Cancel an operation; one that is done stays as it is */
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
    /** Read the uses of an Idempotency-Key */
    get: operations['getIdempotencyKey'];
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
     * @description Minor currency units
     * @example 1999
     */
    Amount: number;
    Charge: {
      id: components['schemas']['ChargeId'];
      /** @constant */
      object: 'charge';
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      status: components['schemas']['ChargeStatus'];
      /** @enum {string} */
      capture_method: 'automatic' | 'manual';
      /** @example 1999 */
      amount_captured: number;
      amount_refunded: number;
      refunded: boolean;
      customer: string | null;
      /** @example tok_visa */
      payment_method: string;
      description: string | null;
      statement_descriptor: string | null;
      metadata: components['schemas']['Metadata'];
      failure: {
        /** @enum {string} */
        code: 'card_declined' | 'processor_timeout' | 'not_sent' | 'refused' | 'authentication_expired';
        decline_code: string | null;
        message: string;
      } | null;
      /**
       * @description What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`.
       * @example null
       */
      next_action: {
        /** @constant */
        type: 'redirect';
        url: string;
        expires_at: components['schemas']['Time'];
      } | null;
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
      /** @example 2026-11-01T12:00:00.000Z */
      captured_at: components['schemas']['Time'] | null;
      cancel_requested_at: components['schemas']['Time'] | null;
      cancelled_at: components['schemas']['Time'] | null;
      expires_at: components['schemas']['Time'] | null;
    };
    /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
    ChargeId: string;
    ChargePatch: {
      /**
       * @description `null` removes it.
       * @example Order 6735
       */
      description?: string | null;
      /**
       * @description Members to set; one with `null` is removed. `null` removes all.
       * @example {
       *       "order": "6735"
       *     }
       */
      metadata?: {
        [key: string]: string | null;
      } | null;
    };
    /**
     * @example succeeded
     * @enum {string}
     */
    ChargeStatus: 'pending' | 'requires_action' | 'requires_capture' | 'succeeded' | 'failed' | 'cancelled';
    /**
     * @description ISO 4217, upper case
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
      | 'XOF'
      | 'XPF'
      | 'YER'
      | 'ZAR'
      | 'ZMW'
      | 'ZWG';
    Customer: {
      id: components['schemas']['CustomerId'];
      /** @constant */
      object: 'customer';
      name: string | null;
      email: string | null;
      description: string | null;
      metadata: components['schemas']['Metadata'];
      default_payment_method: string | null;
      /** @description Newest first. */
      payment_methods: components['schemas']['PaymentMethod'][];
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
    };
    /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
    CustomerId: string;
    Event: {
      id: components['schemas']['EventId'];
      /**
       * @example charge.succeeded
       * @enum {string}
       */
      type:
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
      timestamp: components['schemas']['Time'];
      /**
       * @description Grows by one with each event of the account, in the order in which they happened.
       * @example 42
       */
      sequence: number;
      /** @enum {string} */
      api_version: '2026-05-01' | '2026-11-01';
      /** @example acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
      account: string;
      data: {
        /**
         * @description The resource after the change, in `api_version`.
         * @example {
         *       "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
         *       "object": "charge"
         *     }
         */
        object: {
          [key: string]: unknown;
        };
      };
    };
    /** @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
    EventId: string;
    IdempotencyKey: {
      /** @constant */
      object: 'idempotency_key';
      key: string;
      /** @description One for each endpoint, oldest first. */
      uses: {
        /**
         * @description Method and route template.
         * @example POST /v1/charges
         */
        endpoint: string;
        /** @enum {string} */
        status: 'in_progress' | 'done';
        since: components['schemas']['Time'];
        /**
         * @description The key is kept until then, and for as long as its resource may still change.
         * @example 2026-11-01T12:00:00.000Z
         */
        until: components['schemas']['Time'];
        /**
         * @description The resource that the request created or changed; `null` if there is none, or none yet.
         * @example /v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D
         */
        resource: string | null;
      }[];
    };
    /**
     * @example {
     *       "order": "6735"
     *     }
     */
    Metadata: {
      [key: string]: string;
    };
    /**
     * @example {
     *       "resource": "charges",
     *       "format": "csv"
     *     }
     */
    NewExport:
      | {
          /** @constant */
          resource: 'charges';
          /**
           * @description `csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.
           * @enum {string}
           */
          format: 'csv' | 'ndjson';
          filter?: {
            /** @description Only charges of this customer. */
            customer?: string;
            /** @description Only charges with this status when their line is written. */
            status?: components['schemas']['ChargeStatus'];
            /** @description RFC 3339, with the bounds of a list. */
            created?: {
              /** Format: date-time */
              gt?: string;
              /** Format: date-time */
              gte?: string;
              /** Format: date-time */
              lt?: string;
              /** Format: date-time */
              lte?: string;
            };
          };
        }
      | {
          /** @constant */
          resource: 'refunds';
          /**
           * @description `csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.
           * @enum {string}
           */
          format: 'csv' | 'ndjson';
          filter?: {
            /** @description Only refunds of this charge. */
            charge?: string;
            /**
             * @description Only refunds with this status when their line is written.
             * @enum {string}
             */
            status?: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
            /** @description RFC 3339, with the bounds of a list. */
            created?: {
              /** Format: date-time */
              gt?: string;
              /** Format: date-time */
              gte?: string;
              /** Format: date-time */
              lt?: string;
              /** Format: date-time */
              lte?: string;
            };
          };
        }
      | {
          /** @constant */
          resource: 'events';
          /**
           * @description `csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.
           * @enum {string}
           */
          format: 'csv' | 'ndjson';
          filter?: {
            /**
             * @description Only events of this type.
             * @enum {string}
             */
            type?:
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
            /** @description RFC 3339, with the bounds of a list. */
            created?: {
              /** Format: date-time */
              gt?: string;
              /** Format: date-time */
              gte?: string;
              /** Format: date-time */
              lt?: string;
              /** Format: date-time */
              lte?: string;
            };
          };
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
      types?: (
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
        | 'endpoint.test'
      )[];
      /**
       * @description Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery)
       * @enum {string}
       */
      status?: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
      /**
       * @description Count the events, but send nothing.
       * @default false
       */
      dry_run?: boolean;
    };
    /**
     * @example {
     *       "error": "invalid_client",
     *       "error_description": "The client is unknown."
     *     }
     */
    OAuthError: {
      error: string;
      error_description: string;
    };
    Operation: {
      /** @example operations/op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
      name: string;
      id: components['schemas']['OperationId'];
      type: components['schemas']['OperationType'];
      status: components['schemas']['OperationStatus'];
      /** @description If true, exactly one of `error` and `response` is present. */
      done: boolean;
      /** @description `null` until the total is known. `completed` never decreases. */
      progress: {
        completed: number;
        total: number;
      } | null;
      error?: components['schemas']['Problem'];
      response?: components['schemas']['OperationResult'];
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
      /** @description A finished operation can be read until then. */
      expires_at: components['schemas']['Time'] | null;
    };
    /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
    OperationId: string;
    OperationResult: {
      /**
       * Format: uri
       * @description A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
       */
      href: string;
      /** @example text/csv; charset=utf-8 */
      content_type: string;
      /** @description Bytes. */
      size: number;
      sha256: string;
      /**
       * @description The result is kept until then.
       * @example 2026-11-01T12:00:00.000Z
       */
      expires_at: components['schemas']['Time'];
    };
    /**
     * @example running
     * @enum {string}
     */
    OperationStatus: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelling' | 'cancelled';
    /** @enum {string} */
    OperationType: 'export' | 'charge_batch' | 'webhook_replay';
    PaymentMethod: {
      /** @example pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
      id: string;
      /** @constant */
      type: 'card';
      card: {
        /** @enum {string} */
        brand: 'visa' | 'mastercard' | 'amex' | 'discover';
        /** @example 4242 */
        last4: string;
        /** @example 12 */
        exp_month: number;
        /** @example 2030 */
        exp_year: number;
      };
    };
    Problem: {
      /**
       * Format: uri
       * @description Where the code is explained.
       */
      type: string;
      /**
       * @description What a program branches on; never renamed.
       * @enum {string}
       */
      code:
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
        | 'too_many_webhook_endpoints'
        | 'too_many_webhook_secrets'
        | 'https_required'
        | 'address_refused'
        | 'precondition_required'
        | 'rate_limited'
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
      /** @description The same for every occurrence of the code. */
      title: string;
      status: number;
      /** @description What went wrong this time, and what to do. */
      detail: string;
      /** @description The path that was asked for. */
      instance: string;
      /** @description Names this request in the logs of the service. */
      trace_id: string;
      /** @description With `validation_failed`: each fault of the body. */
      errors?: {
        /** @description RFC 6901, into the body. */
        pointer: string;
        code: string;
        detail: string;
      }[];
      /** @description With a decline: why the card was refused. */
      decline_code?: string;
      /** @description The charge that was declined, refused, voided, never sent or cancelled, which stays readable. */
      charge?: string;
      /** @description With `refund_failed`: the failed refund, which stays readable. */
      refund?: string;
      /** @description With `operation_cancelled`: the path of the result of what was done by then, where there is one. */
      result?: string;
    };
    Refund: {
      id: components['schemas']['RefundId'];
      /** @constant */
      object: 'refund';
      charge: components['schemas']['ChargeId'];
      amount: components['schemas']['Amount'];
      currency: components['schemas']['Currency'];
      /** @enum {string} */
      status: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
      reason: ('duplicate' | 'fraudulent' | 'requested_by_customer') | null;
      metadata: components['schemas']['Metadata'];
      reversible_until: components['schemas']['Time'] | null;
      failure: {
        code: string;
        message: string;
      } | null;
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
    };
    /** @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G */
    RefundId: string;
    /**
     * Format: date-time
     * @description RFC 3339 in UTC, with milliseconds
     * @example 2026-11-01T12:00:00.000Z
     */
    Time: string;
    TimelineEntry: {
      /** @constant */
      object: 'timeline_entry';
      at: components['schemas']['Time'];
      /**
       * @description New types may be added.
       * @example processor_answered
       */
      type: string;
      /**
       * @description The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` comes with its `currency`.
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
    WebhookDelivery: {
      id: components['schemas']['WebhookDeliveryId'];
      /** @constant */
      object: 'webhook_delivery';
      endpoint: components['schemas']['WebhookEndpointId'];
      /** @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
      event: string;
      /** @example charge.succeeded */
      type: string;
      /**
       * @example delivered
       * @enum {string}
       */
      status: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
      /** @example 1 */
      attempt_count: number;
      /**
       * @description `null` if no attempt follows.
       * @example null
       */
      next_attempt_at: components['schemas']['Time'] | null;
      /** @description Whether a caller requested the delivery; an event makes the others. */
      replay: boolean;
      /**
       * @description The delivery that this one repeats, if it repeats one.
       * @example null
       */
      replay_of: string | null;
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
    };
    /** @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
    WebhookDeliveryId: string;
    WebhookEndpoint: {
      id: components['schemas']['WebhookEndpointId'];
      /** @constant */
      object: 'webhook_endpoint';
      /** @example https://shop.example/webhooks */
      url: string;
      /**
       * @example [
       *       "charge.*",
       *       "refund.processed"
       *     ]
       */
      events: string[];
      /** @enum {string} */
      status: 'enabled' | 'disabled';
      /**
       * @description `failing`: it failed for too long. `gone`: it answered 410.
       * @example null
       */
      disabled_reason: ('requested' | 'failing' | 'gone') | null;
      description: string | null;
      metadata: components['schemas']['Metadata'];
      /**
       * @description The API version of its payloads. (Default: that of the request)
       * @enum {string}
       */
      api_version: '2026-05-01' | '2026-11-01';
      /**
       * @description `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
       * @enum {string}
       */
      ordering: 'none' | 'fifo';
      /** @example null */
      failing_since: components['schemas']['Time'] | null;
      /** @example null */
      last_failure: {
        at: components['schemas']['Time'];
        status_code: number | null;
        message: string;
      } | null;
      /** @description The secrets that sign, newest first. */
      secrets: {
        /** @example whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: string;
        created: components['schemas']['Time'];
        /** @description `null` for the current secret. */
        expires_at: components['schemas']['Time'] | null;
      }[];
      created: components['schemas']['Time'];
      updated: components['schemas']['Time'];
    };
    /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
    WebhookEndpointId: string;
  };
  responses: never;
  parameters: {
    /**
     * @description The version of the answer, which this document describes. (Default: that of the account)
     * @example 2026-11-01
     */
    'API-Version': '2026-11-01';
    /**
     * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    traceparent: string;
    /**
     * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
     * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
     */
    'Idempotency-Key': string;
    /**
     * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
     * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
     */
    'Idempotency-Key.optional': string;
    /**
     * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
     * @example respond-async
     */
    Prefer: string;
    /**
     * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
     * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
     */
    'If-None-Match': string;
    /**
     * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
     * @example Sun, 01 Nov 2026 12:00:00 GMT
     */
    'If-Modified-Since': string;
    /**
     * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
     * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
     */
    'If-Match': string;
    /**
     * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
     * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
     */
    'If-Match.optional': string;
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
        /** @description Only charges of this customer. */
        customer?: string;
        /**
         * @description Only charges with this status.
         * @example succeeded
         */
        status?: components['schemas']['ChargeStatus'];
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "refunded": false,
           *           "customer": null,
           *           "payment_method": "tok_visa",
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
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': {
            data: components['schemas']['Charge'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['Prefer'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
         *       "payment_method": "tok_visa",
         *       "return_url": "https://shop.example/orders/6735"
         *     }
         */
        'application/json': {
          amount: components['schemas']['Amount'];
          currency: components['schemas']['Currency'];
          /**
           * @description A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
           * @example tok_visa
           */
          payment_method?: string;
          customer?: string;
          /**
           * @default automatic
           * @enum {string}
           */
          capture_method?: 'automatic' | 'manual';
          description?: string;
          statement_descriptor?: string;
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
          /**
           * @description Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the processor asks buyers for nothing.
           * @example https://shop.example/orders/6735
           */
          return_url?: string;
        };
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
        'If-Match': components['parameters']['If-Match'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "Order 6735",
         *       "metadata": {
         *         "order": "6735"
         *       }
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          amount?: components['schemas']['Amount'];
        };
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
        'Idempotency-Key'?: components['parameters']['Idempotency-Key.optional'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
           *       "refunded": false,
           *       "customer": null,
           *       "payment_method": "tok_visa",
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
           *       "expires_at": null
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
          'application/json': {
            data: components['schemas']['TimelineEntry'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        /** @description Only refunds of this charge. */
        charge?: string;
        /** @description Only refunds with this status. */
        status?: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "status": "pending",
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
          'application/json': {
            data: components['schemas']['Refund'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['Prefer'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "charge": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D"
         *     }
         */
        'application/json': {
          /** @description Minor currency units. (Default: all that is left) */
          amount?: components['schemas']['Amount'];
          /** @enum {string} */
          reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
          charge: components['schemas']['ChargeId'];
        };
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
           *       "status": "pending",
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
           *       "status": "pending",
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240).
         * @example respond-async
         */
        Prefer?: components['parameters']['Prefer'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['ChargeId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Minor currency units. (Default: all that is left) */
          amount?: components['schemas']['Amount'];
          /** @enum {string} */
          reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
        };
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
           *       "status": "pending",
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
           *       "status": "pending",
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G */
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
           *       "status": "pending",
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
        'Idempotency-Key'?: components['parameters']['Idempotency-Key.optional'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example re_01JF3Z9B6W8X1M4H7S2Q5D0E9G */
        id: components['schemas']['RefundId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
           *       "status": "pending",
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
      };
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "name": "Ada Lovelace",
           *           "email": "ada@example.com",
           *           "description": null,
           *           "metadata": {
           *             "order": "6735"
           *           },
           *           "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "payment_methods": [
           *             {
           *               "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
          'application/json': {
            data: components['schemas']['Customer'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          name?: string | null;
          email?: string | null;
          description?: string | null;
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
        };
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'If-Match': components['parameters']['If-Match'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          name?: string | null;
          email?: string | null;
          description?: string | null;
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
          default_payment_method?: string | null;
        };
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
        'If-Match': components['parameters']['If-Match'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['CustomerId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/merge-patch+json': {
          name?: string | null;
          email?: string | null;
          description?: string | null;
          metadata?: {
            [key: string]: string | null;
          } | null;
          default_payment_method?: string | null;
        };
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
        'application/json': {
          /** @example tok_visa */
          token: string;
        };
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
        'application/json': {
          /** @example pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
          payment_method: string;
        };
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
           *       "name": "Ada Lovelace",
           *       "email": "ada@example.com",
           *       "description": null,
           *       "metadata": {
           *         "order": "6735"
           *       },
           *       "default_payment_method": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "payment_methods": [
           *         {
           *           "id": "pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "api_version": "2026-05-01",
           *           "ordering": "none",
           *           "failing_since": null,
           *           "last_failure": null,
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
          'application/json': {
            data: components['schemas']['WebhookEndpoint'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
         *         "charge.*",
         *         "refund.processed"
         *       ]
         *     }
         */
        'application/json': {
          /**
           * @description HTTPS, with a host that has only public addresses, without credentials and fragment.
           * @example https://shop.example/webhooks
           */
          url: string;
          /**
           * @description Types, all types of a resource (`charge.*`), or all types, new ones too (`*`).
           * @example [
           *       "charge.*",
           *       "refund.processed"
           *     ]
           */
          events: (
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
            | 'endpoint.test'
          )[];
          description?: string | null;
          /** @default {} */
          metadata?: components['schemas']['Metadata'];
          /**
           * @description The API version of its payloads. (Default: that of the request)
           * @enum {string}
           */
          api_version?: '2026-05-01' | '2026-11-01';
          /**
           * @description `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
           * @default none
           * @enum {string}
           */
          ordering?: 'none' | 'fifo';
        };
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
           *       "api_version": "2026-05-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
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
          'application/json': {
            id: components['schemas']['WebhookEndpointId'];
            /** @constant */
            object: 'webhook_endpoint';
            /** @example https://shop.example/webhooks */
            url: string;
            /**
             * @example [
             *       "charge.*",
             *       "refund.processed"
             *     ]
             */
            events: string[];
            /** @enum {string} */
            status: 'enabled' | 'disabled';
            /**
             * @description `failing`: it failed for too long. `gone`: it answered 410.
             * @example null
             */
            disabled_reason: ('requested' | 'failing' | 'gone') | null;
            description: string | null;
            metadata: components['schemas']['Metadata'];
            /**
             * @description The API version of its payloads. (Default: that of the request)
             * @enum {string}
             */
            api_version: '2026-05-01' | '2026-11-01';
            /**
             * @description `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
             * @enum {string}
             */
            ordering: 'none' | 'fifo';
            /** @example null */
            failing_since: components['schemas']['Time'] | null;
            /** @example null */
            last_failure: {
              at: components['schemas']['Time'];
              status_code: number | null;
              message: string;
            } | null;
            /** @description The secrets that sign, newest first. */
            secrets: {
              /** @example whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
              id: string;
              created: components['schemas']['Time'];
              /** @description `null` for the current secret. */
              expires_at: components['schemas']['Time'] | null;
            }[];
            created: components['schemas']['Time'];
            updated: components['schemas']['Time'];
            /**
             * @description Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
          };
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
           *       "api_version": "2026-05-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
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
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
        'If-Match': components['parameters']['If-Match'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "url": "https://shop.example/webhooks",
         *       "events": [
         *         "charge.*",
         *         "refund.processed"
         *       ]
         *     }
         */
        'application/merge-patch+json': {
          /**
           * @description HTTPS, with a host that has only public addresses, without credentials and fragment.
           * @example https://shop.example/webhooks
           */
          url?: string;
          /**
           * @description Types, all types of a resource (`charge.*`), or all types, new ones too (`*`).
           * @example [
           *       "charge.*",
           *       "refund.processed"
           *     ]
           */
          events?: (
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
            | 'endpoint.test'
          )[];
          /** @enum {string} */
          status?: 'enabled' | 'disabled';
          description?: string | null;
          metadata?: {
            [key: string]: string | null;
          } | null;
          /**
           * @description The API version of its payloads. (Default: that of the request)
           * @enum {string}
           */
          api_version?: '2026-05-01' | '2026-11-01';
          ordering?: ('none' | 'fifo') | null;
        };
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
           *       "api_version": "2026-05-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
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
  rotateSecret: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description How long the current secret signs beside the new one, in seconds.
           * @default 86400
           */
          overlap_seconds?: number;
        };
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
           *       "api_version": "2026-05-01",
           *       "ordering": "none",
           *       "failing_since": null,
           *       "last_failure": null,
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
          'application/json': {
            id: components['schemas']['WebhookEndpointId'];
            /** @constant */
            object: 'webhook_endpoint';
            /** @example https://shop.example/webhooks */
            url: string;
            /**
             * @example [
             *       "charge.*",
             *       "refund.processed"
             *     ]
             */
            events: string[];
            /** @enum {string} */
            status: 'enabled' | 'disabled';
            /**
             * @description `failing`: it failed for too long. `gone`: it answered 410.
             * @example null
             */
            disabled_reason: ('requested' | 'failing' | 'gone') | null;
            description: string | null;
            metadata: components['schemas']['Metadata'];
            /**
             * @description The API version of its payloads. (Default: that of the request)
             * @enum {string}
             */
            api_version: '2026-05-01' | '2026-11-01';
            /**
             * @description `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
             * @enum {string}
             */
            ordering: 'none' | 'fifo';
            /** @example null */
            failing_since: components['schemas']['Time'] | null;
            /** @example null */
            last_failure: {
              at: components['schemas']['Time'];
              status_code: number | null;
              message: string;
            } | null;
            /** @description The secrets that sign, newest first. */
            secrets: {
              /** @example whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
              id: string;
              created: components['schemas']['Time'];
              /** @description `null` for the current secret. */
              expires_at: components['schemas']['Time'] | null;
            }[];
            created: components['schemas']['Time'];
            updated: components['schemas']['Time'];
            /**
             * @description Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
          'application/json': string;
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
          'application/json': string;
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
        /** @example delivered */
        status?: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
          'application/json': {
            data: components['schemas']['WebhookDelivery'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
          'application/json': {
            id: components['schemas']['WebhookDeliveryId'];
            /** @constant */
            object: 'webhook_delivery';
            endpoint: components['schemas']['WebhookEndpointId'];
            /** @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
            event: string;
            /** @example charge.succeeded */
            type: string;
            /**
             * @example delivered
             * @enum {string}
             */
            status: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
            /** @example 1 */
            attempt_count: number;
            /**
             * @description `null` if no attempt follows.
             * @example null
             */
            next_attempt_at: components['schemas']['Time'] | null;
            /** @description Whether a caller requested the delivery; an event makes the others. */
            replay: boolean;
            /**
             * @description The delivery that this one repeats, if it repeats one.
             * @example null
             */
            replay_of: string | null;
            created: components['schemas']['Time'];
            updated: components['schemas']['Time'];
            /** @description Every attempt, oldest first. */
            attempts: {
              /**
               * @description Counts from 1.
               * @example 1
               */
              number: number;
              at: components['schemas']['Time'];
              /**
               * @description `null` if there was no answer.
               * @example 200
               */
              status_code: number | null;
              /** @example 41 */
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
            }[];
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['WebhookDeliveryId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
        id: components['schemas']['WebhookEndpointId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
  getEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D */
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
           *       "type": "charge.succeeded",
           *       "timestamp": "2026-11-01T12:00:00.000Z",
           *       "sequence": 42,
           *       "api_version": "2026-05-01",
           *       "account": "acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *       "data": {
           *         "object": {
           *           "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "object": "charge"
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
        order?: 'desc' | 'asc';
        /**
         * @description Only events with a higher `sequence`. It needs `order=asc`.
         * @example 42
         */
        after_sequence?: number;
        /** @example charge.succeeded */
        type?:
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "type": "charge.succeeded",
           *           "timestamp": "2026-11-01T12:00:00.000Z",
           *           "sequence": 42,
           *           "api_version": "2026-05-01",
           *           "account": "acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *           "data": {
           *             "object": {
           *               "id": "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D",
           *               "object": "charge"
           *             }
           *           }
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': {
            data: components['schemas']['Event'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "export",
           *           "status": "running",
           *           "done": false,
           *           "progress": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': {
            data: components['schemas']['Operation'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
  getExport: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
  createExportCancel: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key.optional'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "export",
           *           "status": "running",
           *           "done": false,
           *           "progress": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': {
            data: components['schemas']['Operation'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'Idempotency-Key': components['parameters']['Idempotency-Key'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
        'application/json': {
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
          charges: {
            amount: components['schemas']['Amount'];
            currency: components['schemas']['Currency'];
            /**
             * @description A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
             * @example tok_visa
             */
            payment_method?: string;
            customer?: string;
            /**
             * @default automatic
             * @enum {string}
             */
            capture_method?: 'automatic' | 'manual';
            description?: string;
            statement_descriptor?: string;
            /** @default {} */
            metadata?: components['schemas']['Metadata'];
          }[];
        };
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
  getChargeBatch: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description An `ETag` that was read before. If the resource has not changed, the answer is a 304 without a body.
         * @example "ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.2.2026-11-01"
         */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
  createChargeBatchCancel: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description One unique key per logical operation. Send it again with every retry. It has 1 to 255 visible ASCII characters, bare or as a quoted string.
         * @example 5f2b0c1e-7d1b-4f55-9d0a-5a3f6c1f0b77
         */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key.optional'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *           "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *           "type": "export",
           *           "status": "running",
           *           "done": false,
           *           "progress": null,
           *           "created": "2026-11-01T12:00:00.000Z",
           *           "updated": "2026-11-01T12:00:00.000Z",
           *           "expires_at": null
           *         }
           *       ],
           *       "has_more": false,
           *       "next_cursor": null
           *     }
           */
          'application/json': {
            data: components['schemas']['Operation'][];
            has_more: boolean;
            next_cursor: string | null;
          };
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'Idempotency-Key'?: components['parameters']['Idempotency-Key.optional'];
        /**
         * @description The `ETag` of the resource as it was read, so that no other change is lost; `*` for any.
         * @example "cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D.1.2026-11-01"
         */
        'If-Match'?: components['parameters']['If-Match.optional'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
      };
      path: {
        /** @example op_01JF3ZC5T7P3X9R2V8K4M6N1WD */
        id: components['schemas']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': Record<string, never>;
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
           *       "id": "op_01JF3ZC5T7P3X9R2V8K4M6N1WD",
           *       "type": "export",
           *       "status": "running",
           *       "done": false,
           *       "progress": null,
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
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /**
         * @description A `Last-Modified` that was read before. `If-None-Match` is more exact.
         * @example Sun, 01 Nov 2026 12:00:00 GMT
         */
        'If-Modified-Since'?: components['parameters']['If-Modified-Since'];
        /**
         * @description The version of the answer, which this document describes. (Default: that of the account)
         * @example 2026-11-01
         */
        'API-Version'?: components['parameters']['API-Version'];
        /**
         * @description W3C Trace Context. Its trace id becomes the `Trace-Id` of the answer.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        traceparent?: components['parameters']['traceparent'];
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
           *       "key": "string",
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
}
