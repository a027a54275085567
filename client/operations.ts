// Written by `npm run openapi` from openapi.json. A test holds the two together.

import type { Answer, CallOptions } from './calls.ts';

/** The version that these types are of. */

export const apiVersion = '2026-11-01';

/** The id of an account */
export type AccountId = string;

/** A whole number of minor currency units: 1999 is 19.99 EUR, and 1,999 JPY. */
export type Amount = number;

/** A dated version of this API */
export type ApiVersion = '2026-05-01' | '2026-11-01';

export type Capture = {
  /** Minor currency units, at most the amount of the charge; the rest is released. (Default: all of it) */
  amount?: Amount;
};

/** `automatic`: the money is taken at once. `manual`: it is only reserved, for at most 7 days, until `:capture` or `:cancel`. */
export type CaptureMethod = 'automatic' | 'manual';

export type Card = {
  brand: CardBrand;
  /** The last four digits of the card. */
  last4: string;
  /** The month in which it expires. */
  exp_month: number;
  /** The year in which it expires. */
  exp_year: number;
};

/** The network of the card */
export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover';

export type Charge = {
  id: ChargeId;
  /** Always `charge`. */
  object: 'charge';
  amount: Amount;
  currency: Currency;
  status: ChargeStatus;
  capture_method: CaptureMethod;
  /** The part of `amount` that was taken, in minor currency units. */
  amount_captured: number;
  /** The part of `amount_captured` that went back, or is about to, in minor currency units. */
  amount_refunded: number;
  /** Whether everything that was taken went back. */
  refunded: boolean;
  /** Who pays; `null` without a customer. */
  customer: CustomerId | null;
  payment_method: PaymentSource;
  /** Your own words, as given. */
  description: string | null;
  /** What the buyer reads on the statement of the card, as given. */
  statement_descriptor: string | null;
  metadata: Metadata;
  /** Why the charge failed; `null` if it did not. */
  failure: ChargeFailure | null;
  /** What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`. */
  next_action: ChargeNextAction | null;
  /** When the charge was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** When the money was taken. */
  captured_at: Time | null;
  /** When its cancel was requested. */
  cancel_requested_at: Time | null;
  /** When it was cancelled. */
  cancelled_at: Time | null;
  /** When its authorization ends, while the money is only reserved. */
  expires_at: Time | null;
};

export type ChargeAuthorizedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.authorized`. */
  type: 'charge.authorized';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

export type ChargeBatchOperation = {
  /** `operations/` and the id. */
  name: string;
  /** Always `operation`. */
  object: 'operation';
  id: OperationId;
  /** Always `charge_batch`. */
  type: 'charge_batch';
  status: OperationStatus;
  /** If true, exactly one of `error` and `response` is present. */
  done: boolean;
  /** `null` until the total is known. `completed` never decreases. */
  progress: OperationProgress | null;
  /** Why the operation ended without completing. */
  error?: Problem;
  /** The file that the operation made. */
  response?: ChargeBatchResult;
  /** When the operation was accepted. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** A finished operation can be read until then. */
  expires_at: Time | null;
};

/** A page of a list */
export type ChargeBatchOperationList = {
  /** The items of this page, at most `limit`. */
  data: ChargeBatchOperation[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type ChargeBatchResult = {
  /** A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one. */
  href: string;
  /** The media type of the file. */
  content_type: 'application/x-ndjson';
  /** Bytes. */
  size: number;
  /** The hash of the file, in hex. */
  sha256: string;
  /** The result is kept until then. */
  expires_at: Time;
};

export type ChargeCancelledEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.cancelled`. */
  type: 'charge.cancelled';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

/** The resource after the change, in `api_version` */
export type ChargeEventData = { object: Charge };

export type ChargeFailedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.failed`. */
  type: 'charge.failed';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

export type ChargeFailure = {
  code: ChargeFailureCode;
  /** With `card_declined`: why the card was refused. */
  decline_code: DeclineCode | null;
  /** For people; do not branch on it. */
  message: string;
};

/** Why the charge failed. */
export type ChargeFailureCode =
  'card_declined' | 'processor_timeout' | 'not_sent' | 'refused' | 'authentication_expired';

/** The rows of an export; all members must hold. */
export type ChargeFilter = {
  /** Only charges of this customer. */
  customer?: CustomerId;
  /** Only charges with this status when their line is written. */
  status?: ChargeStatus;
  /** Only rows made in this time. */
  created?: CreatedRange;
};

/** The id of a charge */
export type ChargeId = string;

/** A page of a list */
export type ChargeList = {
  /** The items of this page, at most `limit`. */
  data: Charge[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type ChargeNextAction = {
  /** The only kind there is. */
  type: 'redirect';
  /** Where to send the browser of the buyer, once. */
  url: string;
  /** Then the charge fails with `authentication_expired`. */
  expires_at: Time;
};

export type ChargePatch = {
  /** `null` removes it. */
  description?: string | null;
  /** Names to set or to remove; `null` removes all. */
  metadata?: MetadataPatch | null;
};

export type ChargeRequiresActionEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.requires_action`. */
  type: 'charge.requires_action';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

/** `pending`: the outcome is not known yet. `requires_action`: the buyer must confirm. `requires_capture`: the money is reserved. `succeeded`, `failed` and `cancelled` are final. */
export type ChargeStatus =
  'pending' | 'requires_action' | 'requires_capture' | 'succeeded' | 'failed' | 'cancelled';

export type ChargeSucceededEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.succeeded`. */
  type: 'charge.succeeded';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

export type ChargeUpdatedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `charge.updated`. */
  type: 'charge.updated';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: ChargeEventData;
};

/** The id of an OAuth client */
export type ClientId = string;

/** When the rows were made, in RFC 3339. */
export type CreatedRange = {
  /** Only items created after this time. */
  gt?: string;
  /** Only items created at this time or after. */
  gte?: string;
  /** Only items created before this time. */
  lt?: string;
  /** Only items created at this time or before. */
  lte?: string;
};

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
  /** Always `customer`. */
  object: 'customer';
  name: CustomerName | null;
  email: Email | null;
  description: Description | null;
  metadata: Metadata;
  /** The card that charges of this customer use by default; `null` if there is none. */
  default_payment_method: PaymentMethodId | null;
  /** The cards on file, newest first. */
  payment_methods: PaymentMethod[];
  /** When the customer was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
};

export type CustomerCreatedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `customer.created`. */
  type: 'customer.created';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: CustomerEventData;
};

export type CustomerDeletedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `customer.deleted`. */
  type: 'customer.deleted';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: CustomerDeletedEventData;
};

/** What is left of the customer */
export type CustomerDeletedEventData = { object: DeletedCustomer };

/** The resource after the change, in `api_version` */
export type CustomerEventData = { object: CustomerOrErased };

/** The id of a customer */
export type CustomerId = string;

/** A page of a list */
export type CustomerList = {
  /** The items of this page, at most `limit`. */
  data: Customer[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

/** The name of the customer, 1 to 200 characters */
export type CustomerName = string;

/** A customer, or what is left of one that was deleted */
export type CustomerOrErased = Customer | DeletedCustomer;

export type CustomerPatch = {
  name?: CustomerName | null;
  email?: Email | null;
  description?: Description | null;
  /** Names to set or to remove; `null` removes all. */
  metadata?: MetadataPatch | null;
  /** The card that charges of this customer use by default. It must be one of its own. */
  default_payment_method?: PaymentMethodId | null;
};

export type CustomerReplacement = {
  name?: CustomerName | null;
  email?: Email | null;
  description?: Description | null;
  metadata?: Metadata;
  /** The card that charges of this customer use by default. It must be one of its own. */
  default_payment_method?: PaymentMethodId | null;
};

export type CustomerUpdatedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `customer.updated`. */
  type: 'customer.updated';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: CustomerEventData;
};

/** Why a card was refused. `generic_decline` where its issuer gives no reason. */
export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'lost_card'
  | 'stolen_card'
  | 'processing_error'
  | 'authentication_required'
  | 'authentication_failed';

/** What is left of a customer that was deleted: events show it. */
export type DeletedCustomer = {
  id: CustomerId;
  /** Always `customer`. */
  object: 'customer';
  /** Always `true`. */
  deleted: true;
};

/** Your own words, 1 to 500 characters */
export type Description = string;

/** An email address, at most 254 characters */
export type Email = string;

/** An object without members; it can be left out. */
export type EmptyBody = Record<string, never>;

/** The resource after the change, in `api_version` */
export type EndpointEventData = { object: WebhookEndpoint };

export type EndpointTestEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `endpoint.test`. */
  type: 'endpoint.test';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: EndpointEventData;
};

/** A change of a resource. `type` says what changed, and what `data.object` is. */
export type Event =
  | ChargeRequiresActionEvent
  | ChargeAuthorizedEvent
  | ChargeSucceededEvent
  | ChargeFailedEvent
  | ChargeCancelledEvent
  | ChargeUpdatedEvent
  | RefundProcessedEvent
  | RefundSettledEvent
  | RefundFailedEvent
  | RefundReversedEvent
  | OperationSucceededEvent
  | OperationFailedEvent
  | OperationCancelledEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerDeletedEvent
  | WebhookEndpointDisabledEvent
  | EndpointTestEvent;

/** The rows of an export; all members must hold. */
export type EventFilter = {
  /** Only events of this type. */
  type?: EventType;
  /** Only rows made in this time. */
  created?: CreatedRange;
};

/** The id of an event */
export type EventId = string;

/** A page of a list */
export type EventList = {
  /** The items of this page, at most `limit`. */
  data: Event[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

/** By `sequence`: `desc`, the newest first, or `asc`, the oldest first. */
export type EventOrder = 'desc' | 'asc';

/** A type of events, all types of a resource (`charge.*`), or all types, new ones too (`*`). */
export type EventPattern =
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

/** What happened, as `{resource}.{change}`. */
export type EventType =
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

/** `csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line. */
export type ExportFormat = 'csv' | 'ndjson';

export type ExportOperation = {
  /** `operations/` and the id. */
  name: string;
  /** Always `operation`. */
  object: 'operation';
  id: OperationId;
  /** Always `export`. */
  type: 'export';
  status: OperationStatus;
  /** If true, exactly one of `error` and `response` is present. */
  done: boolean;
  /** `null` until the total is known. `completed` never decreases. */
  progress: OperationProgress | null;
  /** Why the operation ended without completing. */
  error?: Problem;
  /** The file that the operation made. */
  response?: ExportResult;
  /** When the operation was accepted. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** A finished operation can be read until then. */
  expires_at: Time | null;
};

/** A page of a list */
export type ExportOperationList = {
  /** The items of this page, at most `limit`. */
  data: ExportOperation[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type ExportResult = {
  /** A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one. */
  href: string;
  /** The media type of the file. */
  content_type: 'text/csv; charset=utf-8; header=present' | 'application/x-ndjson';
  /** Bytes. */
  size: number;
  /** The hash of the file, in hex. */
  sha256: string;
  /** The result is kept until then. */
  expires_at: Time;
};

/** `client_credentials`, or `refresh_token` for clients that have one. */
export type GrantType = 'client_credentials' | 'refresh_token';

export type IdempotencyKey = {
  /** Always `idempotency_key`. */
  object: 'idempotency_key';
  /** The key, without quotes. */
  key: string;
  /** One for each endpoint, oldest first. */
  uses: IdempotencyKeyUse[];
};

/** Whether the key has its answer. */
export type IdempotencyKeyStatus = 'in_progress' | 'done';

export type IdempotencyKeyUse = {
  /** Method and route template. */
  endpoint: string;
  status: IdempotencyKeyStatus;
  /** When the request came first. */
  since: Time;
  /** The key is kept until then, and for as long as its resource may still change. */
  until: Time;
  /** The path of the resource that the request created or changed; `null` if there is none, or none yet. */
  resource: string | null;
};

export type IntrospectionRequest = {
  /** An access token or a refresh token of this client. */
  token: string;
  /** Accepted and ignored: the token itself shows its type. */
  token_type_hint?: string;
  client_id?: ClientId;
  /** The secret of the client, without HTTP Basic. */
  client_secret?: string;
  /** Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
  client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  /** A JWT that the client signed (RFC 7523). */
  client_assertion?: string;
};

export type IssuerMetadata = {
  /** `iss` of the tokens. */
  issuer: string;
  /** Where tokens are issued. */
  token_endpoint: string;
  /** Where the public keys are. */
  jwks_uri: string;
};

/** Names and values of your own, returned unchanged: at most 50, names of 1 to 40 characters, values of at most 500. */
export type Metadata = Record<string, string>;

/** Names to set, and names to remove (`null`). Other names stay. */
export type MetadataPatch = Record<string, string | null>;

export type NewBatchedCharge = {
  amount: Amount;
  currency: Currency;
  /** A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer) */
  payment_method?: PaymentSource;
  /** Who pays. Needed for a payment method on file. */
  customer?: CustomerId;
  /** Whether the money is taken at once, or reserved first. */
  capture_method?: CaptureMethod;
  /** For your own use, at most 500 characters. */
  description?: string;
  /** What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters. */
  statement_descriptor?: string;
  metadata?: Metadata;
};

export type NewCharge = {
  amount: Amount;
  currency: Currency;
  /** A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer) */
  payment_method?: PaymentSource;
  /** Who pays. Needed for a payment method on file. */
  customer?: CustomerId;
  /** Whether the money is taken at once, or reserved first. */
  capture_method?: CaptureMethod;
  /** For your own use, at most 500 characters. */
  description?: string;
  /** What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters. */
  statement_descriptor?: string;
  metadata?: Metadata;
  /** Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the processor asks buyers for nothing. */
  return_url?: string;
};

export type NewChargeBatch = {
  /** Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result. */
  charges: NewBatchedCharge[];
};

export type NewChargeExport = {
  /** The rows are charges. */
  resource: 'charges';
  format: ExportFormat;
  filter?: ChargeFilter;
};

export type NewChargeRefund = {
  /** Minor currency units. (Default: all that is left) */
  amount?: Amount;
  /** Why the money goes back, for your own records. */
  reason?: RefundReason;
  metadata?: Metadata;
};

export type NewCustomer = {
  name?: CustomerName | null;
  email?: Email | null;
  description?: Description | null;
  metadata?: Metadata;
};

export type NewEventExport = {
  /** The rows are events of the last 30 days. */
  resource: 'events';
  format: ExportFormat;
  filter?: EventFilter;
};

/** What to export; `resource` says which filter there is. */
export type NewExport = NewChargeExport | NewRefundExport | NewEventExport;

export type NewRefund = {
  /** Minor currency units. (Default: all that is left) */
  amount?: Amount;
  /** Why the money goes back, for your own records. */
  reason?: RefundReason;
  metadata?: Metadata;
  charge: ChargeId;
};

export type NewRefundExport = {
  /** The rows are refunds. */
  resource: 'refunds';
  format: ExportFormat;
  filter?: RefundFilter;
};

export type NewWebhookEndpoint = {
  /** HTTPS, with a host that has only public addresses, without credentials and fragment. */
  url: string;
  /** What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`). */
  events: EventPattern[];
  description?: string | null;
  metadata?: Metadata;
  /** The API version of its payloads. (Default: that of the request) */
  api_version?: ApiVersion;
  ordering?: WebhookOrdering;
};

export type NewWebhookReplay = {
  /** Events from this time on. Events are kept for 30 days. */
  since: string;
  /** Events before this time. (Default: now) */
  until?: string;
  /** Types and patterns. (Default: those of the endpoint) */
  types?: EventPattern[];
  /** Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery) */
  status?: WebhookDeliveryStatus;
  /** Count the events, but send nothing. */
  dry_run?: boolean;
};

export type OAuthError = {
  error: OAuthErrorCode;
  /** What to do, for people. */
  error_description: string;
};

/** What a program branches on (RFC 6749 §5.2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable';

/** Work that lasts longer than its request */
export type Operation = ExportOperation | ChargeBatchOperation | WebhookReplayOperation;

export type OperationCancelledEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `operation.cancelled`. */
  type: 'operation.cancelled';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: OperationEventData;
};

/** The resource after the change, in `api_version` */
export type OperationEventData = { object: Operation };

export type OperationFailedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `operation.failed`. */
  type: 'operation.failed';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: OperationEventData;
};

/** The id of an operation */
export type OperationId = string;

/** A page of a list */
export type OperationList = {
  /** The items of this page, at most `limit`. */
  data: Operation[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type OperationProgress = {
  /** Steps that are done; never fewer than before. */
  completed: number;
  /** Steps that there are. */
  total: number;
};

/** `cancelling`: a cancel was requested, and the work has not stopped yet. `succeeded`, `failed` and `cancelled` are final. */
export type OperationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelling' | 'cancelled';

export type OperationSucceededEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `operation.succeeded`. */
  type: 'operation.succeeded';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: OperationEventData;
};

/** What the operation does. */
export type OperationType = 'export' | 'charge_batch' | 'webhook_replay';

export type PaymentMethod = {
  id: PaymentMethodId;
  /** Always `payment_method`. */
  object: 'payment_method';
  /** The only kind there is. */
  type: 'card';
  card: Card;
};

export type PaymentMethodAttachment = {
  /** The token of the processor for the card. */
  token: string;
};

export type PaymentMethodDetachment = {
  /** The payment method to remove. */
  payment_method: PaymentMethodId;
};

/** The id of a payment method */
export type PaymentMethodId = string;

/** A one-off token of the processor (`tok_…`), or a payment method of the customer (`pm_…`) */
export type PaymentSource = string;

/** A problem document (RFC 9457). */
export type Problem = {
  /** Where the code is explained. */
  type: string;
  code: ProblemCode;
  /** The same for every occurrence of the code. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** What went wrong this time, and what to do. */
  detail: string;
  /** The path that was asked for. */
  instance: string;
  trace_id: TraceId;
  /** With `validation_failed`: each fault of the body. */
  errors?: ValidationFault[];
  /** With a decline: why the card was refused. */
  decline_code?: DeclineCode;
  /** The charge that was declined, refused, voided, never sent or cancelled, which stays readable. */
  charge?: ChargeId;
  /** With `refund_failed`: the failed refund, which stays readable. */
  refund?: RefundId;
  /** With `operation_cancelled`: the path of the result of what was done by then, where there is one. */
  result?: string;
};

/** What a program branches on. Codes are never renamed; new ones may be added. */
export type ProblemCode =
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

export type Refund = {
  id: RefundId;
  /** Always `refund`. */
  object: 'refund';
  charge: ChargeId;
  /** The money that goes back, in minor currency units. */
  amount: Amount;
  currency: Currency;
  status: RefundStatus;
  /** Why the money goes back, as given. */
  reason: RefundReason | null;
  metadata: Metadata;
  /** Until when `:cancel` can reverse the refund. */
  reversible_until: Time | null;
  /** Why the refund failed; `null` if it did not. */
  failure: RefundFailure | null;
  /** When the refund was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
};

/** The resource after the change, in `api_version` */
export type RefundEventData = { object: Refund };

export type RefundFailedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `refund.failed`. */
  type: 'refund.failed';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: RefundEventData;
};

export type RefundFailure = {
  /** As the processor names it, or `refund_reversed`. */
  code: string;
  /** For people; do not branch on it. */
  message: string;
};

/** The rows of an export; all members must hold. */
export type RefundFilter = {
  /** Only refunds of this charge. */
  charge?: ChargeId;
  /** Only refunds with this status when their line is written. */
  status?: RefundStatus;
  /** Only rows made in this time. */
  created?: CreatedRange;
};

/** The id of a refund */
export type RefundId = string;

/** A page of a list */
export type RefundList = {
  /** The items of this page, at most `limit`. */
  data: Refund[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type RefundProcessedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `refund.processed`. */
  type: 'refund.processed';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: RefundEventData;
};

/** Why the money goes back, in your records. */
export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer';

export type RefundReversedEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `refund.reversed`. */
  type: 'refund.reversed';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: RefundEventData;
};

export type RefundSettledEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `refund.settled`. */
  type: 'refund.settled';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: RefundEventData;
};

/** `pending`: the processor has not accepted it yet. `processed`: accepted, and reversible until `reversible_until`. `settled`, `failed` and `reversed` are final. */
export type RefundStatus = 'pending' | 'processed' | 'settled' | 'failed' | 'reversed';

export type Request = {
  id: RequestId;
  /** Always `request`. */
  object: 'request';
  trace_id: TraceId;
  method: string;
  /** The template of its path. */
  route: string;
  /** Its path without the query. A part that is no id of ours reads as in `route`. */
  path: string;
  /** The id of what it made, or of what its path names. */
  resource: string | null;
  /** Of the answer. 499: the caller had gone. */
  status: number;
  /** The code of the problem; `null` without one. */
  code: string | null;
  idempotency_key: string | null;
  /** Whether the answer was that of an earlier request with the key. */
  replayed: boolean;
  client: ClientId;
  /** From its head to its answer. */
  duration_ms: number;
  /** When it was answered. */
  created: Time;
};

/** The id of a request */
export type RequestId = string;

/** A page of a list */
export type RequestList = {
  /** The items of this page, at most `limit`. */
  data: Request[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type RequestTrace = {
  /** Always `request_trace`. */
  object: 'request_trace';
  trace_id: TraceId;
  /** Oldest first, at most 100. */
  requests: Request[];
};

export type RevocationRequest = {
  /** An access token or a refresh token of this client. */
  token: string;
  /** Accepted and ignored: the token itself shows its type. */
  token_type_hint?: string;
  client_id?: ClientId;
  /** The secret of the client, without HTTP Basic. */
  client_secret?: string;
  /** Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
  client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  /** A JWT that the client signed (RFC 7523). */
  client_assertion?: string;
};

export type SecretRotation = {
  /** How long the current secret signs beside the new one, in seconds. */
  overlap_seconds?: number;
};

/** A public key (RFC 7517) */
export type SigningKey = {
  /** The kind of the key. */
  kty: string;
  /** Which key it is: `kid` in the head of a token. */
  kid: string;
};

export type SigningKeys = {
  /** The keys that verify tokens. */
  keys: SigningKey[];
};

/** RFC 3339 in UTC, with milliseconds */
export type Time = string;

export type TimelineEntry = {
  /** Always `timeline_entry`. */
  object: 'timeline_entry';
  /** When the step ended. */
  at: Time;
  /** What happened. New types may be added. */
  type: string;
  /** The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` is in minor units, with its `currency`. */
  detail: Record<string, string | number>;
};

/** A page of a list */
export type TimelineEntryList = {
  /** The items of this page, at most `limit`. */
  data: TimelineEntry[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type Token = {
  /** Send it as `Authorization: Bearer …`. Do not read it: its form may change. */
  access_token: string;
  /** Always `Bearer`. */
  token_type: 'Bearer';
  /** How long the token is valid, in seconds. */
  expires_in: number;
  /** The scopes that were granted, separated by spaces. */
  scope: string;
  /** Only for clients that are registered for it. Valid once. */
  refresh_token?: string;
};

export type TokenIntrospection = {
  /** Whether the token is valid, and of this client. If not, nothing else is told. */
  active: boolean;
  /** Always `Bearer`. */
  token_type?: 'Bearer';
  /** Its scopes, separated by spaces. */
  scope?: string;
  client_id?: ClientId;
  account_id?: AccountId;
  /** The client again. */
  sub?: string;
  /** The issuer. */
  iss?: string;
  /** The service that the token is for. */
  aud?: string;
  /** The id of the token. */
  jti?: string;
  /** When it was issued, in Unix seconds. */
  iat?: number;
  /** From when it is valid, in Unix seconds. */
  nbf?: number;
  /** Until when it is valid, in Unix seconds. */
  exp?: number;
};

export type TokenRequest = {
  grant_type: GrantType;
  /** Some scopes of the client, separated by spaces. (Default: all of them) */
  scope?: string;
  /** The refresh token, which is valid once; with `grant_type=refresh_token`. */
  refresh_token?: string;
  client_id?: ClientId;
  /** The secret of the client, without HTTP Basic. */
  client_secret?: string;
  /** Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
  client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  /** A JWT that the client signed (RFC 7523). */
  client_assertion?: string;
};

/** Names one request in the logs of the service. */
export type TraceId = string;

export type ValidationFault = {
  /** RFC 6901, into the body. */
  pointer: string;
  /** What is wrong; new codes may be added. */
  code: string;
  /** What to send instead. */
  detail: string;
};

export type WebhookAttempt = {
  /** Counts from 1. */
  number: number;
  /** When it began. */
  at: Time;
  /** The status of the answer; `null` if there was none. */
  status_code: number | null;
  /** How long it took, in milliseconds. */
  latency_ms: number;
  /** Why the attempt failed; `null` if it delivered. */
  error: string | null;
  /** The first 1 KiB of the answer. */
  response_body: string | null;
};

export type WebhookDelivery = {
  id: WebhookDeliveryId;
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery';
  endpoint: WebhookEndpointId;
  event: EventId;
  type: EventType;
  status: WebhookDeliveryStatus;
  /** The attempts so far. */
  attempt_count: number;
  /** When the next attempt is due; `null` if none follows. */
  next_attempt_at: Time | null;
  /** Whether a caller requested the delivery; an event makes the others. */
  replay: boolean;
  /** The delivery that this one repeats, if it repeats one. */
  replay_of: WebhookDeliveryId | null;
  /** When the delivery was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
};

export type WebhookDeliveryDetail = {
  id: WebhookDeliveryId;
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery';
  endpoint: WebhookEndpointId;
  event: EventId;
  type: EventType;
  status: WebhookDeliveryStatus;
  /** The attempts so far. */
  attempt_count: number;
  /** When the next attempt is due; `null` if none follows. */
  next_attempt_at: Time | null;
  /** Whether a caller requested the delivery; an event makes the others. */
  replay: boolean;
  /** The delivery that this one repeats, if it repeats one. */
  replay_of: WebhookDeliveryId | null;
  /** When the delivery was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** Every attempt, oldest first. */
  attempts: WebhookAttempt[];
};

/** A status, or several: `open` is `pending` and `retrying`; `undelivered` is those and `dead_letter`. */
export type WebhookDeliveryFilter =
  'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled' | 'open' | 'undelivered';

/** The id of a webhook delivery */
export type WebhookDeliveryId = string;

/** A page of a list */
export type WebhookDeliveryList = {
  /** The items of this page, at most `limit`. */
  data: WebhookDelivery[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

/** `pending`: not tried yet. `retrying`: an attempt failed, and another one is due. `delivered`: the endpoint answered 2xx. `dead_letter`: the last attempt failed. `cancelled`: the endpoint was disabled or deleted. */
export type WebhookDeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'dead_letter' | 'cancelled';

/** `requested`: you did. `failing`: it failed for too long. `gone`: it answered 410. */
export type WebhookDisabledReason = 'requested' | 'failing' | 'gone';

export type WebhookEndpoint = {
  id: WebhookEndpointId;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** Where events are sent. */
  url: string;
  /** What the endpoint receives. */
  events: EventPattern[];
  status: WebhookEndpointStatus;
  /** Why the endpoint is disabled; `null` if it is not. */
  disabled_reason: WebhookDisabledReason | null;
  description: string | null;
  metadata: Metadata;
  api_version: ApiVersion;
  ordering: WebhookOrdering;
  /** When the first failure in a row was; `null` while deliveries succeed. */
  failing_since: Time | null;
  /** The last attempt that failed. */
  last_failure: WebhookFailure | null;
  /** The secrets that sign, newest first. */
  secrets: WebhookSecret[];
  /** When the endpoint was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
};

export type WebhookEndpointDisabledEvent = {
  /** The same in every delivery of this event: a receiver skips an id that it has seen. */
  id: EventId;
  /** Always `event`. */
  object: 'event';
  /** Always `webhook_endpoint.disabled`. */
  type: 'webhook_endpoint.disabled';
  /** When it happened. */
  timestamp: Time;
  /** Grows by one with each event of the account, in the order in which they happened. */
  sequence: number;
  /** The version of `data.object`. */
  api_version: ApiVersion;
  account: AccountId;
  data: WebhookEndpointEventData;
};

/** The resource after the change, in `api_version` */
export type WebhookEndpointEventData = { object: WebhookEndpoint };

/** The id of a webhook endpoint */
export type WebhookEndpointId = string;

/** A page of a list */
export type WebhookEndpointList = {
  /** The items of this page, at most `limit`. */
  data: WebhookEndpoint[];
  /** Whether another page follows. */
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last one. Valid for this list and filter only. */
  next_cursor: string | null;
};

export type WebhookEndpointPatch = {
  /** HTTPS, with a host that has only public addresses, without credentials and fragment. */
  url?: string;
  /** What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`). */
  events?: EventPattern[];
  status?: WebhookEndpointStatus;
  description?: string | null;
  /** Names to set or to remove; `null` removes all. */
  metadata?: MetadataPatch | null;
  /** The API version of its payloads. (Default: that of the request) */
  api_version?: ApiVersion;
  /** `null` is the same as `none`. */
  ordering?: WebhookOrdering | null;
};

/** `disabled`: it receives nothing, and its open deliveries are cancelled. */
export type WebhookEndpointStatus = 'enabled' | 'disabled';

export type WebhookEndpointWithSecret = {
  id: WebhookEndpointId;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** Where events are sent. */
  url: string;
  /** What the endpoint receives. */
  events: EventPattern[];
  status: WebhookEndpointStatus;
  /** Why the endpoint is disabled; `null` if it is not. */
  disabled_reason: WebhookDisabledReason | null;
  description: string | null;
  metadata: Metadata;
  api_version: ApiVersion;
  ordering: WebhookOrdering;
  /** When the first failure in a row was; `null` while deliveries succeed. */
  failing_since: Time | null;
  /** The last attempt that failed. */
  last_failure: WebhookFailure | null;
  /** The secrets that sign, newest first. */
  secrets: WebhookSecret[];
  /** When the endpoint was made. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only. */
  secret: string;
};

export type WebhookFailure = {
  /** When it failed. */
  at: Time;
  /** The status of the answer; `null` if there was none. */
  status_code: number | null;
  /** Why it failed, for people. */
  message: string;
};

/** `none`: as fast as the endpoint takes them. `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones. */
export type WebhookOrdering = 'none' | 'fifo';

export type WebhookReplayOperation = {
  /** `operations/` and the id. */
  name: string;
  /** Always `operation`. */
  object: 'operation';
  id: OperationId;
  /** Always `webhook_replay`. */
  type: 'webhook_replay';
  status: OperationStatus;
  /** If true, exactly one of `error` and `response` is present. */
  done: boolean;
  /** `null` until the total is known. `completed` never decreases. */
  progress: OperationProgress | null;
  /** Why the operation ended without completing. */
  error?: Problem;
  /** The file that the operation made. */
  response?: WebhookReplayResult;
  /** When the operation was accepted. */
  created: Time;
  /** When it last changed. */
  updated: Time;
  /** A finished operation can be read until then. */
  expires_at: Time | null;
};

export type WebhookReplayResult = {
  /** A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one. */
  href: string;
  /** The media type of the file. */
  content_type: 'application/json';
  /** Bytes. */
  size: number;
  /** The hash of the file, in hex. */
  sha256: string;
  /** The result is kept until then. */
  expires_at: Time;
};

/** A secret that signs, without its value */
export type WebhookSecret = {
  id: WebhookSecretId;
  /** When the secret was made. */
  created: Time;
  /** Until when it signs; `null` for the current secret. */
  expires_at: Time | null;
};

/** The id of a webhook secret */
export type WebhookSecretId = string;

/** What the service can be asked; each request is as `openapi.json` describes it. */

export interface Operations {
  /** Create a charge */
  createCharge(
    request: {
      headers?: {
        /** `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240). */
        Prefer?: string;
      };
      body: NewCharge;
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
        customer?: CustomerId;
        /** Only charges with this status. */
        status?: ChargeStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<ChargeList>>;

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
      body?: Capture;
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
      body?: EmptyBody;
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
  ): Promise<Answer<TimelineEntryList>>;

  /** Refund a charge, in full or in part */
  createRefund(
    request: {
      headers?: {
        /** `respond-async` answers 202 at once, without waiting for the outcome (RFC 7240). */
        Prefer?: string;
      };
      body: NewRefund;
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
        charge?: ChargeId;
        /** Only refunds with this status. */
        status?: RefundStatus;
      };
    },
    options?: CallOptions,
  ): Promise<Answer<RefundList>>;

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
      body?: NewChargeRefund;
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
      body?: EmptyBody;
    },
    options?: CallOptions,
  ): Promise<Answer<Refund>>;

  /** Create a customer */
  createCustomer(request?: { body?: NewCustomer }, options?: CallOptions): Promise<Answer<Customer>>;

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
  ): Promise<Answer<CustomerList>>;

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
      body?: CustomerReplacement;
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
      body?: CustomerPatch;
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
      body: PaymentMethodAttachment;
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
      body: PaymentMethodDetachment;
    },
    options?: CallOptions,
  ): Promise<Answer<Customer>>;

  /** Register a URL that receives events */
  createWebhookEndpoint(
    request: { body: NewWebhookEndpoint },
    options?: CallOptions,
  ): Promise<Answer<WebhookEndpointWithSecret>>;

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
  ): Promise<Answer<WebhookEndpointList>>;

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
      body?: WebhookEndpointPatch;
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
  rotateWebhookEndpointSecret(
    request: {
      params: { id: WebhookEndpointId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: SecretRotation;
    },
    options?: CallOptions,
  ): Promise<Answer<WebhookEndpointWithSecret>>;

  /** Replay past events to this endpoint, including types it was not subscribed to */
  replayWebhookEndpoint(
    request: { params: { id: WebhookEndpointId }; body: NewWebhookReplay },
    options?: CallOptions,
  ): Promise<Answer<WebhookReplayOperation>>;

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
  ): Promise<Answer<Record<string, unknown>>>;

  /** List the deliveries of a webhook endpoint, newest first */
  listWebhookEndpointDeliveries(
    request: {
      params: { id: WebhookEndpointId };
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        /** Only deliveries with this status. */
        status?: WebhookDeliveryStatus;
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
  ): Promise<Answer<WebhookDeliveryList>>;

  /** List the deliveries of all webhook endpoints, newest first */
  listWebhookDeliveries(
    request?: {
      query?: {
        /** How many items a page holds, 1 to 100. (Default: 20) */
        limit?: number;
        /** `next_cursor` of the page before. */
        starting_after?: string;
        status?: WebhookDeliveryFilter;
        /** Only deliveries to this endpoint. */
        endpoint?: WebhookEndpointId;
        /** Only the deliveries that this event made, without its replays. */
        event?: EventId;
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
  ): Promise<Answer<WebhookDeliveryList>>;

  /** Read a delivery with every attempt */
  getWebhookDelivery(
    request: { params: { id: WebhookDeliveryId } },
    options?: CallOptions,
  ): Promise<Answer<WebhookDeliveryDetail>>;

  /** Send the event of a delivery to its endpoint again, whatever its outcome */
  replayWebhookDelivery(
    request: { params: { id: WebhookDeliveryId }; body?: EmptyBody },
    options?: CallOptions,
  ): Promise<Answer<WebhookDelivery>>;

  /** Send an event `endpoint.test` to this endpoint only */
  testWebhookEndpoint(
    request: { params: { id: WebhookEndpointId }; body?: EmptyBody },
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
        order?: EventOrder;
        /** Only events with a higher `sequence`. It needs `order=asc`. */
        after_sequence?: number;
        /** Only events of this type. */
        type?: EventType;
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
  ): Promise<Answer<EventList>>;

  /** Export charges, refunds or events to a file */
  createExport(request: { body: NewExport }, options?: CallOptions): Promise<Answer<ExportOperation>>;

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
  ): Promise<Answer<ExportOperationList>>;

  /** Read an export */
  getExport(
    request: { params: { id: OperationId } },
    options?: CallOptions,
  ): Promise<Answer<ExportOperation>>;

  /** Cancel an export; one that is done stays as it is */
  cancelExport(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: EmptyBody;
    },
    options?: CallOptions,
  ): Promise<Answer<ExportOperation>>;

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
    request: { body: NewChargeBatch },
    options?: CallOptions,
  ): Promise<Answer<ChargeBatchOperation>>;

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
  ): Promise<Answer<ChargeBatchOperationList>>;

  /** Read a charge batch */
  getChargeBatch(
    request: { params: { id: OperationId } },
    options?: CallOptions,
  ): Promise<Answer<ChargeBatchOperation>>;

  /** Cancel a charge batch; one that is done stays as it is */
  cancelChargeBatch(
    request: {
      params: { id: OperationId };
      headers?: {
        /** The `ETag` of the resource as it was read, so that no other change is lost; `*` for any. */
        'If-Match'?: string;
      };
      body?: EmptyBody;
    },
    options?: CallOptions,
  ): Promise<Answer<ChargeBatchOperation>>;

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
  ): Promise<Answer<OperationList>>;

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
      body?: EmptyBody;
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

  /** List the requests of the account, newest first */
  listRequests(
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
  ): Promise<Answer<RequestList>>;

  /** Read what a trace id did: the requests that were made with it */
  getRequest(
    request: { params: { trace_id: TraceId } },
    options?: CallOptions,
  ): Promise<Answer<RequestTrace>>;
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
  rotateWebhookEndpointSecret: {
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
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhook-deliveries', type: null },
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
  cancelExport: { method: 'POST', path: '/v1/exports/{id}/cancel', type: 'application/json' },
  getExportResult: { method: 'GET', path: '/v1/exports/{id}/result', type: null },
  createChargeBatch: { method: 'POST', path: '/v1/charge-batches', type: 'application/json' },
  listChargeBatches: { method: 'GET', path: '/v1/charge-batches', type: null },
  getChargeBatch: { method: 'GET', path: '/v1/charge-batches/{id}', type: null },
  cancelChargeBatch: { method: 'POST', path: '/v1/charge-batches/{id}/cancel', type: 'application/json' },
  getChargeBatchResult: { method: 'GET', path: '/v1/charge-batches/{id}/result', type: null },
  listOperations: { method: 'GET', path: '/v1/operations', type: null },
  getOperation: { method: 'GET', path: '/v1/operations/{id}', type: null },
  deleteOperation: { method: 'DELETE', path: '/v1/operations/{id}', type: null },
  cancelOperation: { method: 'POST', path: '/v1/operations/{id}:cancel', type: 'application/json' },
  getIdempotencyKey: { method: 'GET', path: '/v1/idempotency-keys/{key}', type: null },
  listRequests: { method: 'GET', path: '/v1/requests', type: null },
  getRequest: { method: 'GET', path: '/v1/requests/{trace_id}', type: null },
} as const;
