import type { DeclineAdvice, DeclineCode } from '#processor/port.ts';
import type { Delivery } from '../tokens.ts';
import type { Draft } from './draft.ts';
import { invalidRequest, serverError, serviceUnavailable, type Answer } from './errors.ts';
import { fail, take, tokenBehind, type FailureCause } from './payments.ts';
import { presentFailure, presentIntent } from './present.ts';
import type { IntentRecord, MethodRecord } from './records.ts';
import type { StripeToken } from './tokens.ts';

/** The answer to a request, and what is done with it. */
export interface Outcome extends Answer {
  delivery?: Delivery;
  /** `false`: the service stands aside, as if the request had never arrived; nothing is kept under its key. */
  isKept?: boolean;
}

export interface ConfirmParams {
  return_url?: string | undefined;
  error_on_requires_action?: boolean | undefined;
  off_session?: boolean | undefined;
}

export interface Timing {
  /** How long a pending outcome takes. */
  asyncMs: number;
  /** How long an authorization lasts. */
  authorizationMs: number;
}

const ownCodes = new Set<DeclineCode>(['expired_card', 'incorrect_cvc', 'processing_error']);

/** Stripe has no word for a use of another card. */
const adviceCodes: Partial<Record<DeclineAdvice, NonNullable<FailureCause['adviceCode']>>> = {
  retry_later: 'try_again_later',
  ask_buyer: 'confirm_card_data',
  do_not_retry: 'do_not_try_again',
};

function declineCause(code: DeclineCode, advice: DeclineAdvice | undefined): FailureCause {
  const own = ownCodes.has(code) ? code : 'card_declined';
  const adviceCode = advice && adviceCodes[advice];
  const message = 'Your card was declined.';
  return { type: 'card_error', code: own, declineCode: code, ...(adviceCode && { adviceCode }), message };
}

export const authenticationRequired: FailureCause = {
  type: 'card_error',
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export const authenticationFailed: FailureCause = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message: 'The provided PaymentMethod has failed authentication.',
};

/** The 402 of an attempt that failed. */
function cardError(draft: Draft, intent: IntentRecord): Outcome {
  const error = presentFailure(draft, intent.failure!);
  return { status: 402, body: { error: { ...error, payment_intent: presentIntent(draft, intent) } } };
}

function checkMethod(intent: IntentRecord, method: MethodRecord): void {
  if (method.usedBy === null || method.usedBy === intent.id) return;
  throw invalidRequest(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment. It may not be ' +
      'used again.',
    { param: 'payment_method' },
  );
}

function unexpectedState(draft: Draft, intent: IntentRecord, message: string) {
  const code = 'payment_intent_unexpected_state';
  return invalidRequest(message, { code, payment_intent: presentIntent(draft, intent) });
}

/** @throws {StripeRefusal} when the intent cannot be confirmed as it is. */
export function checkConfirmable(draft: Draft, intent: IntentRecord): void {
  const { status, method } = intent;
  if (status === 'requires_payment_method' || method === null) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method.";
    throw unexpectedState(draft, intent, message);
  }
  if (status !== 'requires_confirmation' && status !== 'requires_action') {
    throw unexpectedState(draft, intent, `You cannot confirm this PaymentIntent because it is ${status}.`);
  }
  checkMethod(intent, draft.find('payment_method', method, 'payment_method'));
}

/** Decides the payment of an intent that no action stands in the way of. */
export function pay(draft: Draft, intent: IntentRecord, token: StripeToken, timing: Timing): IntentRecord {
  return token.declineCode
    ? fail(draft, intent, declineCause(token.declineCode, token.advice), true)
    : take(draft, intent, timing.authorizationMs);
}

function askBuyer(draft: Draft, intent: IntentRecord, params: ConfirmParams, origin: string): IntentRecord {
  const returnUrl = params.return_url ?? intent.returnUrl;
  const actionUrl = returnUrl === null ? null : `${origin}/3ds/${intent.id}`;
  const asked: IntentRecord = { ...intent, returnUrl, actionUrl, failure: null, status: 'requires_action' };
  draft.put(asked);
  draft.tell('payment_intent.requires_action', intent.id);
  return asked;
}

function wait(draft: Draft, intent: IntentRecord, timing: Timing): IntentRecord {
  const waiting: IntentRecord = {
    ...intent,
    failure: null,
    dueAt: draft.at + timing.asyncMs,
    status: 'processing',
  };
  draft.put(waiting);
  draft.tell('payment_intent.processing', intent.id);
  return waiting;
}

/** Returns the answer to a confirm that the token makes fruitless, or `null`. */
function confirmInVain(draft: Draft, intent: IntentRecord, token: StripeToken): Outcome | null {
  const count = () => draft.put({ ...intent, fruitless: intent.fruitless + 1 });
  if (token.stored500 === 'not_charged' && intent.fruitless === 0) {
    count();
    return serverError;
  }
  const { fruitless } = token;
  if (!fruitless || intent.fruitless >= fruitless.sends) return null;
  // Counted only where the count ends: the others leave no trace at all.
  if (fruitless.sends !== Infinity) count();
  if (fruitless.delivery === 'refused') return { ...serviceUnavailable, isKept: false };
  return { ...serviceUnavailable, delivery: fruitless.delivery, isKept: false };
}

function attempt(
  draft: Draft,
  intent: IntentRecord,
  token: StripeToken,
  request: { params: ConfirmParams; origin: string; timing: Timing },
): IntentRecord {
  const { params, origin, timing } = request;
  if (token.isConfirmedByBuyer && !intent.isAuthenticated) {
    return params.error_on_requires_action || params.off_session
      ? fail(draft, intent, authenticationRequired, true)
      : askBuyer(draft, intent, params, origin);
  }
  return token.notified ? wait(draft, intent, timing) : pay(draft, intent, token, timing);
}

/** Carries a confirm out, as the token of its payment method says. */
export function confirm(
  draft: Draft,
  intent: IntentRecord,
  request: { params: ConfirmParams; origin: string; timing: Timing },
): Outcome {
  checkConfirmable(draft, intent);
  const token = tokenBehind(draft, intent);
  const inVain = confirmInVain(draft, intent, token);
  if (inVain) return inVain;
  const after = attempt(draft, intent, token, request);
  if (token.stored500 === 'charged') return serverError;
  const hasFailed = after.status === 'requires_payment_method';
  const outcome = hasFailed ? cardError(draft, after) : { status: 200, body: presentIntent(draft, after) };
  return token.delivery ? { ...outcome, delivery: token.delivery } : outcome;
}
