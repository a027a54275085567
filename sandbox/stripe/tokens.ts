import { findToken, type SandboxToken } from '../tokens.ts';

/** A token as this dialect knows it: the sandbox's own, and what only Stripe's flow can show. */
export interface StripeToken extends SandboxToken {
  name: string;
  /** The buyer must confirm first. */
  isConfirmedByBuyer?: boolean;
  /** The first confirm is answered with a 500, which is kept under its key: with its effect, or without any. */
  stored500?: 'charged' | 'not_charged';
}

function card(last4: string): SandboxToken['card'] {
  return { brand: 'visa', last4, expMonth: 12, expYear: 2034 };
}

const own = new Map<string, Omit<StripeToken, 'name'>>(
  Object.entries({
    tok_3ds: { card: card('3220'), isConfirmedByBuyer: true },
    tok_3ds_then_declined: { card: card('3221'), isConfirmedByBuyer: true, declineCode: 'generic_decline' },
    tok_500_charged: { card: card('3309'), stored500: 'charged' },
    tok_500_not_charged: { card: card('3310'), stored500: 'not_charged' },
  } satisfies Record<string, Omit<StripeToken, 'name'>>),
);

/** The names of Stripe's test mode, without `tok_` or `pm_card_`, for what this sandbox calls otherwise. */
const aliases = new Map(
  Object.entries({
    debit: 'tok_visa',
    visa_debit: 'tok_visa',
    mastercard_debit: 'tok_mastercard',
    chargeDeclined: 'tok_declined',
    visa_chargeDeclined: 'tok_declined',
    chargeDeclinedFraudulent: 'tok_declined',
    chargeDeclinedInsufficientFunds: 'tok_insufficient_funds',
    visa_chargeDeclinedInsufficientFunds: 'tok_insufficient_funds',
    chargeDeclinedExpiredCard: 'tok_expired_card',
    chargeDeclinedIncorrectCvc: 'tok_incorrect_cvc',
    visa_chargeDeclinedLostCard: 'tok_lost_card',
    visa_chargeDeclinedStolenCard: 'tok_stolen_card',
    chargeDeclinedProcessingError: 'tok_processing_error',
    threeDSecure2Required: 'tok_3ds',
    threeDSecureRequired: 'tok_3ds',
    authenticationRequired: 'tok_3ds',
    threeDSecureRequiredChargeDeclined: 'tok_3ds_then_declined',
    refundFail: 'tok_refund_fails_later',
  }),
);

const prefixes = ['tok_', 'pm_card_'];

/** Returns the token of this name, or of this alias, or `undefined`. */
export function findStripeToken(name: string): StripeToken | undefined {
  const prefix = prefixes.find((one) => name.startsWith(one));
  if (!prefix) return undefined;
  const rest = name.slice(prefix.length);
  const ownName = aliases.get(rest) ?? `tok_${rest}`;
  const token = own.get(ownName) ?? findToken(ownName);
  return token && { ...token, name: ownName };
}

const testCards = [
  'tok_visa',
  'tok_mastercard',
  'tok_amex',
  'tok_discover',
  'tok_declined',
  'tok_declined_retry_later',
  'tok_declined_use_another_card',
  'tok_declined_ask_buyer',
  'tok_declined_do_not_retry',
  'tok_insufficient_funds',
  'tok_expired_card',
  'tok_incorrect_cvc',
  'tok_lost_card',
  'tok_stolen_card',
  'tok_processing_error',
  'tok_3ds',
  'tok_3ds_then_declined',
  'tok_refund_fails_later',
];

/** Returns the name of the token that stands for a test card, by the last four digits of its number. */
export function tokenNameByCard(number: string): string | undefined {
  return testCards.find((name) => findStripeToken(name)?.card.last4 === number.slice(-4));
}
