// Written by `npm run openapi` from openapi.json. A test holds the two together.

import type { Answer, CallOptions } from './calls.ts';

/** The version that these types are of. */

export const apiVersion = '2026-11-01';

/** Minor currency units */
export type Amount = number;

export type Charge = {
  id: ChargeId;
  object: 'charge';
  amount: Amount;
  currency: Currency;
  status: ChargeStatus;
  capture_method: 'automatic' | 'manual';
  amount_captured: number;
  amount_refunded: number;
  refunded: boolean;
  customer: string | null;
  payment_method: string;
  description: string | null;
  statement_descriptor: string | null;
  metadata: Metadata;
  failure: {
    code: 'card_declined' | 'processor_timeout' | 'not_sent' | 'refused' | 'authentication_expired';
    decline_code: string | null;
    message: string;
  } | null;
  /** What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`. */
  next_action: { type: 'redirect'; url: string; expires_at: Time } | null;
  created: Time;
  updated: Time;
  captured_at: Time | null;
  cancel_requested_at: Time | null;
  cancelled_at: Time | null;
  expires_at: Time | null;
};

export type ChargeId = string;

export type ChargePatch = {
  /** `null` removes it. */
  description?: string | null;
  /** Members to set; one with `null` is removed. `null` removes all. */
  metadata?: Record<string, string | null> | null;
};

export type ChargeStatus =
  'pending' | 'requires_action' | 'requires_capture' | 'succeeded' | 'failed' | 'cancelled';

/** ISO 4217, upper case */
export type Currency =
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

export type Customer = {
  id: CustomerId;
  object: 'customer';
  name: string | null;
  email: string | null;
  description: string | null;
  metadata: Metadata;
  default_payment_method: string | null;
  /** Newest first. */
  payment_methods: PaymentMethod[];
  created: Time;
  updated: Time;
};

export type CustomerId = string;

export type Event = {
  id: EventId;
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
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  api_version: '2026-05-01' | '2026-11-01';
  account: string;
  data: {
    /** The resource after the change, in `api_version`. */
    object: Record<string, never>;
  };
};

export type EventId = string;

export type IdempotencyKey = {
  object: 'idempotency_key';
  key: string;
  /** One for each endpoint, oldest first. */
  uses: {
    /** Method and route template. */
    endpoint: string;
    status: 'in_progress' | 'done';
    since: Time;
    /** The key is kept until then, and for as long as its resource may still change. */
    until: Time;
    /** The resource that the request created or changed; `null` if there is none, or none yet. */
    resource: string | null;
  }[];
};

export type Metadata = Record<string, string>;

export type NewExport = unknown;

export type NewWebhookReplay = {
  /** Events from this time on. Events are kept for 30 days. */
  since: string;
  /** Events before this time. (Default: now) */
  until?: string;
  /** Types and patterns. (Default: those of the endpoint) */
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
  /** Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery) */
  status?: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
  /** Count the events, but send nothing. */
  dry_run?: boolean;
};

export type OAuthError = { error: string; error_description: string };

export type Operation = {
  name: string;
  id: OperationId;
  type: OperationType;
  status: OperationStatus;
  /** If true, exactly one of `error` and `response` is present. */
  done: boolean;
  /** `null` until the total is known. `completed` never decreases. */
  progress: { completed: number; total: number } | null;
  error?: Problem;
  response?: OperationResult;
  created: Time;
  updated: Time;
  /** A finished operation can be read until then. */
  expires_at: Time | null;
};

export type OperationId = string;

export type OperationResult = {
  /** A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one. */
  href: string;
  content_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** The result is kept until then. */
  expires_at: Time;
};

export type OperationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelling' | 'cancelled';

export type OperationType = 'export' | 'charge_batch' | 'webhook_replay';

export type PaymentMethod = {
  id: string;
  type: 'card';
  card: {
    brand: 'visa' | 'mastercard' | 'amex' | 'discover';
    last4: string;
    exp_month: number;
    exp_year: number;
  };
};

export type Problem = {
  /** Where the code is explained. */
  type: string;
  /** What a program branches on; never renamed. */
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
  /** The same for every occurrence of the code. */
  title: string;
  status: number;
  /** What went wrong this time, and what to do. */
  detail: string;
  /** The path that was asked for. */
  instance: string;
  /** Names this request in the logs of the service. */
  trace_id: string;
  /** With `validation_failed`: each fault of the body. */
  errors?: {
    /** RFC 6901, into the body. */
    pointer: string;
    code: string;
    detail: string;
  }[];
  /** With a decline: why the card was refused. */
  decline_code?: string;
  /** The charge that was declined, refused, voided, never sent or cancelled, which stays readable. */
  charge?: string;
  /** With `refund_failed`: the failed refund, which stays readable. */
  refund?: string;
  /** With `operation_cancelled`: the path of the result of what was done by then, where there is one. */
  result?: string;
};

export type Refund = {
  id: RefundId;
  object: 'refund';
  charge: ChargeId;
  amount: Amount;
  currency: Currency;
  status: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  metadata: Metadata;
  reversible_until: Time | null;
  failure: { code: string; message: string } | null;
  created: Time;
  updated: Time;
};

export type RefundId = string;

/** RFC 3339 in UTC, with milliseconds */
export type Time = string;

export type TimelineEntry = {
  object: 'timeline_entry';
  at: Time;
  /** New types may be added. */
  type: string;
  /** The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` comes with its `currency`. */
  detail: Record<string, string | number>;
};

export type WebhookDelivery = {
  id: WebhookDeliveryId;
  object: 'webhook_delivery';
  endpoint: WebhookEndpointId;
  event: string;
  type: string;
  status: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
  attempt_count: number;
  /** `null` if no attempt follows. */
  next_attempt_at: Time | null;
  /** Whether a caller requested the delivery; an event makes the others. */
  replay: boolean;
  /** The delivery that this one repeats, if it repeats one. */
  replay_of: string | null;
  created: Time;
  updated: Time;
};

export type WebhookDeliveryId = string;

export type WebhookEndpoint = {
  id: WebhookEndpointId;
  object: 'webhook_endpoint';
  url: string;
  events: string[];
  status: 'enabled' | 'disabled';
  /** `failing`: it failed for too long. `gone`: it answered 410. */
  disabled_reason: 'requested' | 'failing' | 'gone' | null;
  description: string | null;
  metadata: Metadata;
  /** The API version of its payloads. (Default: that of the request) */
  api_version: '2026-05-01' | '2026-11-01';
  /** `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones. */
  ordering: 'none' | 'fifo';
  failing_since: Time | null;
  last_failure: { at: Time; status_code: number | null; message: string } | null;
  /** The secrets that sign, newest first. */
  secrets: {
    id: string;
    created: Time;
    /** `null` for the current secret. */
    expires_at: Time | null;
  }[];
  created: Time;
  updated: Time;
};

export type WebhookEndpointId = string;

/** What the service can be asked; each request is as `openapi.json` describes it. */

export interface Operations {
  /** Create a charge */
  createCharge(
    request: {
      headers?: {
        /** `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240). */
        Prefer?: string;
      };
      body: {
        amount: Amount;
        currency: Currency;
        /** A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer) */
        payment_method?: string;
        customer?: string;
        capture_method?: 'automatic' | 'manual';
        description?: string;
        statement_descriptor?: string;
        metadata?: Metadata;
        /** Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the processor asks buyers for nothing. */
        return_url?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** List charges, newest first */
  listCharges(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
        /** Only charges of this customer. */
        customer?: string;
        /** Only charges with this status. */
        status?: ChargeStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Charge[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a charge */
  getCharge(request: { params: { id: ChargeId } }, options?: CallOptions): Promise<Answer<Charge>>;

  /** Change the description or the metadata of a charge (RFC 7386) */
  updateCharge(
    request: {
      params: { id: ChargeId };
      headers: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match': string;
      };
      body?: ChargePatch;
    },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** Capture an authorized charge once, in full or in part */
  captureCharge(
    request: {
      params: { id: ChargeId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: { amount?: Amount };
    },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** Cancel a charge: void its authorization, or request the cancel while the outcome is unknown */
  cancelCharge(
    request: {
      params: { id: ChargeId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: Record<string, never>;
    },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** List the steps of a charge and its refunds, oldest first */
  getChargeTimeline(
    request: {
      params: { id: ChargeId };
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: TimelineEntry[]; has_more: boolean; next_cursor: string | null }>>;

  /** Refund a charge, in full or in part */
  createRefund(
    request: {
      headers?: {
        /** `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240). */
        Prefer?: string;
      };
      body: {
        /** Minor currency units. (Default: all that is left) */
        amount?: Amount;
        reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
        metadata?: Metadata;
        charge: ChargeId;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Refund>>;

  /** List refunds, newest first */
  listRefunds(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
        /** Only refunds of this charge. */
        charge?: string;
        /** Only refunds with this status. */
        status?: 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Refund[]; has_more: boolean; next_cursor: string | null }>>;

  /** Refund this charge, in full or in part */
  createChargeRefund(
    request: {
      params: { id: ChargeId };
      headers?: {
        /** `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240). */
        Prefer?: string;
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: {
        /** Minor currency units. (Default: all that is left) */
        amount?: Amount;
        reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
        metadata?: Metadata;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Refund>>;

  /** Read a refund */
  getRefund(request: { params: { id: RefundId } }, options?: CallOptions): Promise<Answer<Refund>>;

  /** Reverse a processed refund, until its `reversible_until` */
  cancelRefund(
    request: {
      params: { id: RefundId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: Record<string, never>;
    },
    options?: CallOptions,
  ): Promise<Answer<Refund>>;

  /** Create a customer */
  createCustomer(
    request?: {
      body?: {
        name?: string | null;
        email?: string | null;
        description?: string | null;
        metadata?: Metadata;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** List customers, newest first */
  listCustomers(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Customer[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a customer */
  getCustomer(request: { params: { id: CustomerId } }, options?: CallOptions): Promise<Answer<Customer>>;

  /** Replace a customer; a member that is left out is reset */
  replaceCustomer(
    request: {
      params: { id: CustomerId };
      headers: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match': string;
      };
      body?: {
        name?: string | null;
        email?: string | null;
        description?: string | null;
        metadata?: Metadata;
        default_payment_method?: string | null;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Change a customer (RFC 7386); a member that is left out stays */
  updateCustomer(
    request: {
      params: { id: CustomerId };
      headers: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match': string;
      };
      body?: {
        name?: string | null;
        email?: string | null;
        description?: string | null;
        metadata?: Record<string, string | null> | null;
        default_payment_method?: string | null;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Delete a customer with its payment methods; its charges stay */
  deleteCustomer(
    request: {
      params: { id: CustomerId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<null>>;

  /** Store the card of a token; it becomes the first payment method */
  attachPaymentMethod(
    request: {
      params: { id: CustomerId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body: { token: string };
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Remove a payment method; charges made with it continue */
  detachPaymentMethod(
    request: {
      params: { id: CustomerId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body: { payment_method: string };
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Register a URL that receives events */
  createWebhookEndpoint(
    request: {
      body: {
        /** HTTPS, with a host that has only public addresses, without credentials and fragment. */
        url: string;
        /** Types, all types of a resource (`charge.*`), or all types, new ones too (`*`). */
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
        metadata?: Metadata;
        /** The API version of its payloads. (Default: that of the request) */
        api_version?: '2026-05-01' | '2026-11-01';
        /** `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones. */
        ordering?: 'none' | 'fifo';
      };
    },
    options?: CallOptions,
  ): Promise<
    Answer<{
      id: WebhookEndpointId;
      object: 'webhook_endpoint';
      url: string;
      events: string[];
      status: 'enabled' | 'disabled';
      /** `failing`: it failed for too long. `gone`: it answered 410. */
      disabled_reason: 'requested' | 'failing' | 'gone' | null;
      description: string | null;
      metadata: Metadata;
      /** The API version of its payloads. (Default: that of the request) */
      api_version: '2026-05-01' | '2026-11-01';
      /** `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones. */
      ordering: 'none' | 'fifo';
      failing_since: Time | null;
      last_failure: { at: Time; status_code: number | null; message: string } | null;
      /** The secrets that sign, newest first. */
      secrets: {
        id: string;
        created: Time;
        /** `null` for the current secret. */
        expires_at: Time | null;
      }[];
      created: Time;
      updated: Time;
      /** Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only. */
      secret: string;
    }>
  >;

  /** List webhook endpoints, newest first */
  listWebhookEndpoints(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: WebhookEndpoint[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a webhook endpoint and its state */
  getWebhookEndpoint(
    request: { params: { id: WebhookEndpointId } },
    options?: CallOptions,
  ): Promise<Answer<WebhookEndpoint>>;

  /** Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries */
  updateWebhookEndpoint(
    request: {
      params: { id: WebhookEndpointId };
      headers: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match': string;
      };
      body?: {
        /** HTTPS, with a host that has only public addresses, without credentials and fragment. */
        url?: string;
        /** Types, all types of a resource (`charge.*`), or all types, new ones too (`*`). */
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
        status?: 'enabled' | 'disabled';
        description?: string | null;
        metadata?: Record<string, string | null> | null;
        /** The API version of its payloads. (Default: that of the request) */
        api_version?: '2026-05-01' | '2026-11-01';
        ordering?: 'none' | 'fifo' | null;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<WebhookEndpoint>>;

  /** Delete a webhook endpoint and cancel its open deliveries; all stay readable */
  deleteWebhookEndpoint(
    request: {
      params: { id: WebhookEndpointId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<null>>;

  /** Create a new secret; the current one signs beside it for a while */
  rotateSecret(
    request: {
      params: { id: WebhookEndpointId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: {
        /** How long the current secret signs beside the new one, in seconds. */
        overlap_seconds?: number;
      };
    },
    options?: CallOptions,
  ): Promise<
    Answer<{
      id: WebhookEndpointId;
      object: 'webhook_endpoint';
      url: string;
      events: string[];
      status: 'enabled' | 'disabled';
      /** `failing`: it failed for too long. `gone`: it answered 410. */
      disabled_reason: 'requested' | 'failing' | 'gone' | null;
      description: string | null;
      metadata: Metadata;
      /** The API version of its payloads. (Default: that of the request) */
      api_version: '2026-05-01' | '2026-11-01';
      /** `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones. */
      ordering: 'none' | 'fifo';
      failing_since: Time | null;
      last_failure: { at: Time; status_code: number | null; message: string } | null;
      /** The secrets that sign, newest first. */
      secrets: {
        id: string;
        created: Time;
        /** `null` for the current secret. */
        expires_at: Time | null;
      }[];
      created: Time;
      updated: Time;
      /** Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only. */
      secret: string;
    }>
  >;

  /** Replay past events to this endpoint, including types it was not subscribed to */
  replayWebhookEndpoint(
    request: { params: { id: WebhookEndpointId }; body: NewWebhookReplay },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** Download the result */
  getOperationResult(
    request: {
      params: { id: OperationId };
      query?: {
        /** From the link. */
        expires?: string;
        /** From the link. */
        signature?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<string>>;

  /** List the deliveries of a webhook endpoint, newest first */
  listWebhookEndpointDeliveries(
    request: {
      params: { id: WebhookEndpointId };
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        status?: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: WebhookDelivery[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a delivery with every attempt */
  getWebhookDelivery(
    request: { params: { id: WebhookDeliveryId } },
    options?: CallOptions,
  ): Promise<
    Answer<{
      id: WebhookDeliveryId;
      object: 'webhook_delivery';
      endpoint: WebhookEndpointId;
      event: string;
      type: string;
      status: 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';
      attempt_count: number;
      /** `null` if no attempt follows. */
      next_attempt_at: Time | null;
      /** Whether a caller requested the delivery; an event makes the others. */
      replay: boolean;
      /** The delivery that this one repeats, if it repeats one. */
      replay_of: string | null;
      created: Time;
      updated: Time;
      /** Every attempt, oldest first. */
      attempts: {
        /** Counts from 1. */
        number: number;
        at: Time;
        /** `null` if there was no answer. */
        status_code: number | null;
        latency_ms: number;
        /** Why the attempt failed; `null` if it delivered. */
        error: string | null;
        /** The first 1 KiB of the answer. */
        response_body: string | null;
      }[];
    }>
  >;

  /** Send the event of a delivery to its endpoint again, whatever its outcome */
  replayWebhookDelivery(
    request: { params: { id: WebhookDeliveryId }; body?: Record<string, never> },
    options?: CallOptions,
  ): Promise<Answer<WebhookDelivery>>;

  /** Send an event `endpoint.test` to this endpoint only */
  testWebhookEndpoint(
    request: { params: { id: WebhookEndpointId }; body?: Record<string, never> },
    options?: CallOptions,
  ): Promise<Answer<WebhookDelivery>>;

  /** Read an event of the last 30 days */
  getEvent(request: { params: { id: EventId } }, options?: CallOptions): Promise<Answer<Event>>;

  /** List the events of the last 30 days by `sequence`, newest first */
  listEvents(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** By `sequence`: `desc`, the newest first, or `asc`, the oldest first. (Default: desc) */
        order?: 'desc' | 'asc';
        /** Only events with a higher `sequence`. It needs `order=asc`. */
        after_sequence?: number;
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
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Event[]; has_more: boolean; next_cursor: string | null }>>;

  /** Export charges, refunds or events to a file */
  createExport(request: { body: NewExport }, options?: CallOptions): Promise<Answer<Operation>>;

  /** List exports, newest first */
  listExports(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
        /** Only operations in this state. */
        status?: OperationStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Operation[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read an export */
  getExport(request: { params: { id: OperationId } }, options?: CallOptions): Promise<Answer<Operation>>;

  /** Cancel an export; one that is done stays as it is */
  createExportCancel(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: Record<string, never>;
    },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** Download the result */
  getExportResult(
    request: {
      params: { id: OperationId };
      query?: {
        /** From the link. */
        expires?: string;
        /** From the link. */
        signature?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<unknown>>;

  /** Submit a batch of charges */
  createChargeBatch(
    request: {
      body: {
        /** Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result. */
        charges: {
          amount: Amount;
          currency: Currency;
          /** A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer) */
          payment_method?: string;
          customer?: string;
          capture_method?: 'automatic' | 'manual';
          description?: string;
          statement_descriptor?: string;
          metadata?: Metadata;
        }[];
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** List charge batchs, newest first */
  listChargeBatches(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
        /** Only operations in this state. */
        status?: OperationStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Operation[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a charge batch */
  getChargeBatch(request: { params: { id: OperationId } }, options?: CallOptions): Promise<Answer<Operation>>;

  /** Cancel a charge batch; one that is done stays as it is */
  createChargeBatchCancel(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: Record<string, never>;
    },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** Download the result */
  getChargeBatchResult(
    request: {
      params: { id: OperationId };
      query?: {
        /** From the link. */
        expires?: string;
        /** From the link. */
        signature?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<unknown>>;

  /** List operations, newest first */
  listOperations(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only items created after this time. */
        'created[gt]'?: string;
        /** Only items created at this time or after. */
        'created[gte]'?: string;
        /** Only items created before this time. */
        'created[lt]'?: string;
        /** Only items created at this time or before. */
        'created[lte]'?: string;
        /** Only operations in this state. */
        status?: OperationStatus;
        /** Only operations of this type. */
        type?: OperationType;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Operation[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read an operation */
  getOperation(request: { params: { id: OperationId } }, options?: CallOptions): Promise<Answer<Operation>>;

  /** Cancel an operation, as `:cancel` does; it stays readable */
  deleteOperation(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** Cancel an operation; one that is done stays as it is */
  cancelOperation(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: Record<string, never>;
    },
    options?: CallOptions,
  ): Promise<Answer<Operation>>;

  /** Read the uses of an Idempotency-Key */
  getIdempotencyKey(
    request: {
      params: {
        /** As in the header, percent-encoded. */
        key: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<IdempotencyKey>>;
}

/** How each operation goes over the wire. */

export const operations = {
  createCharge: { method: 'POST', path: '/v1/charges', type: 'application/json' },
  listCharges: { method: 'GET', path: '/v1/charges', type: null },
  getCharge: { method: 'GET', path: '/v1/charges/{id}', type: null },
  updateCharge: { method: 'PATCH', path: '/v1/charges/{id}', type: 'application/merge-patch+json' },
  captureCharge: { method: 'POST', path: '/v1/charges/{id}:capture', type: 'application/json' },
  cancelCharge: { method: 'POST', path: '/v1/charges/{id}:cancel', type: 'application/json' },
  getChargeTimeline: { method: 'GET', path: '/v1/charges/{id}/timeline', type: null },
  createRefund: { method: 'POST', path: '/v1/refunds', type: 'application/json' },
  listRefunds: { method: 'GET', path: '/v1/refunds', type: null },
  createChargeRefund: { method: 'POST', path: '/v1/charges/{id}/refunds', type: 'application/json' },
  getRefund: { method: 'GET', path: '/v1/refunds/{id}', type: null },
  cancelRefund: { method: 'POST', path: '/v1/refunds/{id}:cancel', type: 'application/json' },
  createCustomer: { method: 'POST', path: '/v1/customers', type: 'application/json' },
  listCustomers: { method: 'GET', path: '/v1/customers', type: null },
  getCustomer: { method: 'GET', path: '/v1/customers/{id}', type: null },
  replaceCustomer: { method: 'PUT', path: '/v1/customers/{id}', type: 'application/json' },
  updateCustomer: { method: 'PATCH', path: '/v1/customers/{id}', type: 'application/merge-patch+json' },
  deleteCustomer: { method: 'DELETE', path: '/v1/customers/{id}', type: null },
  attachPaymentMethod: {
    method: 'POST',
    path: '/v1/customers/{id}:attach-payment-method',
    type: 'application/json',
  },
  detachPaymentMethod: {
    method: 'POST',
    path: '/v1/customers/{id}:detach-payment-method',
    type: 'application/json',
  },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints', type: 'application/json' },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints', type: null },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook-endpoints/{id}', type: null },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{id}',
    type: 'application/merge-patch+json',
  },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhook-endpoints/{id}', type: null },
  rotateSecret: {
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}:rotate-secret',
    type: 'application/json',
  },
  replayWebhookEndpoint: {
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}:replay',
    type: 'application/json',
  },
  getOperationResult: { method: 'GET', path: '/v1/operations/{id}/result', type: null },
  listWebhookEndpointDeliveries: { method: 'GET', path: '/v1/webhook-endpoints/{id}/deliveries', type: null },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhook-deliveries/{id}', type: null },
  replayWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}:replay',
    type: 'application/json',
  },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints/{id}:test', type: 'application/json' },
  getEvent: { method: 'GET', path: '/v1/events/{id}', type: null },
  listEvents: { method: 'GET', path: '/v1/events', type: null },
  createExport: { method: 'POST', path: '/v1/exports', type: 'application/json' },
  listExports: { method: 'GET', path: '/v1/exports', type: null },
  getExport: { method: 'GET', path: '/v1/exports/{id}', type: null },
  createExportCancel: { method: 'POST', path: '/v1/exports/{id}/cancel', type: 'application/json' },
  getExportResult: { method: 'GET', path: '/v1/exports/{id}/result', type: null },
  createChargeBatch: { method: 'POST', path: '/v1/charge-batches', type: 'application/json' },
  listChargeBatches: { method: 'GET', path: '/v1/charge-batches', type: null },
  getChargeBatch: { method: 'GET', path: '/v1/charge-batches/{id}', type: null },
  createChargeBatchCancel: {
    method: 'POST',
    path: '/v1/charge-batches/{id}/cancel',
    type: 'application/json',
  },
  getChargeBatchResult: { method: 'GET', path: '/v1/charge-batches/{id}/result', type: null },
  listOperations: { method: 'GET', path: '/v1/operations', type: null },
  getOperation: { method: 'GET', path: '/v1/operations/{id}', type: null },
  deleteOperation: { method: 'DELETE', path: '/v1/operations/{id}', type: null },
  cancelOperation: { method: 'POST', path: '/v1/operations/{id}:cancel', type: 'application/json' },
  getIdempotencyKey: { method: 'GET', path: '/v1/idempotency-keys/{key}', type: null },
} as const;
