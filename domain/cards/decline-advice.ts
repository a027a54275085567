import type { ChargeFailure, DeclineCode } from '../charges.ts';
import type { ProblemCode } from '../problems.ts';

/** What merchants do about each code. The compiler refuses a code that is missing here. */

export interface DeclineAdvice {
  /** What happened, for the merchant. */
  meaning: string;
  /** What to tell the buyer. */
  tell: string;
  /** Whether the same card may be tried again, with a new key. */
  again: 'yes' | 'later' | 'no';
}

const otherCard = 'Your card was declined. Please use another card, or ask your bank.';

export const declineAdvice: Record<DeclineCode, DeclineAdvice> = {
  generic_decline: { meaning: 'The bank gave no reason.', tell: otherCard, again: 'no' },
  insufficient_funds: {
    meaning: 'The account of the card does not have the money.',
    tell: 'Your card does not have enough money for this payment. Please use another card, or try again later.',
    again: 'later',
  },
  expired_card: {
    meaning: 'The card is past its date.',
    tell: 'Your card has expired. Please use another card.',
    again: 'no',
  },
  incorrect_cvc: {
    meaning: 'The security code does not belong to the card.',
    tell: 'The security code is not right. Please check it, and enter the card again.',
    again: 'yes',
  },
  lost_card: {
    meaning: 'The card was reported lost. Do not tell the buyer: it may be a thief.',
    tell: otherCard,
    again: 'no',
  },
  stolen_card: {
    meaning: 'The card was reported stolen. Do not tell the buyer: it may be a thief.',
    tell: otherCard,
    again: 'no',
  },
  processing_error: {
    meaning: 'The bank or the card network had a fault.',
    tell: 'Something went wrong at the bank. No money was taken. Please try again.',
    again: 'yes',
  },
  authentication_required: {
    meaning: 'The bank wants the buyer to confirm, and the charge has no `return_url`.',
    tell: 'Your bank wants you to confirm this payment. Please pay again.',
    again: 'yes',
  },
  authentication_failed: {
    meaning: 'The buyer did not pass the confirmation of the bank.',
    tell: 'The payment was not confirmed. Please try again, or use another card.',
    again: 'yes',
  },
};

export const failureAdvice: Record<ChargeFailure['code'], string> = {
  card_declined: 'The card was declined. Read `failure.decline_code`, and the table of decline codes.',
  processor_timeout: 'The outcome stayed unknown, so the payment was voided. Offer to pay again.',
  not_sent: 'The processor could not be reached in time. Nothing was taken. Offer to pay again.',
  refused: 'The processor takes no such charge. Read `failure.message`, and change the request.',
  authentication_expired: 'The buyer did not confirm in time. Offer to pay again.',
  capture_failed:
    'The charge had succeeded, and the bank did not pay it after all. Nothing was taken. Ask the buyer to pay again.',
};

/** The problem that answered the request of a charge that failed so. Its page says more. */
export const failureProblems: Record<ChargeFailure['code'], ProblemCode> = {
  card_declined: 'card_declined',
  processor_timeout: 'payment_voided',
  not_sent: 'payment_not_sent',
  refused: 'processor_refused',
  authentication_expired: 'payment_voided',
  capture_failed: 'payment_voided',
};
