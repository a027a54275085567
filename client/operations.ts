// Written by `npm run openapi` from openapi.json. A test holds the two together.

import type { Answer, CallOptions } from './client.ts';

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
    code: 'card_declined' | 'processor_timeout';
    decline_code: string | null;
    message: string;
  } | null;
  created: Time;
  updated: Time;
  captured_at: Time | null;
  cancel_requested_at: Time | null;
  cancelled_at: Time | null;
  expires_at: Time | null;
};

export type ChargeId = string;

export type ChargeStatus = 'pending' | 'requires_capture' | 'succeeded' | 'failed' | 'cancelled';

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

export type IdempotencyKey = {
  object: 'idempotency_key';
  key: string;
  /** One an endpoint, oldest first. */
  uses: {
    /** Method and route template */
    endpoint: string;
    status: 'in_progress' | 'done';
    since: Time;
    /** It is kept until then, and for as long as its resource may still change. */
    until: Time;
    /** What it made or acted on; null where that is nothing, or nothing yet. */
    resource: string | null;
  }[];
};

export type Metadata = Record<string, string>;

export type OAuthError = { error: string; error_description: string };

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
    | 'insufficient_scope'
    | 'account_disabled'
    | 'not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'idempotency_key_in_progress'
    | 'charge_already_captured'
    | 'charge_not_capturable'
    | 'charge_already_refunded'
    | 'charge_not_refundable'
    | 'refund_not_reversible'
    | 'customer_deleted'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'card_number_refused'
    | 'idempotency_key_reused'
    | 'capture_exceeds_authorized'
    | 'capture_declined'
    | 'refund_exceeds_captured'
    | 'refund_failed'
    | 'too_many_payment_methods'
    | 'precondition_required'
    | 'rate_limited'
    | 'internal_error'
    | 'processor_invalid_response'
    | 'service_unavailable'
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
  /** With `card_declined`: the failed charge, which stays readable. */
  charge?: string;
  /** With `refund_failed`: the failed refund, which stays readable. */
  refund?: string;
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
  /** More of them may come. */
  type: string;
  /** What was called, answered or waited for. `refund` is there when it was done for a refund. */
  detail: Record<string, string | number>;
};

/** What the service can be asked; each request is as `openapi.json` describes it. */

export interface Operations {
  /** Create a charge */
  createCharge(
    request: {
      headers?: {
        /** `respond-async`: do not wait for the outcome, answer 202 (RFC 7240). */
        Prefer?: string;
      };
      body: {
        amount: Amount;
        currency: Currency;
        payment_method: string;
        customer?: string;
        capture_method?: 'automatic' | 'manual';
        description?: string;
        statement_descriptor?: string;
        metadata?: Metadata;
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
        /** Only what was created after this time. */
        'created[gt]'?: string;
        /** Only what was created at this time or after. */
        'created[gte]'?: string;
        /** Only what was created before this time. */
        'created[lt]'?: string;
        /** Only what was created at this time or before. */
        'created[lte]'?: string;
        /** Only charges of this customer. */
        customer?: string;
        /** Only charges that read so. */
        status?: ChargeStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Charge[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a charge */
  getCharge(request: { params: { id: ChargeId } }, options?: CallOptions): Promise<Answer<Charge>>;

  /** Capture an authorized charge, in full or in part, once */
  captureCharge(
    request: { params: { id: ChargeId }; body?: { amount?: Amount } },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** Cancel a charge: void its authorization, or ask for it while the outcome is unknown */
  cancelCharge(
    request: { params: { id: ChargeId }; body?: Record<string, never> },
    options?: CallOptions,
  ): Promise<Answer<Charge>>;

  /** List what was done for a charge and its refunds, oldest first */
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
        /** `respond-async`: do not wait for the outcome, answer 202 (RFC 7240). */
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
        /** Only what was created after this time. */
        'created[gt]'?: string;
        /** Only what was created at this time or after. */
        'created[gte]'?: string;
        /** Only what was created before this time. */
        'created[lt]'?: string;
        /** Only what was created at this time or before. */
        'created[lte]'?: string;
        /** Only refunds of this charge. */
        charge?: string;
        /** Only refunds that read so. */
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
        /** `respond-async`: do not wait for the outcome, answer 202 (RFC 7240). */
        Prefer?: string;
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
    request: { params: { id: RefundId }; body?: Record<string, never> },
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
        /** Only what was created after this time. */
        'created[gt]'?: string;
        /** Only what was created at this time or after. */
        'created[gte]'?: string;
        /** Only what was created before this time. */
        'created[lt]'?: string;
        /** Only what was created at this time or before. */
        'created[lte]'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<{ data: Customer[]; has_more: boolean; next_cursor: string | null }>>;

  /** Read a customer */
  getCustomer(request: { params: { id: CustomerId } }, options?: CallOptions): Promise<Answer<Customer>>;

  /** Replace what is said of a customer; what is omitted is reset */
  replaceCustomer(
    request: {
      params: { id: CustomerId };
      headers: {
        /** The `ETag` of the resource as it was read, so that nobody’s change is lost; `*` for any. */
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

  /** Change what is said of a customer (RFC 7386); what is omitted stays */
  updateCustomer(
    request: {
      params: { id: CustomerId };
      headers: {
        /** The `ETag` of the resource as it was read, so that nobody’s change is lost; `*` for any. */
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
        /** The `ETag` of the resource as it was read, so that nobody’s change is lost; `*` for any. */
        'If-Match'?: string;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<null>>;

  /** Keep the card behind a token on file; it is the first of the payment methods then */
  attachPaymentMethod(
    request: { params: { id: CustomerId }; body: { token: string } },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Forget a payment method; charges made with it go on */
  detachPaymentMethod(
    request: { params: { id: CustomerId }; body: { payment_method: string } },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Read what became of an Idempotency-Key */
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
  getIdempotencyKey: { method: 'GET', path: '/v1/idempotency-keys/{key}', type: null },
} as const;
