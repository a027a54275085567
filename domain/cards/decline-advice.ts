/** Why a card was declined, and what a merchant does next. The compiler refuses a code that is missing in a table here. */

/** Why a card was declined; the merchant reads it as `failure.decline_code`. */
export type DeclineCode = (typeof declineCodes)[number];

export const declineCodes = [
  'generic_decline',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'lost_card',
  'stolen_card',
  'processing_error',
  /** The card's issuer wants its holder to confirm, and the charge may not ask for that. */
  'authentication_required',
  'authentication_failed',
] as const;

/** What to do after a decline; the merchant reads it as `failure.advice`. */
export type DeclineAdvice = (typeof declineAdvices)[number];

export const declineAdvices = ['retry_later', 'use_another_card', 'ask_buyer', 'do_not_retry'] as const;

/** What each advice says, for the merchant. */
export const adviceMeanings: Record<DeclineAdvice, string> = {
  retry_later: 'The same card may be tried again later, with a new key.',
  use_another_card: 'The same card would be declined again. Offer to pay with another card.',
  ask_buyer: 'The buyer can help: by correcting the details of the card, or by confirming the payment.',
  do_not_retry: 'Never try the same card again: the bank or the card network forbids it.',
};

export interface Decline {
  /** What happened, for the merchant. */
  meaning: string;
  /** What to tell the buyer. */
  tell: string;
  /** What to do, where neither the processor nor the network says it. */
  advice: DeclineAdvice;
}

const otherCard = 'Your card was declined. Please use another card, or ask your bank.';

export const declines: Record<DeclineCode, Decline> = {
  generic_decline: { meaning: 'The bank gave no reason.', tell: otherCard, advice: 'use_another_card' },
  insufficient_funds: {
    meaning: 'The account of the card does not have the money.',
    tell: 'Your card does not have enough money for this payment. Please use another card, or try again later.',
    advice: 'retry_later',
  },
  expired_card: {
    meaning: 'The card is past its date, or the date is wrong.',
    tell: 'Your card has expired. Please check its date, or use another card.',
    advice: 'ask_buyer',
  },
  incorrect_cvc: {
    meaning: 'The security code does not belong to the card.',
    tell: 'The security code is not right. Please check it, and enter the card again.',
    advice: 'ask_buyer',
  },
  lost_card: {
    meaning: 'The card was reported lost. Do not tell the buyer: it may be a thief.',
    tell: otherCard,
    advice: 'do_not_retry',
  },
  stolen_card: {
    meaning: 'The card was reported stolen. Do not tell the buyer: it may be a thief.',
    tell: otherCard,
    advice: 'do_not_retry',
  },
  processing_error: {
    meaning: 'The bank or the card network had a fault.',
    tell: 'Something went wrong at the bank. No money was taken. Please try again.',
    advice: 'retry_later',
  },
  authentication_required: {
    meaning: 'The bank wants the buyer to confirm, and the charge has no `return_url`.',
    tell: 'Your bank wants you to confirm this payment. Please pay again.',
    advice: 'ask_buyer',
  },
  authentication_failed: {
    meaning: 'The buyer did not pass the confirmation of the bank.',
    tell: 'The payment was not confirmed. Please try again, or use another card.',
    advice: 'ask_buyer',
  },
};

/** A decline as a processor says it. */
export interface ToldDecline {
  declineCode: DeclineCode;
  /** What the processor or the network says to do. (Default: it follows from the code) */
  advice?: DeclineAdvice | undefined;
}

/** Returns what to do after a decline: what was said, else what follows from the code. */
export function adviseAfter({ declineCode, advice }: ToldDecline): DeclineAdvice {
  return advice ?? declines[declineCode].advice;
}
