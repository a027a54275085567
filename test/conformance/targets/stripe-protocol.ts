import type { ProcessorAnswer, ProcessorRequest } from '#processor/transport.ts';
import type { Protocol } from '../faults.ts';
import type { CallName } from '../calls.ts';
import type { Tokens } from '../subject.ts';

/** Stripe's own test tokens, which the sandbox has too. */
export const stripeTokens: Tokens = {
  succeeds: 'tok_visa',
  declines: {
    generic_decline: 'tok_chargeDeclined',
    insufficient_funds: 'tok_chargeDeclinedInsufficientFunds',
    expired_card: 'tok_chargeDeclinedExpiredCard',
    incorrect_cvc: 'tok_chargeDeclinedIncorrectCvc',
    processing_error: 'tok_chargeDeclinedProcessingError',
    lost_card: 'pm_card_visa_chargeDeclinedLostCard',
    stolen_card: 'pm_card_visa_chargeDeclinedStolenCard',
  },
  unknown: 'tok_nobody',
  refundsFailLater: 'pm_card_refundFail',
  asksBuyer: 'pm_card_threeDSecure2Required',
  asksBuyerThenDeclines: 'pm_card_threeDSecureRequiredChargeDeclined',
};

const sends: Readonly<Record<string, CallName>> = {
  payment_methods: 'token',
  payment_intents: 'prepare',
  refunds: 'refund',
  confirm: 'authorize',
  capture: 'capture',
  cancel: 'void',
};
const asks: Readonly<Record<string, CallName>> = { payment_intents: 'list', refunds: 'find_refund' };

function readCall({ method, path }: ProcessorRequest): CallName {
  const [, , collection = '', id, action] = (path.split('?')[0] ?? '').split('/');
  if (method === 'POST') return sends[action ?? collection] ?? 'other';
  return id === undefined
    ? (asks[collection] ?? 'list')
    : collection === 'payment_intents'
      ? 'find'
      : 'other';
}

function refuse(status: number, type: string, code: string): ProcessorAnswer {
  const body = JSON.stringify({ error: { type, code, message: 'A fault of the kit.' } });
  return { status, headers: { 'content-type': 'application/json', 'request-id': 'req_fault' }, body };
}

/** What the kit must know of Stripe's API to make faults in it. */
export const stripeProtocol: Protocol = {
  readCall,
  readKey: ({ headers }) => headers?.['idempotency-key'] ?? null,
  markKept: (answer) => ({ ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }),
  answers: {
    rate_limited: refuse(429, 'invalid_request_error', 'rate_limit'),
    locked: refuse(429, 'invalid_request_error', 'lock_timeout'),
    running: refuse(409, 'idempotency_error', 'idempotency_key_in_use'),
    failure: refuse(500, 'api_error', 'api_error'),
    key_reused: refuse(400, 'idempotency_error', 'idempotency_error'),
    unauthorized: refuse(401, 'invalid_request_error', 'api_key_expired'),
    not_found: refuse(404, 'invalid_request_error', 'resource_missing'),
  },
};
