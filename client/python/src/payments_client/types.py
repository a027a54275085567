# Made from openapi.json by `npm run clients -- --write`.

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired

AccountId: TypeAlias = str
"""
The id of an account
"""


AccountRole: TypeAlias = Literal['viewer', 'support', 'developer']
"""
What a member of an account may do.
"""


ActorId: TypeAlias = str
"""
The id of a member or a client
"""


ActorKind: TypeAlias = Literal['member', 'operator', 'client']
"""
`operator`: of those who run the service. `client`: a program of the account.
"""


Amount: TypeAlias = int
"""
A whole number of minor currency units: 1999 is 19.99 EUR, and 1,999 JPY.
"""


ApiVersion: TypeAlias = Literal['2026-05-01', '2026-11-01']
"""
A dated version of this API
"""


class AttemptLatency(TypedDict):
    """
    How long attempts took, delivered or not, in milliseconds; exact to 19 %
    """

    p50: int
    """
    Half of the attempts took no longer.
    """
    p95: int
    """
    95 % of the attempts took no longer.
    """


AuditEntryId: TypeAlias = str
"""
The id of an audit entry
"""


AuthenticationResult: TypeAlias = Literal['authenticated', 'attempted', 'exempted', 'failed', 'not_supported']
"""
How the authentication of the buyer ended.
"""


class AuthorizedCharges(TypedDict):
    """
    Charges that were authorized
    """

    count: int
    """
    How many charges.
    """
    amount: int
    """
    The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
    """


class CancelledCharges(TypedDict):
    """
    Charges that were cancelled, and what they asked for
    """

    count: int
    """
    How many charges.
    """
    amount: int
    """
    The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
    """


class Capture(TypedDict):
    amount: NotRequired[Amount]
    """
    Minor currency units, at most the amount of the charge; the rest is released. (Default: all of it)
    """


CaptureMethod: TypeAlias = Literal['automatic', 'manual']
"""
`automatic`: the money is taken at once. `manual`: it is only reserved, for at most 7 days, until `:capture` or `:cancel`.
"""


CardBrand: TypeAlias = Literal['visa', 'mastercard', 'amex', 'discover']
"""
The network of the card
"""


CardCheckResult: TypeAlias = Literal['pass', 'fail', 'unchecked']
"""
What a check of the card said.
"""


class CardChecks(TypedDict):
    """
    What was checked of the card
    """

    cvc: CardCheckResult
    """
    Of the security code.
    """
    postal_code: CardCheckResult
    """
    Of the buyer's postal code.
    """


CardFunding: TypeAlias = Literal['credit', 'debit', 'prepaid']
"""
Where the money comes from.
"""


ChargeCardBrand: TypeAlias = Literal['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'other']
"""
The network of the card.
"""


ChargeFailureCode: TypeAlias = Literal['card_declined', 'processor_timeout', 'not_sent', 'refused', 'authentication_expired', 'capture_failed']
"""
Why the charge failed.
"""


ChargeId: TypeAlias = str
"""
The id of a charge
"""


ChargeStatus: TypeAlias = Literal['pending', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'cancelled']
"""
`pending`: the outcome is not known yet. `requires_action`: the buyer must confirm. `requires_capture`: the money is reserved. `succeeded`, `failed` and `cancelled` are final.
"""


ClientId: TypeAlias = str
"""
The id of an OAuth client
"""


class CreatedRange(TypedDict):
    """
    When the rows were made, in RFC 3339.
    """

    gt: NotRequired[str]
    """
    Only items created after this time.
    """
    gte: NotRequired[str]
    """
    Only items created at this time or after.
    """
    lt: NotRequired[str]
    """
    Only items created before this time.
    """
    lte: NotRequired[str]
    """
    Only items created at this time or before.
    """


Currency: TypeAlias = Literal['AED', 'AFN', 'ALL', 'AMD', 'ANG', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN', 'BHD', 'BIF', 'BMD', 'BND', 'BOB', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHF', 'CLP', 'CNY', 'COP', 'CRC', 'CUC', 'CUP', 'CVE', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL', 'GHS', 'GIP', 'GMD', 'GNF', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'IRR', 'ISK', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KHR', 'KMF', 'KPW', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'LYD', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR', 'MVR', 'MWK', 'MXN', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR', 'PLN', 'PYG', 'QAR', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SBD', 'SCR', 'SDG', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD', 'SSP', 'STN', 'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TND', 'TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'USD', 'UYU', 'UZS', 'VES', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XCG', 'XOF', 'XPF', 'YER', 'ZAR', 'ZMW', 'ZWG']
"""
ISO 4217 as of 2026-01-01, upper case. ANG, BGN, CUC are history: they take no new charge.
"""


CustomerId: TypeAlias = str
"""
The id of a customer
"""


CustomerName: TypeAlias = str
"""
The name of the customer, 1 to 200 characters
"""


class CustomerReportFilter(TypedDict):
    """
    The charges of a report; all members must hold.
    """

    currency: NotRequired[Currency]
    """
    Only charges in this currency.
    """
    created: NotRequired[CreatedRange]
    """
    Only rows made in this time.
    """


DeclineAdvice: TypeAlias = Literal['retry_later', 'use_another_card', 'ask_buyer', 'do_not_retry']
"""
What to do after a decline. `retry_later`: the same card may work later. `use_another_card`: it would be declined again. `ask_buyer`: the buyer corrects the details of the card, or confirms the payment. `do_not_retry`: never try the same card again.
"""


DeclineCode: TypeAlias = Literal['generic_decline', 'insufficient_funds', 'expired_card', 'incorrect_cvc', 'lost_card', 'stolen_card', 'processing_error', 'authentication_required', 'authentication_failed']
"""
Why a card was refused. `generic_decline` where its issuer gives no reason.
"""


class DeletedCustomer(TypedDict):
    """
    What is left of a customer that was deleted: events show it.
    """

    id: CustomerId
    object: Literal['customer']
    """
    Always `customer`.
    """
    deleted: bool
    """
    Always `true`.
    """


Description: TypeAlias = str
"""
Your own words, 1 to 500 characters
"""


Email: TypeAlias = str
"""
An email address, at most 254 characters
"""


class EmptyBody(TypedDict):
    """
    An object without members; it can be left out.
    """


EventId: TypeAlias = str
"""
The id of an event
"""


EventOrder: TypeAlias = Literal['desc', 'asc']
"""
By `sequence`: `desc`, the newest first, or `asc`, the oldest first.
"""


EventPattern: TypeAlias = Literal['*', 'charge.*', 'refund.*', 'operation.*', 'customer.*', 'webhook_endpoint.*', 'endpoint.*', 'charge.requires_action', 'charge.authorized', 'charge.succeeded', 'charge.failed', 'charge.cancelled', 'charge.updated', 'refund.processed', 'refund.settled', 'refund.failed', 'refund.reversed', 'operation.succeeded', 'operation.failed', 'operation.cancelled', 'customer.created', 'customer.updated', 'customer.deleted', 'webhook_endpoint.disabled', 'endpoint.test']
"""
A type of events, all types of a resource (`charge.*`), or all types, new ones too (`*`).
"""


EventResourceId: TypeAlias = str
"""
Only events about this charge, refund, customer, operation or webhook endpoint.
"""


EventType: TypeAlias = Literal['charge.requires_action', 'charge.authorized', 'charge.succeeded', 'charge.failed', 'charge.cancelled', 'charge.updated', 'refund.processed', 'refund.settled', 'refund.failed', 'refund.reversed', 'operation.succeeded', 'operation.failed', 'operation.cancelled', 'customer.created', 'customer.updated', 'customer.deleted', 'webhook_endpoint.disabled', 'endpoint.test']
"""
What happened, as `{resource}.{change}`.
"""


ExportFormat: TypeAlias = Literal['csv', 'ndjson']
"""
`csv`: RFC 4180, with a header. `ndjson`: one JSON object in each line.
"""


ExportedResource: TypeAlias = Literal['charges', 'refunds', 'events', 'audit_entries']
"""
What the rows are.
"""


class FailedAttempts(TypedDict):
    """
    Attempts that failed
    """

    count: int
    """
    How many attempts failed.
    """
    by: dict[str, int]
    """
    How many by reason: the status of the answer, or why there was none.
    """


class FailedCharges(TypedDict):
    """
    Charges that failed
    """

    count: int
    """
    How many charges.
    """
    declined: int
    """
    Those of them that were declined.
    """
    by: dict[str, int]
    """
    How many by reason: the decline code, or `failure.code` of those that were not declined.
    """


FigureStep: TypeAlias = Literal['1m', '1h', '1d']
"""
How long each step is: a minute, an hour or a day. Steps begin in UTC.
"""


GrantType: TypeAlias = Literal['client_credentials', 'refresh_token', 'authorization_code', 'urn:ietf:params:oauth:grant-type:token-exchange']
"""
`client_credentials`, or `refresh_token` for clients that have one. The console alone can use the others.
"""


IdempotencyKeyStatus: TypeAlias = Literal['in_progress', 'done']
"""
Whether the key has its answer.
"""


class IntrospectionRequest(TypedDict):
    token: str
    """
    An access token or a refresh token of this client.
    """
    token_type_hint: NotRequired[str]
    """
    Accepted and ignored: the token itself shows its type.
    """
    client_id: NotRequired[ClientId]
    client_secret: NotRequired[str]
    """
    The secret of the client, without HTTP Basic.
    """
    client_assertion_type: NotRequired[Literal['urn:ietf:params:oauth:client-assertion-type:jwt-bearer']]
    """
    Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
    """
    client_assertion: NotRequired[str]
    """
    A JWT that the client signed (RFC 7523).
    """


class IssuerMetadata(TypedDict):
    issuer: str
    """
    `iss` of the tokens.
    """
    token_endpoint: str
    """
    Where tokens are issued.
    """
    jwks_uri: str
    """
    Where the public keys are.
    """


class MemberAccount(TypedDict):
    """
    The account of a member who signed in to the console.
    """

    id: AccountId
    name: str
    """
    Its name.
    """


MemberId: TypeAlias = str
"""
The id of a member of the console
"""


class MemberPatch(TypedDict):
    name: NotRequired[str]
    """
    The name that others see, 1 to 100 characters.
    """
    role: NotRequired[AccountRole]


MemberStatus: TypeAlias = Literal['active', 'disabled']
"""
`disabled`: may not sign in.
"""


MembershipStatus: TypeAlias = Literal['accepted', 'invited']
"""
`invited`: to sign in there is to accept the invitation.
"""


Metadata: TypeAlias = dict[str, str]
"""
Names and values of your own, returned unchanged: at most 50, names of 1 to 40 characters, values of at most 500.
"""


MetadataFilter: TypeAlias = dict[str, str]
"""
Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.
"""


MetadataPatch: TypeAlias = dict[str, str | None]
"""
Names to set, and names to remove (`null`). Other names stay.
"""


class NewCustomer(TypedDict):
    name: NotRequired[CustomerName | None]
    email: NotRequired[Email | None]
    description: NotRequired[Description | None]
    metadata: NotRequired[Metadata]


class NewCustomerReport(TypedDict):
    format: ExportFormat
    bom: NotRequired[bool]
    """
    For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
    """
    filter: NotRequired[CustomerReportFilter]


class NewMember(TypedDict):
    """
    A member to be made
    """

    name: str
    """
    The name that others see, 1 to 100 characters.
    """
    role: AccountRole
    email: NotRequired[str | None]
    """
    The address that the OIDC provider of the service has verified. Who has it is invited, and accepts at a sign-in. It is kept in lower case and NFKC, without characters that nobody sees. Without one, the operator of the service makes sign-in links.
    """


OAuthClientAuthentication: TypeAlias = Literal['secret', 'public_keys', 'none']
"""
How it proves itself: by a secret, or by assertions that its public keys verify.
"""


class OAuthClientSecretRotation(TypedDict):
    overlap_seconds: NotRequired[int]
    """
    How long the current secret is valid beside the new one, in seconds. 0: it leaked.
    """


OAuthClientStatus: TypeAlias = Literal['active', 'disabled']
"""
`disabled`: it gets no tokens, and has none.
"""


OAuthErrorCode: TypeAlias = Literal['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'unauthorized_client', 'unsupported_grant_type', 'invalid_target', 'account_selection_required', 'temporarily_unavailable']
"""
What a program branches on (RFC 6749 §5.2).
"""


OperationId: TypeAlias = str
"""
The id of an operation
"""


class OperationProgress(TypedDict):
    completed: int
    """
    Steps that are done; never fewer than before.
    """
    total: int
    """
    Steps that there are.
    """


OperationStatus: TypeAlias = Literal['queued', 'running', 'succeeded', 'failed', 'cancelling', 'cancelled']
"""
`cancelling`: a cancel was requested, and the work has not stopped yet. `succeeded`, `failed` and `cancelled` are final.
"""


OperationType: TypeAlias = Literal['export', 'charge_batch', 'customer_report', 'webhook_replay']
"""
What the operation does.
"""


class PaymentMethodAttachment(TypedDict):
    token: str
    """
    The token of the processor for the card.
    """


PaymentMethodId: TypeAlias = str
"""
The id of a payment method
"""


PaymentSource: TypeAlias = str
"""
A one-off token of the processor (`tok_…`), or a payment method of the customer (`pm_…`)
"""


ProblemCode: TypeAlias = Literal['malformed_request', 'invalid_parameter', 'invalid_cursor', 'idempotency_key_required', 'idempotency_key_invalid', 'unknown_api_version', 'invalid_token', 'card_declined', 'payment_not_sent', 'payment_voided', 'insufficient_scope', 'account_disabled', 'not_found', 'method_not_allowed', 'not_acceptable', 'request_timeout', 'idempotency_key_in_progress', 'charge_cancelled', 'charge_already_captured', 'charge_not_capturable', 'charge_already_refunded', 'charge_not_refundable', 'refund_not_reversible', 'webhook_endpoint_disabled', 'operation_cancelled', 'operation_not_done', 'link_expired', 'result_expired', 'customer_deleted', 'webhook_endpoint_deleted', 'precondition_failed', 'payload_too_large', 'range_not_satisfiable', 'unsupported_media_type', 'validation_failed', 'card_number_refused', 'processor_refused', 'processor_not_available', 'processor_cannot', 'idempotency_key_reused', 'capture_exceeds_authorized', 'capture_declined', 'refund_exceeds_captured', 'refund_failed', 'too_many_payment_methods', 'too_many_clients', 'too_many_members', 'member_email_taken', 'client_has_no_secret', 'too_many_webhook_endpoints', 'too_many_webhook_endpoints_of_url', 'too_many_webhook_secrets', 'https_required', 'address_refused', 'precondition_required', 'rate_limited', 'list_too_slow', 'too_many_open_operations', 'internal_error', 'operation_failed', 'operation_terminated', 'processor_invalid_response', 'operation_snapshot_lost', 'snapshots_unavailable', 'service_unavailable', 'outcome_unknown', 'processor_unavailable', 'processor_timeout']
"""
What a program branches on. Codes are never renamed; new ones may be added.
"""


ProcessorId: TypeAlias = str
"""
The id of a processor
"""


class RefundFailure(TypedDict):
    """
    Why a refund failed
    """

    code: str
    """
    As the processor names it; `refund_reversed`: it took the refund back; `returned`: the money came back after the refund was settled.
    """
    message: str
    """
    For people; do not branch on it.
    """


RefundId: TypeAlias = str
"""
The id of a refund
"""


class RefundProcessor(TypedDict):
    """
    Where the refund was made
    """

    id: ProcessorId | None
    """
    `null`: the one that the service is set up with.
    """
    kind: str | None
    """
    Such as `stripe`; `null` for refunds of charges from before it was kept.
    """
    reference: str | None
    """
    The refund's name at the processor; `null` until it told one.
    """


RefundReason: TypeAlias = Literal['duplicate', 'fraudulent', 'requested_by_customer']
"""
Why the money goes back, in your records.
"""


RefundSource: TypeAlias = Literal['api', 'processor']


RefundStatus: TypeAlias = Literal['pending', 'processed', 'settled', 'failed', 'reversed']
"""
`pending`: the processor has not accepted it yet. `processed`: accepted, and reversible until `reversible_until`; it may still fail. `failed` and `reversed` are final, and so is `settled`, unless the money comes back: then the refund reads `failed`.
"""


class RequestError(TypedDict):
    """
    A member of a body that was wrong
    """

    pointer: str
    """
    RFC 6901, into the body.
    """
    code: str
    """
    Says what is wrong with the member.
    """


RequestId: TypeAlias = str
"""
The id of a request
"""


class RevocationRequest(TypedDict):
    token: str
    """
    An access token or a refresh token of this client.
    """
    token_type_hint: NotRequired[str]
    """
    Accepted and ignored: the token itself shows its type.
    """
    client_id: NotRequired[ClientId]
    client_secret: NotRequired[str]
    """
    The secret of the client, without HTTP Basic.
    """
    client_assertion_type: NotRequired[Literal['urn:ietf:params:oauth:client-assertion-type:jwt-bearer']]
    """
    Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
    """
    client_assertion: NotRequired[str]
    """
    A JWT that the client signed (RFC 7523).
    """


Role: TypeAlias = Literal['viewer', 'support', 'developer', 'operator']
"""
What a member may do; `operator`: of those who run the service.
"""


Scope: TypeAlias = Literal['charges:read', 'charges:write', 'refunds:read', 'refunds:write', 'customers:read', 'customers:write', 'exports:read', 'exports:write', 'charge-batches:read', 'charge-batches:write', 'operations:read', 'operations:write', 'webhooks:read', 'webhooks:write', 'events:read', 'events:write', 'access:read', 'access:write', 'requests:read', 'charges:update', 'webhooks:replay']
"""
What a token allows; see the guide to authentication.
"""


class SecretRotation(TypedDict):
    overlap_seconds: NotRequired[int]
    """
    How long the current secret signs beside the new one, in seconds.
    """


SessionId: TypeAlias = str
"""
The id of a session of the console
"""


class SessionMember(TypedDict):
    """
    Who signed in
    """

    id: MemberId
    name: str
    """
    The name of the member.
    """
    role: Role


SessionStatus: TypeAlias = Literal['active', 'ended']
"""
Whether it lasts.
"""


class SignedInMember(TypedDict):
    """
    Who signed in to the console.
    """

    id: MemberId
    name: str
    """
    The name of the member.
    """
    role: Role


class SigningKey(TypedDict):
    """
    A public key (RFC 7517)
    """

    kty: str
    """
    The kind of the key.
    """
    kid: str
    """
    Which key it is: `kid` in the head of a token.
    """


class SigningKeys(TypedDict):
    keys: list[SigningKey]
    """
    The keys that verify tokens.
    """


class SucceededCharges(TypedDict):
    """
    Charges that succeeded, and what was captured
    """

    count: int
    """
    How many charges.
    """
    amount: int
    """
    The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.
    """


class ThreeDSecure(TypedDict):
    """
    The authentication of the buyer
    """

    result: AuthenticationResult
    liability_shifted: bool | None
    """
    Whether the bank bears a fraud; `null` where the processor does not say.
    """


Time: TypeAlias = str
"""
RFC 3339 in UTC, with milliseconds
"""


class TimelineEntry(TypedDict):
    object: Literal['timeline_entry']
    """
    Always `timeline_entry`.
    """
    at: Time
    """
    When the step ended.
    """
    type: str
    """
    What happened. New types may be added.
    """
    detail: dict[str, str | int]
    """
    The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` is in minor units, with its `currency`.
    """


class TimelineEntryList(TypedDict):
    """
    A page of a list
    """

    data: list[TimelineEntry]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class Token(TypedDict):
    access_token: str
    """
    Send it as `Authorization: Bearer …`. Do not read it: its form may change.
    """
    token_type: Literal['Bearer']
    """
    Always `Bearer`.
    """
    issued_token_type: NotRequired[str]
    """
    The kind of an exchanged token (RFC 8693).
    """
    expires_in: int
    """
    How long the token is valid, in seconds.
    """
    scope: str
    """
    The scopes that were granted, separated by spaces.
    """
    refresh_token: NotRequired[str]
    """
    Only for clients that are registered for it. Valid once.
    """
    refresh_expires_in: NotRequired[int]
    """
    When a session of the console ends, in seconds.
    """
    session: NotRequired[SessionId]
    member: NotRequired[SignedInMember]
    account: NotRequired[MemberAccount | None]
    """
    The account of the member, or the one that an operator reads; `null` for an operator who reads none.
    """


class TokenIntrospection(TypedDict):
    active: bool
    """
    Whether the token is valid, and of this client. If not, nothing else is told.
    """
    token_type: NotRequired[Literal['Bearer']]
    """
    Always `Bearer`.
    """
    scope: NotRequired[str]
    """
    Its scopes, separated by spaces.
    """
    client_id: NotRequired[ClientId]
    account_id: NotRequired[AccountId]
    sub: NotRequired[str]
    """
    The client again, or the member who is signed in.
    """
    iss: NotRequired[str]
    """
    The issuer.
    """
    aud: NotRequired[str]
    """
    The service that the token is for.
    """
    jti: NotRequired[str]
    """
    The id of the token.
    """
    iat: NotRequired[int]
    """
    When it was issued, in Unix seconds.
    """
    nbf: NotRequired[int]
    """
    From when it is valid, in Unix seconds.
    """
    exp: NotRequired[int]
    """
    Until when it is valid, in Unix seconds.
    """


class TokenRequest(TypedDict):
    grant_type: GrantType
    scope: NotRequired[str]
    """
    Some scopes of the client, separated by spaces. (Default: all of them)
    """
    refresh_token: NotRequired[str]
    """
    The refresh token, which is valid once; with `grant_type=refresh_token`.
    """
    code: NotRequired[str]
    """
    The code of a sign-in link, which is valid once; of the console alone.
    """
    subject_token: NotRequired[str]
    """
    The token that the console exchanges (RFC 8693).
    """
    subject_token_type: NotRequired[str]
    """
    Whether that is an access token or an ID token.
    """
    person_address: NotRequired[str]
    """
    The IP address of the person behind the request, for the audit and for limits; of the console alone.
    """
    person_session: NotRequired[str]
    """
    The session of the person behind the request, for limits; of the console alone.
    """
    audience: NotRequired[str]
    """
    The account that an operator reads.
    """
    member: NotRequired[str]
    """
    Which membership a person with an ID token signs in as; of the console alone.
    """
    client_id: NotRequired[ClientId]
    client_secret: NotRequired[str]
    """
    The secret of the client, without HTTP Basic.
    """
    client_assertion_type: NotRequired[Literal['urn:ietf:params:oauth:client-assertion-type:jwt-bearer']]
    """
    Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.
    """
    client_assertion: NotRequired[str]
    """
    A JWT that the client signed (RFC 7523).
    """


TraceId: TypeAlias = str
"""
Names one request in the logs of the service.
"""


class ValidationFault(TypedDict):
    pointer: str
    """
    RFC 6901, into the body.
    """
    code: str
    """
    What is wrong; new codes may be added.
    """
    detail: str
    """
    What to send instead.
    """


class WebhookAttempt(TypedDict):
    number: int
    """
    Counts from 1.
    """
    at: Time
    """
    When it began.
    """
    status_code: int | None
    """
    The status of the answer; `null` if there was none.
    """
    latency_ms: int
    """
    How long it took, in milliseconds.
    """
    error: str | None
    """
    Why the attempt failed; `null` if it delivered.
    """
    response_body: str | None
    """
    The first 1 KiB of the answer.
    """


WebhookDeliveryFilter: TypeAlias = Literal['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled', 'open', 'undelivered']
"""
A status, or several: `open` is `pending` and `retrying`; `undelivered` is those and `dead_letter`.
"""


WebhookDeliveryId: TypeAlias = str
"""
The id of a webhook delivery
"""


WebhookDeliveryStatus: TypeAlias = Literal['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled']
"""
`pending`: not tried yet. `retrying`: an attempt failed, and another one is due. `delivered`: the endpoint answered 2xx. `dead_letter`: the last attempt failed. `cancelled`: the endpoint was disabled or deleted.
"""


WebhookDisabledReason: TypeAlias = Literal['requested', 'failing', 'gone']
"""
`requested`: you did. `failing`: it failed for too long. `gone`: it answered 410.
"""


WebhookEndpointId: TypeAlias = str
"""
The id of a webhook endpoint
"""


WebhookEndpointStatus: TypeAlias = Literal['enabled', 'disabled']
"""
`disabled`: it receives nothing, and its open deliveries are cancelled.
"""


class WebhookFailure(TypedDict):
    at: Time
    """
    When it failed.
    """
    status_code: int | None
    """
    The status of the answer; `null` if there was none.
    """
    message: str
    """
    Why it failed, for people.
    """


WebhookOrdering: TypeAlias = Literal['none', 'fifo']
"""
`none`: as fast as the endpoint takes them. `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.
"""


class WebhookReplayResult(TypedDict):
    href: str
    """
    A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
    """
    content_type: Literal['application/json']
    """
    The media type of the file.
    """
    size: int
    """
    The size of the file, in bytes.
    """
    sha256: str
    """
    The hash of the file, in hex.
    """
    expires_at: Time
    """
    The result is kept until then.
    """


WebhookSecretId: TypeAlias = str
"""
The id of a webhook secret
"""


ListChargesParametersQuery = TypedDict(
    'ListChargesParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'metadata': NotRequired[MetadataFilter],
        'customer': NotRequired[CustomerId],
        'status': NotRequired[ChargeStatus],
        'reference': NotRequired[str],
        'processor_reference': NotRequired[str],
        'card_last4': NotRequired[str],
        'charge_batch': NotRequired[OperationId],
        'amount': NotRequired[int],
        'currency': NotRequired[Currency],
    },
)


class GetChargeTimelineParametersQuery(TypedDict):
    limit: NotRequired[int]
    starting_after: NotRequired[str]


GetChargeFiguresParametersQuery = TypedDict(
    'GetChargeFiguresParametersQuery',
    {
        'from': NotRequired[str],
        'to': NotRequired[str],
        'step': NotRequired[FigureStep],
    },
)


ListRefundsParametersQuery = TypedDict(
    'ListRefundsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'metadata': NotRequired[MetadataFilter],
        'charge': NotRequired[ChargeId],
        'status': NotRequired[RefundStatus],
        'processor_reference': NotRequired[str],
    },
)


ListCustomersParametersQuery = TypedDict(
    'ListCustomersParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'metadata': NotRequired[MetadataFilter],
        'email': NotRequired[Email],
    },
)


ListWebhookEndpointsParametersQuery = TypedDict(
    'ListWebhookEndpointsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


class GetOperationResultParametersQuery(TypedDict):
    expires: NotRequired[str]
    signature: NotRequired[str]


class GetOperationResultResponse(TypedDict):
    pass


ListWebhookEndpointDeliveriesParametersQuery = TypedDict(
    'ListWebhookEndpointDeliveriesParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'status': NotRequired[WebhookDeliveryStatus],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


ListWebhookDeliveriesParametersQuery = TypedDict(
    'ListWebhookDeliveriesParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'status': NotRequired[WebhookDeliveryFilter],
        'endpoint': NotRequired[WebhookEndpointId],
        'event': NotRequired[EventId],
        'type': NotRequired[list[EventType]],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


GetDeliveryFiguresParametersQuery = TypedDict(
    'GetDeliveryFiguresParametersQuery',
    {
        'endpoint': NotRequired[WebhookEndpointId],
        'from': NotRequired[str],
        'to': NotRequired[str],
        'step': NotRequired[FigureStep],
    },
)


ListEventsParametersQuery = TypedDict(
    'ListEventsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'order': NotRequired[EventOrder],
        'after_sequence': NotRequired[int],
        'type': NotRequired[list[EventType]],
        'resource': NotRequired[EventResourceId],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


ListExportsParametersQuery = TypedDict(
    'ListExportsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'status': NotRequired[OperationStatus],
    },
)


class GetExportResultParametersQuery(TypedDict):
    expires: NotRequired[str]
    signature: NotRequired[str]


ListCustomerReportsParametersQuery = TypedDict(
    'ListCustomerReportsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'status': NotRequired[OperationStatus],
    },
)


class GetCustomerReportResultParametersQuery(TypedDict):
    expires: NotRequired[str]
    signature: NotRequired[str]


ListChargeBatchesParametersQuery = TypedDict(
    'ListChargeBatchesParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'status': NotRequired[OperationStatus],
    },
)


class GetChargeBatchResultParametersQuery(TypedDict):
    expires: NotRequired[str]
    signature: NotRequired[str]


ListOperationsParametersQuery = TypedDict(
    'ListOperationsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'status': NotRequired[OperationStatus],
        'type': NotRequired[OperationType],
    },
)


ListRequestsParametersQuery = TypedDict(
    'ListRequestsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'idempotency_key': NotRequired[str],
        'code': NotRequired[ProblemCode],
        'status': NotRequired[int],
        'route': NotRequired[str],
        'client': NotRequired[ClientId],
    },
)


ListClientsParametersQuery = TypedDict(
    'ListClientsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


ListMembersParametersQuery = TypedDict(
    'ListMembersParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


ListSessionsParametersQuery = TypedDict(
    'ListSessionsParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
    },
)


ResourceItem: TypeAlias = str


ListAuditEntriesParametersQuery = TypedDict(
    'ListAuditEntriesParametersQuery',
    {
        'limit': NotRequired[int],
        'starting_after': NotRequired[str],
        'created[gt]': NotRequired[str],
        'created[gte]': NotRequired[str],
        'created[lt]': NotRequired[str],
        'created[lte]': NotRequired[str],
        'actor': NotRequired[ActorId],
        'action': NotRequired[str],
        'resource': NotRequired[list[ResourceItem]],
    },
)


class Actor(TypedDict):
    """
    Who did it
    """

    kind: ActorKind
    id: ActorId | None
    """
    Of the member or the client; `null` for an operator at the command line, who has a name alone.
    """
    name: str | None
    """
    The name at the time.
    """


class AuditEntry(TypedDict):
    """
    Something that a person or a program did
    """

    id: AuditEntryId
    object: Literal['audit_entry']
    """
    Always `audit_entry`.
    """
    created: Time
    """
    When it was asked for.
    """
    actor: Actor | None
    """
    `null` if nobody knows, as of a sign-in that failed.
    """
    action: str
    """
    What was asked for: resources and a verb.
    """
    resource: str | None
    """
    The id of what it made or acted on.
    """
    trace_id: TraceId
    status: int | None
    """
    Of the answer; `null` while it is under way, or if its end was not seen.
    """
    replayed: bool
    """
    Whether the answer was that of an earlier request with its key.
    """
    reason: str | None
    """
    Why, in the words of an operator.
    """
    address: str | None
    """
    From which IP address somebody signed in, or tried to; `null` for all else.
    """


class AuditEntryFilter(TypedDict):
    """
    The rows of an export; all members must hold.
    """

    actor: NotRequired[ActorId]
    """
    Only entries of this member, operator or client.
    """
    created: NotRequired[CreatedRange]
    """
    Only rows made in this time.
    """


class AuditEntryList(TypedDict):
    """
    A page of a list
    """

    data: list[AuditEntry]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class Card(TypedDict):
    """
    What may be shown of a card
    """

    brand: CardBrand
    last4: str
    """
    The last four digits of the card.
    """
    exp_month: int
    """
    The month in which it expires.
    """
    exp_year: int
    """
    The year in which it expires.
    """


class ChargeBatchResult(TypedDict):
    href: str
    """
    A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
    """
    content_type: Literal['application/x-ndjson']
    """
    The media type of the file.
    """
    size: int
    """
    The size of the file, in bytes.
    """
    sha256: str
    """
    The hash of the file, in hex.
    """
    expires_at: Time
    """
    The result is kept until then.
    """


class ChargeCard(TypedDict):
    """
    The card that pays, as the processor tells it
    """

    brand: ChargeCardBrand
    last4: str
    """
    The last four digits.
    """
    exp_month: int
    """
    1 to 12.
    """
    exp_year: int
    """
    Four digits.
    """
    funding: CardFunding | None
    """
    `null`: unknown.
    """
    country: str | None
    """
    Of its bank: ISO 3166, two letters.
    """
    wallet: str | None
    """
    Such as `apple_pay`.
    """
    fingerprint: str | None
    """
    The same text for the same card at one processor.
    """


class ChargeFailure(TypedDict):
    """
    Why a charge failed
    """

    code: ChargeFailureCode
    decline_code: DeclineCode | None
    """
    With `card_declined`: why the card was refused.
    """
    advice: DeclineAdvice | None
    """
    With `card_declined`: what to do next, as the processor or the card network says, else by the decline code. `null` for other failures.
    """
    message: str
    """
    For people; do not branch on it.
    """


class ChargeFigure(TypedDict):
    at: Time
    """
    The beginning of the step.
    """
    currency: Currency
    """
    One figure for each currency.
    """
    authorized: AuthorizedCharges
    succeeded: SucceededCharges
    failed: FailedCharges
    cancelled: CancelledCharges


ChargeFigures = TypedDict(
    'ChargeFigures',
    {
        'object': Literal['charge_figures'],
        'step': FigureStep,
        'from': Time,
        'to': Time,
        'up_to_sequence': int,
        'data': list[ChargeFigure],
    },
)


class ChargeFilter(TypedDict):
    """
    The rows of an export; all members must hold.
    """

    customer: NotRequired[CustomerId]
    """
    Only charges of this customer.
    """
    status: NotRequired[ChargeStatus]
    """
    Only charges with this status when their line is written.
    """
    reference: NotRequired[str]
    """
    Only charges with exactly this reference.
    """
    amount: NotRequired[Amount]
    """
    Only charges of this amount, in minor currency units.
    """
    currency: NotRequired[Currency]
    """
    Only charges in this currency.
    """
    created: NotRequired[CreatedRange]
    """
    Only rows made in this time.
    """


class ChargeNextAction(TypedDict):
    """
    What the buyer does next
    """

    type: Literal['redirect']
    """
    The only kind there is.
    """
    url: str
    """
    Where to send the browser of the buyer, once.
    """
    expires_at: Time
    """
    Then the charge fails with `authentication_expired`.
    """


class ChargePatch(TypedDict):
    reference: NotRequired[str | None]
    """
    `null` removes it.
    """
    description: NotRequired[str | None]
    """
    `null` removes it.
    """
    metadata: NotRequired[MetadataPatch | None]
    """
    Names to set or to remove; `null` removes all.
    """


class ChargeProcessor(TypedDict):
    """
    Where the money is
    """

    id: ProcessorId | None
    """
    `null`: the one that the service is set up with.
    """
    kind: str | None
    """
    Such as `stripe`; `null` for charges from before it was kept.
    """
    reference: str | None
    """
    The payment's name at the processor; `null` until it told one.
    """


class CustomerDeletedEventData(TypedDict):
    """
    What is left of the customer
    """

    object: DeletedCustomer


class CustomerPatch(TypedDict):
    name: NotRequired[CustomerName | None]
    email: NotRequired[Email | None]
    description: NotRequired[Description | None]
    metadata: NotRequired[MetadataPatch | None]
    """
    Names to set or to remove; `null` removes all.
    """
    default_payment_method: NotRequired[PaymentMethodId | None]
    """
    The card that charges of this customer use by default. It must be one of its own.
    """


class CustomerReplacement(TypedDict):
    name: NotRequired[CustomerName | None]
    email: NotRequired[Email | None]
    description: NotRequired[Description | None]
    metadata: NotRequired[Metadata]
    default_payment_method: NotRequired[PaymentMethodId | None]
    """
    The card that charges of this customer use by default. It must be one of its own.
    """


class CustomerReportResult(TypedDict):
    href: str
    """
    A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
    """
    content_type: Literal['text/csv; charset=utf-8; header=present', 'application/x-ndjson']
    """
    The media type of the file.
    """
    size: int
    """
    The size of the file, in bytes.
    """
    sha256: str
    """
    The hash of the file, in hex.
    """
    expires_at: Time
    """
    The result is kept until then.
    """


class DeliveryFigure(TypedDict):
    at: Time
    """
    The beginning of the step.
    """
    endpoint: WebhookEndpointId
    delivered: int
    """
    How many attempts delivered.
    """
    failed: FailedAttempts
    latency_ms: AttemptLatency


DeliveryFigures = TypedDict(
    'DeliveryFigures',
    {
        'object': Literal['delivery_figures'],
        'step': FigureStep,
        'from': Time,
        'to': Time,
        'data': list[DeliveryFigure],
    },
)


class EventFilter(TypedDict):
    """
    The rows of an export; all members must hold.
    """

    type: NotRequired[EventType]
    """
    Only events of this type.
    """
    created: NotRequired[CreatedRange]
    """
    Only rows made in this time.
    """


class ExportResult(TypedDict):
    href: str
    """
    A signed link, valid for 15 to 20 minutes. It needs your token too. Poll the operation for a new one.
    """
    content_type: Literal['text/csv; charset=utf-8; header=present', 'application/x-ndjson']
    """
    The media type of the file.
    """
    size: int
    """
    The size of the file, in bytes.
    """
    sha256: str
    """
    The hash of the file, in hex.
    """
    expires_at: Time
    """
    The result is kept until then.
    """


class ExportedRange(TypedDict):
    """
    When the rows were made. `gt` and `lte` of the request are shown as `gte` and `lt`.
    """

    gte: NotRequired[Time]
    """
    Only items created at this time or after.
    """
    lt: NotRequired[Time]
    """
    Only items created before this time.
    """


class IdempotencyKeyUse(TypedDict):
    endpoint: str
    """
    Method and route template.
    """
    status: IdempotencyKeyStatus
    since: Time
    """
    When the request came first.
    """
    until: Time
    """
    The key is kept until then at least. The time counts from the answer and from the end of the resource: while either is to come, it counts from now.
    """
    resource: str | None
    """
    The path of the resource that the request created or changed; `null` if there is none, or none yet.
    """


class Member(TypedDict):
    """
    A person who signs in to the console
    """

    id: MemberId
    object: Literal['member']
    """
    Always `member`.
    """
    name: str
    """
    The name that others see.
    """
    email: str | None
    """
    `null` for those who sign in by links alone.
    """
    role: Role
    status: MemberStatus
    created: Time
    """
    When the member was made.
    """


class MemberList(TypedDict):
    """
    A page of a list
    """

    data: list[Member]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class Membership(TypedDict):
    """
    Where a person may sign in
    """

    member: MemberId
    role: Role
    account: MemberAccount | None
    """
    `null`: the service, of which the person is an operator.
    """
    status: MembershipStatus


class NewAuditEntryExport(TypedDict):
    resource: Literal['audit_entries']
    """
    The rows are entries of the audit, of the last year.
    """
    format: ExportFormat
    bom: NotRequired[bool]
    """
    For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
    """
    filter: NotRequired[AuditEntryFilter]


class NewBatchedCharge(TypedDict):
    amount: Amount
    currency: Currency
    payment_method: NotRequired[PaymentSource]
    """
    A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
    """
    customer: NotRequired[CustomerId]
    """
    Who pays. Needed for a payment method on file.
    """
    capture_method: NotRequired[CaptureMethod]
    """
    Whether the money is taken at once, or reserved first.
    """
    reference: NotRequired[str]
    """
    Your own name of what is paid, such as the number of an order: 1 to 64 characters. Charges are found by it.
    """
    description: NotRequired[str]
    """
    For your own use, at most 500 characters.
    """
    statement_descriptor: NotRequired[str]
    """
    What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters.
    """
    metadata: NotRequired[Metadata]


class NewCharge(TypedDict):
    amount: Amount
    currency: Currency
    payment_method: NotRequired[PaymentSource]
    """
    A token, or a payment method of the customer. (Default: the `default_payment_method` of the customer)
    """
    customer: NotRequired[CustomerId]
    """
    Who pays. Needed for a payment method on file.
    """
    capture_method: NotRequired[CaptureMethod]
    """
    Whether the money is taken at once, or reserved first.
    """
    reference: NotRequired[str]
    """
    Your own name of what is paid, such as the number of an order: 1 to 64 characters. Charges are found by it.
    """
    description: NotRequired[str]
    """
    For your own use, at most 500 characters.
    """
    statement_descriptor: NotRequired[str]
    """
    What the buyer reads on the statement of the card: 1 to 22 printable ASCII characters.
    """
    metadata: NotRequired[Metadata]
    return_url: NotRequired[str]
    """
    Where the buyer comes back to, with `charge` added to its query. With it a charge may read `requires_action`; without it, a charge that its buyer must confirm is declined with `authentication_required`. It has no effect where the processor asks buyers for nothing.
    """


class NewChargeBatch(TypedDict):
    charges: list[NewBatchedCharge]
    """
    Each charge is a body of `POST /v1/charges`, without `return_url`. An invalid charge fails alone, in its line of the result.
    """


class NewChargeExport(TypedDict):
    resource: Literal['charges']
    """
    The rows are charges.
    """
    format: ExportFormat
    bom: NotRequired[bool]
    """
    For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
    """
    filter: NotRequired[ChargeFilter]


class NewChargeRefund(TypedDict):
    amount: NotRequired[Amount]
    """
    Minor currency units. (Default: all that is left)
    """
    reason: NotRequired[RefundReason]
    """
    Why the money goes back, for your own records.
    """
    metadata: NotRequired[Metadata]


class NewEventExport(TypedDict):
    resource: Literal['events']
    """
    The rows are events of the last 30 days.
    """
    format: ExportFormat
    bom: NotRequired[bool]
    """
    For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
    """
    filter: NotRequired[EventFilter]


class NewOAuthClient(TypedDict):
    """
    A client to be made
    """

    name: str
    """
    The name that people know it by, 1 to 100 characters.
    """
    scopes: list[Scope]
    """
    What its tokens allow.
    """


class NewRefund(TypedDict):
    amount: NotRequired[Amount]
    """
    Minor currency units. (Default: all that is left)
    """
    reason: NotRequired[RefundReason]
    """
    Why the money goes back, for your own records.
    """
    metadata: NotRequired[Metadata]
    charge: ChargeId


class NewWebhookEndpoint(TypedDict):
    url: str
    """
    HTTPS, with a host that has only public addresses, without credentials and fragment.
    """
    events: list[EventPattern]
    """
    What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`).
    """
    description: NotRequired[str | None]
    """
    Your own words, 1 to 500 characters; `null` if there are none.
    """
    metadata: NotRequired[Metadata]
    api_version: NotRequired[ApiVersion]
    """
    The API version of its payloads. (Default: that of the request)
    """
    ordering: NotRequired[WebhookOrdering]


class NewWebhookReplay(TypedDict):
    since: str
    """
    Events from this time on. Events are kept for 30 days.
    """
    until: NotRequired[str]
    """
    Events before this time. (Default: now)
    """
    types: NotRequired[list[EventPattern]]
    """
    Types and patterns. (Default: those of the endpoint)
    """
    status: NotRequired[WebhookDeliveryStatus]
    """
    Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery)
    """
    dry_run: NotRequired[bool]
    """
    Count the events, but send nothing.
    """


class OAuthClient(TypedDict):
    """
    A program that takes tokens for the account
    """

    id: ClientId
    object: Literal['client']
    """
    Always `client`.
    """
    name: str
    """
    The name that people know it by, 1 to 100 characters.
    """
    status: OAuthClientStatus
    scopes: list[Scope]
    """
    What its tokens allow.
    """
    authentication: OAuthClientAuthentication
    previous_secret_expires_at: Time | None
    """
    Until when the secret before the current one is valid; `null` without one.
    """
    created: Time
    """
    When the client was made.
    """


class OAuthClientList(TypedDict):
    """
    A page of a list
    """

    data: list[OAuthClient]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class OAuthClientWithSecret(TypedDict):
    """
    A client with its new secret
    """

    id: ClientId
    object: Literal['client']
    """
    Always `client`.
    """
    name: str
    """
    The name that people know it by, 1 to 100 characters.
    """
    status: OAuthClientStatus
    scopes: list[Scope]
    """
    What its tokens allow.
    """
    authentication: OAuthClientAuthentication
    previous_secret_expires_at: Time | None
    """
    Until when the secret before the current one is valid; `null` without one.
    """
    created: Time
    """
    When the client was made.
    """
    secret: str
    """
    Shown this once. Keep it on your server.
    """


class OAuthError(TypedDict):
    error: OAuthErrorCode
    error_description: str
    """
    What to do, for people.
    """
    memberships: NotRequired[list[Membership]]
    """
    With `account_selection_required`, which the console alone is answered.
    """


class PaymentMethod(TypedDict):
    """
    A card that a customer keeps on file
    """

    id: PaymentMethodId
    object: Literal['payment_method']
    """
    Always `payment_method`.
    """
    type: Literal['card']
    """
    The only kind there is.
    """
    card: Card


class PaymentMethodDetachment(TypedDict):
    payment_method: PaymentMethodId
    """
    The payment method to remove.
    """


class Problem(TypedDict):
    """
    A problem document (RFC 9457).
    """

    type: str
    """
    Where the code is explained.
    """
    code: ProblemCode
    title: str
    """
    The same for every occurrence of the code.
    """
    status: int
    """
    The status of the answer.
    """
    detail: str
    """
    What went wrong this time, and what to do.
    """
    instance: str
    """
    The path that was asked for.
    """
    trace_id: TraceId
    errors: NotRequired[list[ValidationFault]]
    """
    With `validation_failed` and `card_number_refused`: each fault of the body.
    """
    decline_code: NotRequired[DeclineCode]
    """
    With a decline: why the card was refused.
    """
    advice: NotRequired[DeclineAdvice]
    """
    With a decline: what to do next.
    """
    charge: NotRequired[ChargeId]
    """
    The charge that was declined, refused, voided, never sent or cancelled, which stays readable. In a line of a charge batch also the charge whose outcome is not known yet.
    """
    refund: NotRequired[RefundId]
    """
    With `refund_failed`: the failed refund, which stays readable.
    """
    result: NotRequired[str]
    """
    With a charge batch that was cancelled or failed: the path of the result of what was done by then. Of one that failed it can be fetched within minutes.
    """


class Refund(TypedDict):
    """
    Money that goes back from one charge
    """

    id: RefundId
    object: Literal['refund']
    """
    Always `refund`.
    """
    charge: ChargeId
    amount: Amount
    """
    The money that goes back, in minor currency units.
    """
    currency: Currency
    status: RefundStatus
    source: RefundSource
    """
    Who made it: `api`, a caller of this API; `processor`, somebody in the dashboard of the processor.
    """
    reason: RefundReason | None
    """
    Why the money goes back, as given.
    """
    metadata: Metadata
    reversible_until: Time | None
    """
    Until when `:cancel` can reverse the refund.
    """
    failure: RefundFailure | None
    """
    Why the refund failed; `null` if it did not.
    """
    processor: RefundProcessor | None
    """
    The processor that gives the money back, and its reference of the refund; `null` for refunds from before it was kept.
    """
    bank_reference: str | None
    """
    The number under which the bank of the buyer finds the money. It may come days after the refund was processed; `null` until then.
    """
    created: Time
    """
    When the refund was made.
    """
    updated: Time
    """
    When it last changed.
    """


class RefundEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: Refund


class RefundFailedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['refund.failed']
    """
    Always `refund.failed`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: RefundEventData


class RefundFilter(TypedDict):
    """
    The rows of an export; all members must hold.
    """

    charge: NotRequired[ChargeId]
    """
    Only refunds of this charge.
    """
    status: NotRequired[RefundStatus]
    """
    Only refunds with this status when their line is written.
    """
    created: NotRequired[CreatedRange]
    """
    Only rows made in this time.
    """


class RefundList(TypedDict):
    """
    A page of a list
    """

    data: list[Refund]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class RefundProcessedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['refund.processed']
    """
    Always `refund.processed`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: RefundEventData


class RefundReversedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['refund.reversed']
    """
    Always `refund.reversed`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: RefundEventData


class RefundSettledEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['refund.settled']
    """
    Always `refund.settled`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: RefundEventData


class Request(TypedDict):
    id: RequestId
    object: Literal['request']
    """
    Always `request`.
    """
    trace_id: TraceId
    method: str
    """
    The method of the request.
    """
    route: str
    """
    The template of its path.
    """
    path: str
    """
    Its path without the query. A part that is no id of ours reads as in `route`.
    """
    resource: str | None
    """
    The id of what it made, or of what its path names.
    """
    status: int
    """
    Of the answer. 499: the caller had gone.
    """
    code: str | None
    """
    The code of the problem; `null` without one.
    """
    errors: list[RequestError]
    """
    The members of its body that were wrong, at most 10. Never a value; a name that you made up reads as `*`.
    """
    idempotency_key: str | None
    """
    The beginning of the key that it carried, and `…`; `null` without one.
    """
    replayed: bool
    """
    Whether the answer was that of an earlier request with the key.
    """
    client: ClientId
    member: MemberId | None
    """
    The id of the person who asked, through the console; `null` for a program.
    """
    duration_ms: float
    """
    From its head to its answer.
    """
    count: int
    """
    How many requests it stands for: itself, and others within a minute that were refused alike.
    """
    created: Time
    """
    When it was answered.
    """


class RequestList(TypedDict):
    """
    A page of a list
    """

    data: list[Request]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class RequestTrace(TypedDict):
    object: Literal['request_trace']
    """
    Always `request_trace`.
    """
    trace_id: TraceId
    requests: list[Request]
    """
    Oldest first, at most 100.
    """


class Session(TypedDict):
    """
    A session of a member in the console
    """

    id: SessionId
    object: Literal['session']
    """
    Always `session`.
    """
    status: SessionStatus
    member: SessionMember
    created: Time
    """
    When the member signed in.
    """
    expires_at: Time
    """
    When it ends, however often it is used.
    """


class SessionList(TypedDict):
    """
    A page of a list
    """

    data: list[Session]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class WebhookDelivery(TypedDict):
    """
    One event for one endpoint
    """

    id: WebhookDeliveryId
    object: Literal['webhook_delivery']
    """
    Always `webhook_delivery`.
    """
    endpoint: WebhookEndpointId
    event: EventId
    type: EventType
    status: WebhookDeliveryStatus
    attempt_count: int
    """
    The attempts so far.
    """
    next_attempt_at: Time | None
    """
    When the next attempt is due; `null` if none follows.
    """
    replay: bool
    """
    Whether a caller requested the delivery; an event makes the others.
    """
    replay_of: WebhookDeliveryId | None
    """
    The delivery that this one repeats, if it repeats one.
    """
    created: Time
    """
    When the delivery was made.
    """
    updated: Time
    """
    When it last changed.
    """


class WebhookDeliveryDetail(TypedDict):
    id: WebhookDeliveryId
    object: Literal['webhook_delivery']
    """
    Always `webhook_delivery`.
    """
    endpoint: WebhookEndpointId
    event: EventId
    type: EventType
    status: WebhookDeliveryStatus
    attempt_count: int
    """
    The attempts so far.
    """
    next_attempt_at: Time | None
    """
    When the next attempt is due; `null` if none follows.
    """
    replay: bool
    """
    Whether a caller requested the delivery; an event makes the others.
    """
    replay_of: WebhookDeliveryId | None
    """
    The delivery that this one repeats, if it repeats one.
    """
    created: Time
    """
    When the delivery was made.
    """
    updated: Time
    """
    When it last changed.
    """
    attempts: list[WebhookAttempt]
    """
    Every attempt, oldest first.
    """


class WebhookDeliveryList(TypedDict):
    """
    A page of a list
    """

    data: list[WebhookDelivery]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class WebhookEndpointPatch(TypedDict):
    url: NotRequired[str]
    """
    HTTPS, with a host that has only public addresses, without credentials and fragment.
    """
    events: NotRequired[list[EventPattern]]
    """
    What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`).
    """
    status: NotRequired[WebhookEndpointStatus]
    description: NotRequired[str | None]
    """
    Your own words, 1 to 500 characters; `null` if there are none.
    """
    metadata: NotRequired[MetadataPatch | None]
    """
    Names to set or to remove; `null` removes all.
    """
    api_version: NotRequired[ApiVersion]
    """
    The API version of its payloads. (Default: that of the request)
    """
    ordering: NotRequired[WebhookOrdering | None]
    """
    `null` is the same as `none`.
    """


class WebhookReplayOperation(TypedDict):
    name: str
    """
    `operations/` and the id.
    """
    object: Literal['operation']
    """
    Always `operation`.
    """
    id: OperationId
    type: Literal['webhook_replay']
    """
    Always `webhook_replay`.
    """
    status: OperationStatus
    done: bool
    """
    If true, exactly one of `error` and `response` is present.
    """
    progress: OperationProgress | None
    """
    `null` until the total is known. `completed` never decreases.
    """
    error: NotRequired[Problem]
    """
    Why the operation ended without completing.
    """
    response: NotRequired[WebhookReplayResult]
    """
    The file that the operation made.
    """
    created: Time
    """
    When the operation was accepted.
    """
    updated: Time
    """
    When it last changed.
    """
    expires_at: Time | None
    """
    A finished operation can be read until then.
    """


class WebhookSecret(TypedDict):
    """
    A secret that signs, without its value
    """

    id: WebhookSecretId
    created: Time
    """
    When the secret was made.
    """
    expires_at: Time | None
    """
    Until when it signs; `null` for the current secret.
    """


class Charge(TypedDict):
    """
    A payment with a card
    """

    id: ChargeId
    object: Literal['charge']
    """
    Always `charge`.
    """
    amount: Amount
    currency: Currency
    status: ChargeStatus
    capture_method: CaptureMethod
    amount_captured: int
    """
    The part of `amount` that was taken, in minor currency units.
    """
    amount_refunded: int
    """
    The part of `amount_captured` that went back, or is about to, in minor currency units.
    """
    amount_returned: int
    """
    The part of `amount_captured` that the processor took back from you later, without a refund, in minor currency units.
    """
    refunded: bool
    """
    Whether everything that was taken went back.
    """
    customer: CustomerId | None
    """
    Who pays; `null` without a customer.
    """
    payment_method: PaymentSource
    card: ChargeCard | None
    """
    The card that pays; `null` until the processor has told it.
    """
    checks: CardChecks | None
    """
    What was checked of the card; `null` until it was told.
    """
    three_d_secure: ThreeDSecure | None
    """
    How the buyer was authenticated; `null` if it was not.
    """
    authorization_code: str | None
    """
    The bank's code for the authorization.
    """
    processor: ChargeProcessor
    """
    The processor that takes the charge, and its reference of the payment.
    """
    reference: str | None
    """
    Your own name of what is paid, as given.
    """
    description: str | None
    """
    Your own words, as given.
    """
    statement_descriptor: str | None
    """
    What the buyer reads on the statement of the card, as given.
    """
    metadata: Metadata
    failure: ChargeFailure | None
    """
    Why the charge failed; `null` if it did not.
    """
    next_action: ChargeNextAction | None
    """
    What the buyer does next: send the browser to `url` once. Set while the status is `requires_action`.
    """
    created: Time
    """
    When the charge was made.
    """
    updated: Time
    """
    When it last changed.
    """
    captured_at: Time | None
    """
    When the money was taken.
    """
    cancel_requested_at: Time | None
    """
    When its cancel was requested.
    """
    cancelled_at: Time | None
    """
    When it was cancelled.
    """
    expires_at: Time | None
    """
    When its authorization ends, while the money is only reserved.
    """
    charge_batch: OperationId | None
    """
    The charge batch that it was submitted in; `null` if it was submitted alone.
    """
    charge_batch_row: int | None
    """
    Its row in that batch, which counts from 0 as in the lines of the result.
    """


class ChargeBatchOperation(TypedDict):
    """
    Many charges in one request.
    """

    name: str
    """
    `operations/` and the id.
    """
    object: Literal['operation']
    """
    Always `operation`.
    """
    id: OperationId
    type: Literal['charge_batch']
    """
    Always `charge_batch`.
    """
    status: OperationStatus
    done: bool
    """
    If true, exactly one of `error` and `response` is present.
    """
    progress: OperationProgress | None
    """
    `null` until the total is known. `completed` never decreases.
    """
    error: NotRequired[Problem]
    """
    Why the operation ended without completing.
    """
    response: NotRequired[ChargeBatchResult]
    """
    The file that the operation made.
    """
    created: Time
    """
    When the operation was accepted.
    """
    updated: Time
    """
    When it last changed.
    """
    expires_at: Time | None
    """
    A finished operation can be read until then.
    """


class ChargeBatchOperationList(TypedDict):
    """
    A page of a list
    """

    data: list[ChargeBatchOperation]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class ChargeEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: Charge


class ChargeFailedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.failed']
    """
    Always `charge.failed`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class ChargeList(TypedDict):
    """
    A page of a list
    """

    data: list[Charge]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class ChargeRequiresActionEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.requires_action']
    """
    Always `charge.requires_action`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class ChargeSucceededEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.succeeded']
    """
    Always `charge.succeeded`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class ChargeUpdatedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.updated']
    """
    Always `charge.updated`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class Customer(TypedDict):
    """
    A payer, with the cards on file
    """

    id: CustomerId
    object: Literal['customer']
    """
    Always `customer`.
    """
    name: CustomerName | None
    email: Email | None
    description: Description | None
    metadata: Metadata
    default_payment_method: PaymentMethodId | None
    """
    The card that charges of this customer use by default; `null` if there is none.
    """
    payment_methods: list[PaymentMethod]
    """
    The cards on file, newest first.
    """
    created: Time
    """
    When the customer was made.
    """
    updated: Time
    """
    When it last changed.
    """


class CustomerDeletedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['customer.deleted']
    """
    Always `customer.deleted`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: CustomerDeletedEventData


class CustomerList(TypedDict):
    """
    A page of a list
    """

    data: list[Customer]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


CustomerOrErased: TypeAlias = Customer | DeletedCustomer
"""
A customer, or what is left of one that was deleted
"""


class CustomerReportOperation(TypedDict):
    """
    Files of what each customer has paid and got back.
    """

    name: str
    """
    `operations/` and the id.
    """
    object: Literal['operation']
    """
    Always `operation`.
    """
    id: OperationId
    type: Literal['customer_report']
    """
    Always `customer_report`.
    """
    status: OperationStatus
    done: bool
    """
    If true, exactly one of `error` and `response` is present.
    """
    progress: OperationProgress | None
    """
    `null` until the total is known. `completed` never decreases.
    """
    error: NotRequired[Problem]
    """
    Why the operation ended without completing.
    """
    response: NotRequired[CustomerReportResult]
    """
    The file that the operation made.
    """
    created: Time
    """
    When the operation was accepted.
    """
    updated: Time
    """
    When it last changed.
    """
    expires_at: Time | None
    """
    A finished operation can be read until then.
    """


class CustomerReportOperationList(TypedDict):
    """
    A page of a list
    """

    data: list[CustomerReportOperation]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class ExportedFilter(TypedDict):
    """
    The rows of an export; all members hold.
    """

    customer: NotRequired[CustomerId]
    """
    Only charges of this customer.
    """
    reference: NotRequired[str]
    """
    Only charges with exactly this reference.
    """
    amount: NotRequired[Amount]
    """
    Only charges of this amount, in minor currency units.
    """
    currency: NotRequired[Currency]
    """
    Only charges in this currency.
    """
    charge: NotRequired[ChargeId]
    """
    Only refunds of this charge.
    """
    status: NotRequired[str]
    """
    Only charges or refunds with this status.
    """
    type: NotRequired[EventType]
    """
    Only events of this type.
    """
    actor: NotRequired[ActorId]
    """
    Only entries of the audit of this member, operator or client.
    """
    created: NotRequired[ExportedRange]


class IdempotencyKey(TypedDict):
    object: Literal['idempotency_key']
    """
    Always `idempotency_key`.
    """
    key: str
    """
    The key, without quotes.
    """
    uses: list[IdempotencyKeyUse]
    """
    One for each endpoint, oldest first.
    """


class NewRefundExport(TypedDict):
    resource: Literal['refunds']
    """
    The rows are refunds.
    """
    format: ExportFormat
    bom: NotRequired[bool]
    """
    For `csv` alone: whether the file begins with a byte order mark. Spreadsheets such as Excel need it to read letters beyond ASCII. (Default: `false`)
    """
    filter: NotRequired[RefundFilter]


class WebhookEndpoint(TypedDict):
    """
    A URL that receives events
    """

    id: WebhookEndpointId
    object: Literal['webhook_endpoint']
    """
    Always `webhook_endpoint`.
    """
    url: str
    """
    Where events are sent.
    """
    events: list[EventPattern]
    """
    What the endpoint receives.
    """
    status: WebhookEndpointStatus
    disabled_reason: WebhookDisabledReason | None
    """
    Why the endpoint is disabled; `null` if it is not.
    """
    description: str | None
    """
    Your own words, 1 to 500 characters; `null` if there are none.
    """
    metadata: Metadata
    api_version: ApiVersion
    ordering: WebhookOrdering
    failing_since: Time | None
    """
    When the first failure in a row was; `null` while deliveries succeed.
    """
    last_failure: WebhookFailure | None
    """
    The last attempt that failed.
    """
    paused_until: Time | None
    """
    While it fails, when the next attempt is made at the earliest; `null` if it need not wait.
    """
    disables_at: Time | None
    """
    A failure from then on disables the endpoint; `null` while deliveries succeed.
    """
    secrets: list[WebhookSecret]
    """
    The secrets that sign, newest first.
    """
    created: Time
    """
    When the endpoint was made.
    """
    updated: Time
    """
    When it last changed.
    """


class WebhookEndpointEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: WebhookEndpoint


class WebhookEndpointList(TypedDict):
    """
    A page of a list
    """

    data: list[WebhookEndpoint]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class WebhookEndpointWithSecret(TypedDict):
    id: WebhookEndpointId
    object: Literal['webhook_endpoint']
    """
    Always `webhook_endpoint`.
    """
    url: str
    """
    Where events are sent.
    """
    events: list[EventPattern]
    """
    What the endpoint receives.
    """
    status: WebhookEndpointStatus
    disabled_reason: WebhookDisabledReason | None
    """
    Why the endpoint is disabled; `null` if it is not.
    """
    description: str | None
    """
    Your own words, 1 to 500 characters; `null` if there are none.
    """
    metadata: Metadata
    api_version: ApiVersion
    ordering: WebhookOrdering
    failing_since: Time | None
    """
    When the first failure in a row was; `null` while deliveries succeed.
    """
    last_failure: WebhookFailure | None
    """
    The last attempt that failed.
    """
    paused_until: Time | None
    """
    While it fails, when the next attempt is made at the earliest; `null` if it need not wait.
    """
    disables_at: Time | None
    """
    A failure from then on disables the endpoint; `null` while deliveries succeed.
    """
    secrets: list[WebhookSecret]
    """
    The secrets that sign, newest first.
    """
    created: Time
    """
    When the endpoint was made.
    """
    updated: Time
    """
    When it last changed.
    """
    secret: str
    """
    Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.
    """


class ChargeAuthorizedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.authorized']
    """
    Always `charge.authorized`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class ChargeCancelledEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['charge.cancelled']
    """
    Always `charge.cancelled`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: ChargeEventData


class CustomerEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: CustomerOrErased


class CustomerUpdatedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['customer.updated']
    """
    Always `customer.updated`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: CustomerEventData


class EndpointEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: WebhookEndpoint


class EndpointTestEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['endpoint.test']
    """
    Always `endpoint.test`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: EndpointEventData


class ExportRequest(TypedDict):
    """
    What was asked for. As the body of `POST /v1/exports` it asks for the same again. An export of events begins with the oldest that were kept.
    """

    resource: ExportedResource
    format: ExportFormat
    bom: NotRequired[bool]
    """
    Whether the file begins with a byte order mark.
    """
    filter: ExportedFilter


NewExport: TypeAlias = NewChargeExport | NewRefundExport | NewEventExport | NewAuditEntryExport
"""
What to export; `resource` says which filter there is.
"""


class WebhookEndpointDisabledEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['webhook_endpoint.disabled']
    """
    Always `webhook_endpoint.disabled`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: WebhookEndpointEventData


class CustomerCreatedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['customer.created']
    """
    Always `customer.created`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: CustomerEventData


class ExportOperation(TypedDict):
    """
    Files of charges, refunds, events and the audit.
    """

    name: str
    """
    `operations/` and the id.
    """
    object: Literal['operation']
    """
    Always `operation`.
    """
    id: OperationId
    type: Literal['export']
    """
    Always `export`.
    """
    status: OperationStatus
    done: bool
    """
    If true, exactly one of `error` and `response` is present.
    """
    progress: OperationProgress | None
    """
    `null` until the total is known. `completed` never decreases.
    """
    request: NotRequired[ExportRequest]
    error: NotRequired[Problem]
    """
    Why the operation ended without completing.
    """
    response: NotRequired[ExportResult]
    """
    The file that the operation made.
    """
    created: Time
    """
    When the operation was accepted.
    """
    updated: Time
    """
    When it last changed.
    """
    expires_at: Time | None
    """
    A finished operation can be read until then.
    """


class ExportOperationList(TypedDict):
    """
    A page of a list
    """

    data: list[ExportOperation]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


Operation: TypeAlias = ExportOperation | ChargeBatchOperation | CustomerReportOperation | WebhookReplayOperation
"""
Work that lasts longer than its request
"""


class OperationEventData(TypedDict):
    """
    The resource after the change, in `api_version`
    """

    object: Operation


class OperationFailedEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['operation.failed']
    """
    Always `operation.failed`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: OperationEventData


class OperationList(TypedDict):
    """
    A page of a list
    """

    data: list[Operation]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """


class OperationSucceededEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['operation.succeeded']
    """
    Always `operation.succeeded`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: OperationEventData


class OperationCancelledEvent(TypedDict):
    id: EventId
    """
    The same in every delivery of this event: a receiver skips an id that it has seen.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['operation.cancelled']
    """
    Always `operation.cancelled`.
    """
    timestamp: Time
    """
    When it happened.
    """
    sequence: int
    """
    Grows by one with each event of the account, in the order in which they happened.
    """
    api_version: ApiVersion
    """
    The version of `data.object`.
    """
    account: AccountId
    data: OperationEventData


Event: TypeAlias = ChargeRequiresActionEvent | ChargeAuthorizedEvent | ChargeSucceededEvent | ChargeFailedEvent | ChargeCancelledEvent | ChargeUpdatedEvent | RefundProcessedEvent | RefundSettledEvent | RefundFailedEvent | RefundReversedEvent | OperationSucceededEvent | OperationFailedEvent | OperationCancelledEvent | CustomerCreatedEvent | CustomerUpdatedEvent | CustomerDeletedEvent | WebhookEndpointDisabledEvent | EndpointTestEvent
"""
A change of a resource. `type` says what changed, and what `data.object` is.
"""


class EventList(TypedDict):
    """
    A page of a list
    """

    data: list[Event]
    """
    The items of this page, at most `limit`.
    """
    has_more: bool
    """
    Whether another page follows.
    """
    next_cursor: str | None
    """
    `starting_after` of the next page; `null` on the last one. Valid for this list and filter only.
    """
