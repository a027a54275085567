import type { DeclineAdvice, DeclineCode, ToldDecline } from '#domain/cards/decline-advice.ts';

/**
 * What Stripe's codes mean here. A code that is not in this table is a `generic_decline`: among them are those that a
 * merchant must not tell its buyer, such as `fraudulent`. Source: docs.stripe.com/declines/codes.
 */
export const declineCodes: Readonly<Record<string, DeclineCode>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  lost_card: 'lost_card',
  pickup_card: 'lost_card',
  stolen_card: 'stolen_card',
  processing_error: 'processing_error',
  issuer_not_available: 'processing_error',
  try_again_later: 'processing_error',
  reenter_transaction: 'processing_error',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_failed',
};

/** What Stripe's advice means here. Advice that is not in this table counts as none. Source: docs.stripe.com/declines. */
export const adviceCodes: Readonly<Record<string, DeclineAdvice>> = {
  try_again_later: 'retry_later',
  do_not_try_again: 'do_not_retry',
  confirm_card_data: 'ask_buyer',
};

/** Our own words: Stripe's text may name what neither logs nor merchants should hold. */
const messages: Readonly<Record<DeclineCode, string>> = {
  generic_decline: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds, or has reached a limit.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The security code of the card is incorrect.',
  lost_card: 'The card was reported lost.',
  stolen_card: 'The card was reported stolen.',
  processing_error: 'The issuer could not decide about the card.',
  authentication_required: 'The issuer asks the buyer to confirm the payment.',
  authentication_failed: 'The buyer could not be authenticated.',
};

/** The members of Stripe's error that say why a card was declined. */
export interface CardError {
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  /** Of the card's issuer or of its network: Stripe reads the codes of each network. */
  advice_code?: string | null | undefined;
}

/** Returns the reason of a decline, the most exact code that is known here, and what to do, if Stripe says it. */
export function readDecline(error: CardError): ToldDecline & { message: string } {
  const declineCode =
    find(declineCodes, error.decline_code) ?? find(declineCodes, error.code) ?? 'generic_decline';
  const advice = find(adviceCodes, error.advice_code);
  return { declineCode, ...(advice && { advice }), message: messages[declineCode] };
}

/** Only what is written in the table: each object of JavaScript has more names. */
function find<T>(table: Readonly<Record<string, T>>, code: string | null | undefined): T | undefined {
  return typeof code === 'string' && Object.hasOwn(table, code) ? table[code] : undefined;
}
