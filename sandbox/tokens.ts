import type { CardDescription, DeclineAdvice, DeclineCode, ReceiptCard } from '#processor/port.ts';

/** How an answer leaves the service, when not simply at once. */
export type Delivery =
  /** The connection stays open and nothing is written. */
  | { manner: 'never' }
  /** The connection is destroyed. */
  | { manner: 'cut' }
  /** Status 200 and a body that is not JSON. */
  | { manner: 'unreadable' }
  | { manner: 'slow'; delayMs: number };

/** The behaviour of charges with this token. */
export interface SandboxToken {
  card: CardDescription;
  /** Present: the charge is declined with it. */
  declineCode?: DeclineCode;
  /** What its bank says to do after the decline. (Default: nothing) */
  advice?: DeclineAdvice;
  /** Present: pending at first. Says how often the outcome is notified. */
  notified?: 'once' | 'twice' | 'never';
  /** How the answer to the send that has the effect goes out. */
  delivery?: Delivery;
  /** Sends without any effect that come before the one that has it. */
  fruitless?: { sends: number; delivery: Delivery | 'refused' };
  refundsFail?: boolean;
  /** When the bank tells its number of a refund. (Default: at once) */
  bankReference?: 'later' | 'never';
  /** What is confirmed, and fails later. A void fails later once: what is given back again stays so. */
  failsLater?: 'refunds' | 'captures' | 'voids';
}

const visa: CardDescription = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 };
const slowMs = 3000;

/** Returns the same card with other last digits, so that a test can distinguish the tokens. */
function card(last4: string): CardDescription {
  return { ...visa, last4 };
}

function declined(last4: string): SandboxToken {
  return { card: card(last4), declineCode: 'generic_decline' };
}

const tokens = new Map<string, SandboxToken>(
  Object.entries({
    tok_visa: { card: visa },
    tok_mastercard: { card: { ...visa, brand: 'mastercard', last4: '4444' }, bankReference: 'later' },
    tok_amex: { card: { ...visa, brand: 'amex', last4: '0005' } },
    tok_discover: { card: { ...visa, brand: 'discover', last4: '1117' }, bankReference: 'never' },

    tok_declined: { card: card('0002'), declineCode: 'generic_decline' },
    tok_insufficient_funds: { card: card('9995'), declineCode: 'insufficient_funds' },
    tok_expired_card: { card: { ...card('0069'), expYear: 2020 }, declineCode: 'expired_card' },
    tok_incorrect_cvc: { card: card('0127'), declineCode: 'incorrect_cvc' },
    tok_lost_card: { card: card('9987'), declineCode: 'lost_card' },
    tok_stolen_card: { card: card('9979'), declineCode: 'stolen_card' },
    tok_processing_error: { card: card('0119'), declineCode: 'processing_error' },

    tok_declined_retry_later: { ...declined('0341'), advice: 'retry_later' },
    tok_declined_use_another_card: { ...declined('0342'), advice: 'use_another_card' },
    tok_declined_ask_buyer: { ...declined('0343'), advice: 'ask_buyer' },
    tok_declined_do_not_retry: { ...declined('0344'), advice: 'do_not_retry' },

    tok_async: { card: card('3201'), notified: 'once' },
    tok_async_declined: { card: card('3202'), notified: 'once', declineCode: 'generic_decline' },
    tok_async_silent: { card: card('3203'), notified: 'never' },
    tok_async_twice: { card: card('3204'), notified: 'twice' },

    tok_slow: { card: card('3301'), delivery: { manner: 'slow', delayMs: slowMs } },
    tok_timeout_charged: { card: card('3302'), delivery: { manner: 'never' } },
    tok_timeout_not_charged: {
      card: card('3303'),
      fruitless: { sends: 1, delivery: { manner: 'never' } },
    },
    tok_silent: {
      card: card('3304'),
      fruitless: { sends: Infinity, delivery: { manner: 'never' } },
    },
    tok_garbage: { card: card('3305'), delivery: { manner: 'unreadable' } },
    tok_reset: { card: card('3306'), fruitless: { sends: 1, delivery: { manner: 'cut' } } },
    tok_unavailable: { card: card('3307'), fruitless: { sends: 2, delivery: 'refused' } },
    tok_refund_fails: { card: card('3308'), refundsFail: true },
    tok_refund_fails_later: { card: card('5126'), failsLater: 'refunds' },
    tok_capture_fails_later: { card: card('5127'), failsLater: 'captures' },
    tok_void_fails_later: { card: card('5128'), failsLater: 'voids' },
  } satisfies Record<string, SandboxToken>),
);

/** Returns what a bank tells of the card behind a token, as answers about charges show it. */
export function describeCard({ card }: Pick<SandboxToken, 'card'>): ReceiptCard {
  const { brand, last4, expMonth: exp_month, expYear: exp_year } = card;
  const own = { country: 'DE', wallet: null, fingerprint: `card_${brand}_${last4}` };
  return { brand, last4, exp_month, exp_year, funding: 'credit', ...own };
}

/** Returns `undefined` for a token that the sandbox does not have. */
export function findToken(name: string): SandboxToken | undefined {
  return tokens.get(name);
}
