import type { DeclineAdvice } from './cards/decline-advice.ts';

/**
 * The catalogue of problems that a caller can act on (RFC 9457).
 *
 * Clients branch on the code, so a code is never renamed. Titles and details may improve.
 */

export interface Problem {
  status: number;
  /** The same for every occurrence (RFC 9457 §3.1.3). */
  title: string;
  /** Says what to do, on the page at `/problems/{code}` and as the default detail. */
  advice: string;
  /** The members beyond the standard ones, as an example; the documents show it. */
  example?: ProblemExtras;
}

/** One fault of a body: its place (RFC 6901), its code, and what to do. */
export interface ValidationFault {
  pointer: string;
  code: string;
  detail: string;
}

/** Members beyond the standard ones, by code. */
export interface ProblemExtras {
  errors?: ValidationFault[];
  decline_code?: string;
  /** What to do after the decline. */
  advice?: DeclineAdvice;
  /** Id of the charge that was declined, refused, voided or cancelled. */
  charge?: string;
  /** Id of the refund that failed. */
  refund?: string;
  /** Path of the result of the work that a cancelled operation had done. */
  result?: string;
}

const exampleCharge = 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D';

export const catalogue = {
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    advice: 'Send one JSON object in UTF-8, without duplicate member names.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is unknown or has a value that cannot be used',
    advice: 'Compare the query string with the parameters that the route documents.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor was not issued for this list',
    advice: 'Pass `next_cursor` of the previous page unchanged, with the same filters and account.',
  },
  idempotency_key_required: {
    status: 400,
    title: 'This request needs an Idempotency-Key header',
    advice:
      'Create one unique key for each logical operation, such as a UUID, and send the same key on each retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header cannot be used',
    advice:
      'Use 1 to 255 visible ASCII characters, bare or as a quoted string; not a card number. A UUID is always right.',
  },
  unknown_api_version: {
    status: 400,
    title: 'There is no such API version',
    advice: 'Leave the API-Version header out to use your account’s version, or name one that exists.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is missing or invalid',
    advice: 'Get an access token at /oauth2/token, and send it as `Authorization: Bearer …`.',
  },
  card_declined: {
    status: 402,
    title: 'The card was declined',
    advice:
      'Read `decline_code`, and from version 2026-11-01 on `advice`. Retrying with the same key repeats this answer.',
    example: { decline_code: 'insufficient_funds', advice: 'retry_later', charge: exampleCharge },
  },
  payment_not_sent: {
    status: 402,
    title: 'The payment could not be sent to the processor in time',
    advice: 'No money was taken: the charge named here reads `failed`. Use a new key to try again.',
    example: { charge: exampleCharge },
  },
  payment_voided: {
    status: 402,
    title: 'The payment was voided because its outcome stayed unknown',
    advice: 'No money was taken: the charge named here reads `failed`. Use a new key to try again.',
    example: { charge: exampleCharge },
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token lacks the scope this needs',
    advice: 'Request the scope that WWW-Authenticate names when you get the token.',
  },
  account_disabled: {
    status: 403,
    title: 'The account is disabled',
    advice: 'Contact the operator of this service.',
  },
  not_found: {
    status: 404,
    title: 'There is no such resource',
    advice: 'Check the id, and that the token belongs to the account that owns it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The resource does not support this method',
    advice: 'The Allow header lists the methods it supports.',
  },
  not_acceptable: {
    status: 406,
    title: 'No representation satisfies the Accept header',
    advice: 'Accept application/json.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    advice: 'Send the whole request at once; nothing has happened.',
  },
  idempotency_key_in_progress: {
    status: 409,
    title: 'The first request with this key is still in progress',
    advice: 'Wait for Retry-After seconds and send the same request again.',
  },
  charge_cancelled: {
    status: 409,
    title: 'The charge was cancelled before its outcome was known',
    advice: 'No money was taken: the charge named here reads `cancelled`. Use a new key to make another one.',
    example: { charge: exampleCharge },
  },
  charge_already_captured: {
    status: 409,
    title: 'The charge is captured already',
    advice: 'An authorization can be captured once; read the charge for the amount taken.',
  },
  charge_not_capturable: {
    status: 409,
    title: 'The charge cannot be captured',
    advice: 'Only a charge in `requires_capture` can be captured.',
  },
  charge_already_refunded: {
    status: 409,
    title: 'The charge is refunded in full already',
    advice: 'Nothing is left to refund. The refunds of the charge show where the amount went.',
  },
  charge_not_refundable: {
    status: 409,
    title: 'The charge cannot be refunded',
    advice: 'Only a charge that reads `succeeded` can be refunded; refund it then, with a new key.',
  },
  refund_not_reversible: {
    status: 409,
    title: 'The refund cannot be reversed',
    advice: 'Only a refund that reads `processed` can be reversed, until its `reversible_until`.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    title: 'The webhook endpoint is disabled',
    advice: 'Enable it first: nothing is sent to it while it is disabled.',
  },
  operation_cancelled: {
    status: 409,
    title: 'The operation was cancelled',
    advice:
      'It stopped at a request to cancel; work done by then stays done. Read the result of a charge batch before you submit anything again: each row with a charge was begun.',
    example: { result: '/v1/charge-batches/op_01JF3ZC5T7P3X9R2V8K4M6N1WD/result' },
  },
  operation_not_done: {
    status: 409,
    title: 'The operation has no result yet',
    advice: 'Poll it, no faster than Retry-After says, until `done` is true.',
  },
  link_expired: {
    status: 403,
    title: 'The link is expired or was not made by this service',
    advice: 'Read the operation again for a fresh `href`.',
  },
  result_expired: {
    status: 410,
    title: 'The result is no longer kept',
    advice:
      'Results are kept for 7 days. Submit an export again with a new key. Never submit a charge batch again: `GET /v1/charges?charge_batch=op_…` lists its charges.',
  },
  customer_deleted: {
    status: 410,
    title: 'The customer was deleted',
    advice: 'It cannot be read, changed or charged any more; make a new one.',
  },
  webhook_endpoint_deleted: {
    status: 410,
    title: 'The webhook endpoint was deleted',
    advice: 'It cannot be read, changed or sent to any more; make a new one.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed since it was read',
    advice: 'Read it again, and repeat the change with its new ETag in If-Match.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Keep the body under the limit named in the detail.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies beyond the end of the file',
    advice: 'Content-Range says how long the file is.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has an unsupported media type',
    advice: 'Send application/json.',
  },
  validation_failed: {
    status: 422,
    title: 'The request is well-formed but not valid',
    advice: 'Each entry of `errors` points at one member and says what is wrong with it.',
    example: { errors: [{ pointer: '/amount', code: 'too_small', detail: 'must be at least 1' }] },
  },
  card_number_refused: {
    status: 422,
    title: 'Card numbers are not accepted',
    advice:
      'Turn the card into a token with the processor and send the token. Each entry of `errors` points at the member with the card.',
  },
  processor_refused: {
    status: 422,
    title: 'The processor takes no such charge',
    advice:
      'Nothing was charged: the charge named here reads `failed`. Read `detail`, change the request, and use a new key.',
    example: { charge: exampleCharge },
  },
  processor_not_available: {
    status: 422,
    title: 'The account has no processor for this',
    advice:
      'No active processor of the account takes this currency or this card. Ask the operator which currencies it takes.',
  },
  processor_cannot: {
    status: 422,
    title: 'The processor cannot do this',
    advice: 'Nothing was sent. `detail` says what the processor cannot do, and what to do instead.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key was used for a different request',
    advice: 'Use a new key for a new operation; send exactly the same request when you retry.',
  },
  capture_exceeds_authorized: {
    status: 422,
    title: 'The capture exceeds the authorized amount',
    advice: 'Capture at most the amount of the charge.',
  },
  capture_declined: {
    status: 402,
    title: 'The processor declined the capture',
    advice: 'Read `decline_code`, and from version 2026-11-01 on `advice`. The authorization stays as it is.',
    example: { decline_code: 'insufficient_funds', advice: 'retry_later', charge: exampleCharge },
  },
  refund_exceeds_captured: {
    status: 422,
    title: 'The refund exceeds the amount that is left to refund',
    advice: 'Refund at most `amount_captured` less `amount_refunded` of the charge.',
  },
  refund_failed: {
    status: 422,
    title: 'The processor refused the refund',
    advice: 'Read the `failure` of the refund; its amount can be refunded again, with a new key.',
    example: { refund: 're_01JF3ZB2M8X4D7Q1W6S0H5N9VA' },
  },
  too_many_payment_methods: {
    status: 422,
    title: 'The customer has reached its limit of payment methods',
    advice: 'Detach one of them first.',
  },
  too_many_clients: {
    status: 422,
    title: 'The account has reached its limit of clients',
    advice: 'Enable one that is disabled and give it a new secret, or ask the operator.',
  },
  too_many_members: {
    status: 422,
    title: 'The account has reached its limit of members',
    advice: 'Enable one that is disabled, or ask the operator.',
  },
  member_email_taken: {
    status: 409,
    title: 'Another member of the account has this e-mail address',
    advice: 'Look for it among your members, disabled ones too, or ask the operator to release it.',
  },
  client_has_no_secret: {
    status: 422,
    title: 'The client proves itself without a secret',
    advice: 'It signs assertions with its own key. Ask the operator to register another public key.',
  },
  too_many_webhook_endpoints: {
    status: 422,
    title: 'The account has reached its limit of webhook endpoints',
    advice: 'Delete one of them first, or widen the events of another.',
  },
  too_many_webhook_endpoints_of_url: {
    status: 422,
    title: 'Too many enabled webhook endpoints have this URL',
    advice:
      'Widen the events of one of them, or disable or delete one first. Each sends every event to the URL again.',
  },
  too_many_webhook_secrets: {
    status: 422,
    title: 'The webhook endpoint has reached its limit of signing secrets',
    advice: 'Wait until one of them expires, or rotate with shorter overlaps.',
  },
  https_required: {
    status: 422,
    title: 'A webhook endpoint must use HTTPS',
    advice: 'Give a URL that begins with https://.',
  },
  address_refused: {
    status: 422,
    title: 'The URL leads to an address that is not public',
    advice:
      'Give a URL whose host has public addresses only: no private, loopback, link-local or metadata one.',
  },
  precondition_required: {
    status: 428,
    title: 'This request needs an If-Match header',
    advice:
      'Send the ETag of the resource as you read it, so that nobody’s change is lost; `*` overwrites any.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for Retry-After seconds, then back off with jitter.',
  },
  list_too_slow: {
    status: 429,
    title: 'The list takes more of the database than the account may use',
    advice:
      'Narrow the list by `created`, or leave out a filter that many rows have. Wait for Retry-After seconds, and read one page at a time.',
  },
  too_many_open_operations: {
    status: 429,
    title: 'The account has reached its limit of open operations',
    advice: 'Wait until some are done, or cancel them. Then send the same request again: its key is free.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    advice: 'Retry with the same Idempotency-Key; quote the trace_id when you report it.',
  },
  operation_failed: {
    status: 500,
    title: 'The operation could not be completed',
    advice:
      'Quote the trace_id when you report it. Submit an export or a replay again with a new key. Of a charge batch, fetch `result` first, and submit again only rows without a charge.',
  },
  operation_terminated: {
    status: 500,
    title: 'The operation was terminated by an operator',
    advice:
      'Work done by then stays done. Submit an export or a replay again with a new key. Of a charge batch, fetch `result` first, and submit again only rows without a charge.',
  },
  processor_invalid_response: {
    status: 502,
    title: 'The payment processor gave an answer that cannot be read',
    advice:
      'The outcome is not known yet, and the service asks for it. Retry with the same key to get it; of a row of a batch, read the charge.',
  },
  operation_snapshot_lost: {
    status: 503,
    title: 'The database was restored or moved while the operation was open',
    advice: 'Submit it again with a new key; where that fails too, the operator runs `database adopt`.',
  },
  snapshots_unavailable: {
    status: 503,
    title: 'Exports and replays are off since the database was restored or moved',
    advice: 'Retry with the same key once the operator has run `npm run admin -- database adopt`.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service cannot take this request now',
    advice: 'Nothing has happened. Retry with the same key after Retry-After seconds.',
  },
  outcome_unknown: {
    status: 503,
    title: 'The service lost its database while it worked on the request',
    advice:
      'It is not known whether the request had its effect. Send it again with the same Idempotency-Key; if it has none, read the resource first.',
  },
  processor_unavailable: {
    status: 503,
    title: 'The payment processor cannot be reached',
    advice:
      'Retry with the same key after Retry-After seconds: it continues the same charge, never a second one. Of a row of a batch, read the charge.',
  },
  processor_timeout: {
    status: 504,
    title: 'The payment processor did not answer in time',
    advice:
      'The outcome is not known yet, and the service asks for it. Retry with the same key to get it; of a row of a batch, read the charge.',
  },
} as const satisfies Record<string, Problem>;
