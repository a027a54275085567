import { toBankReference } from '../replies.ts';
import type {
  ChargeRecord,
  IntentRecord,
  MethodRecord,
  PaymentFailure,
  RefundRecord,
  StripeRecord,
  TokenRecord,
  TransactionRecord,
} from './records.ts';
import { recordOf, type Reader, type ShownEvent } from './state.ts';
import { settlementCurrency } from './money.ts';
import { findStripeToken } from './tokens.ts';

/** The version of the objects, and of the OpenAPI file in the tests. */
export const apiVersion = '2026-08-26.dahlia';

const nobody = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

function presentCard(token: string): object {
  const { brand, last4, expMonth, expYear } = findStripeToken(token)!.card;
  return {
    brand,
    last4,
    exp_month: expMonth,
    exp_year: expYear,
    country: 'US',
    fingerprint: `Fp${brand}${last4}`,
    funding: 'credit',
  };
}

export function presentMethod(method: MethodRecord): object {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: nobody,
    card: {
      ...presentCard(method.token),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      generated_from: null,
      networks: null,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: method.created,
    customer: null,
    livemode: false,
    metadata: method.metadata,
    type: 'card',
  };
}

/** Returns the members of an error that a failed attempt has. */
export function presentFailure(reader: Reader, failure: PaymentFailure): object {
  const { type, code, declineCode, adviceCode, message, charge } = failure;
  const method = recordOf(reader.get(failure.method), 'payment_method');
  return {
    type,
    code,
    ...(declineCode !== null && { decline_code: declineCode }),
    ...(adviceCode && { advice_code: adviceCode }),
    message,
    ...(charge !== null && { charge }),
    ...(method && { payment_method: presentMethod(method) }),
  };
}

function presentNextAction(intent: IntentRecord): object | null {
  if (intent.status !== 'requires_action') return null;
  if (intent.actionUrl === null) {
    return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
  }
  const redirect = { return_url: intent.returnUrl, url: intent.actionUrl };
  return { type: 'redirect_to_url', redirect_to_url: redirect };
}

export function presentIntent(reader: Reader, intent: IntentRecord): object {
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    amount_capturable: intent.amountCapturable,
    amount_received: intent.amountReceived,
    application: null,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: intent.secret,
    confirmation_method: intent.confirmationMethod,
    created: intent.created,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    last_payment_error: intent.failure && presentFailure(reader, intent.failure),
    latest_charge: intent.latestCharge,
    livemode: false,
    metadata: intent.metadata,
    next_action: presentNextAction(intent),
    payment_method: intent.method,
    payment_method_types: ['card'],
    statement_descriptor: null,
    statement_descriptor_suffix: intent.descriptorSuffix,
    status: intent.status,
  };
}

function presentOutcome({ failure }: ChargeRecord): object {
  const isApproved = failure === null;
  return {
    advice_code: failure?.adviceCode ?? null,
    network_status: isApproved ? 'approved_by_network' : 'declined_by_network',
    reason: failure?.declineCode ?? failure?.code ?? null,
    risk_level: 'normal',
    seller_message: isApproved ? 'Payment complete.' : 'The bank declined the payment.',
    type: isApproved ? 'authorized' : 'issuer_declined',
  };
}

function presentChargedCard(reader: Reader, charge: ChargeRecord): object {
  const method = recordOf(reader.get(charge.method), 'payment_method');
  const authentication = { authentication_flow: 'challenge', result: 'authenticated', version: '2.2.0' };
  return {
    type: 'card',
    card: {
      ...presentCard(method?.token ?? 'tok_visa'),
      amount_authorized: charge.amount,
      authorization_code: charge.failure === null ? charge.id.slice(-6) : null,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      wallet: null,
      ...(charge.captureBefore !== null && { capture_before: charge.captureBefore }),
      three_d_secure: charge.isAuthenticated ? authentication : null,
    },
  };
}

export function presentCharge(reader: Reader, charge: ChargeRecord): object {
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.amountCaptured,
    amount_refunded: charge.amountRefunded,
    balance_transaction: charge.transaction,
    billing_details: nobody,
    captured: charge.isCaptured,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: charge.description,
    disputed: false,
    failure_code: charge.failure?.code ?? null,
    failure_message: charge.failure?.message ?? null,
    livemode: false,
    metadata: charge.metadata,
    outcome: presentOutcome(charge),
    paid: charge.status === 'succeeded',
    payment_intent: charge.intent,
    payment_method: charge.method,
    payment_method_details: presentChargedCard(reader, charge),
    refunded: charge.amountRefunded === charge.amount,
    statement_descriptor_suffix: charge.descriptorSuffix,
    status: charge.status,
  };
}

function presentDestination({ id, status, bankReference }: RefundRecord): object {
  if (status === 'pending' || bankReference === undefined)
    return { type: status === 'pending' ? 'pending' : 'refund' };
  return {
    type: 'refund',
    ...(bankReference === 'available' && { reference: toBankReference(id) }),
    reference_status: bankReference,
    reference_type: 'acquirer_reference_number',
  };
}

function presentRefund(refund: RefundRecord): object {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.transaction,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    destination_details: { type: 'card', card: presentDestination(refund) },
    ...(refund.failureTransaction !== null && { failure_balance_transaction: refund.failureTransaction }),
    ...(refund.failureReason !== null && { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.intent,
    ...(refund.status === 'pending' && { pending_reason: 'insufficient_funds' }),
    reason: refund.reason,
    receipt_number: null,
    status: refund.status,
  };
}

const processingFee = 'Processing fees';

function presentTransaction(transaction: TransactionRecord): object {
  const { amount, fee, created } = transaction;
  const details = {
    amount: fee,
    application: null,
    currency: settlementCurrency,
    description: processingFee,
  };
  return {
    id: transaction.id,
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: settlementCurrency,
    description: null,
    exchange_rate: transaction.rate,
    fee,
    fee_details: fee === 0 ? [] : [{ ...details, type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: transaction.category,
    source: transaction.source,
    status: 'available',
    type: transaction.type,
  };
}

export function presentToken(token: TokenRecord): object {
  return {
    id: token.id,
    object: 'token',
    card: { id: token.id.replace('tok_', 'card_'), object: 'card', ...presentCard(token.token) },
    client_ip: null,
    created: token.created,
    livemode: false,
    type: 'card',
    used: token.isUsed,
  };
}

export function presentEvent(reader: Reader, { record, subject }: ShownEvent): object {
  const { id, created, type, owed, requestId, idempotencyKey } = record;
  return {
    id,
    object: 'event',
    api_version: apiVersion,
    created,
    data: { object: present(reader, subject) },
    livemode: false,
    pending_webhooks: owed > 0 ? 1 : 0,
    request: { id: requestId, idempotency_key: idempotencyKey },
    type,
  };
}

/** Returns the object of a record as Stripe shows it. */
export function present(reader: Reader, record: StripeRecord): object {
  switch (record.kind) {
    case 'payment_method':
      return presentMethod(record);
    case 'payment_intent':
      return presentIntent(reader, record);
    case 'charge':
      return presentCharge(reader, record);
    case 'refund':
      return presentRefund(record);
    case 'balance_transaction':
      return presentTransaction(record);
    case 'token':
      return presentToken(record);
    case 'event':
      return presentEvent(reader, reader.shownEvent(record.id)!);
  }
}
