import type { DeclineAdvice, DeclineCode } from '#processor/port.ts';
import type { KeptAnswer, StripeRecord } from './stripe/records.ts';

/*
 * The events of the journal, a line each. Times are epoch milliseconds, amounts minor units. An event holds every
 * choice that was made, so that replaying it decides nothing anew. Never change the meaning of a member: old
 * journals are replayed by new code.
 */

/** A refusal of a charge or of a capture. */
export interface Refusal {
  decline_code: DeclineCode;
  /** What to do after it. (Default: nobody says) */
  advice?: DeclineAdvice;
  message: string;
  /** Why the request was not one to send at all; answered with 422. */
  error?: 'unknown_token' | 'amount_too_large';
}

export interface RefundFailure {
  code: string;
  message: string;
  /** As in {@link Refusal}. */
  error?: 'amount_too_large';
}

/** A movement of money, or an attempt at one. The books come from these. */
export type MoneyEvent =
  /** A send that was answered badly, or not at all, and had no effect. */
  | { type: 'fruitless_send'; at: number; key: string }
  | {
      type: 'charge';
      at: number;
      key: string;
      /** The key under which the books show it. (Default: `key`) */
      shown_as?: string;
      /** The front that it came by. (Default: the sandbox's own) */
      dialect?: 'stripe';
      token: string;
      amount: number;
      currency: string;
      statement_descriptor?: string | undefined;
      /** Whether the money was to be taken at once. (Default: not known) */
      capture?: boolean;
      /** A text that the caller has kept with it. */
      origin?: string | undefined;
      /** The decision about it. */
      outcome: 'authorized' | 'captured' | Refusal;
      /** Present: pending until then. */
      due_at?: number;
      /** Present: what was taken at once fails then. */
      fails_at?: number;
    }
  | {
      type: 'capture';
      at: number;
      key: string;
      /** As for a charge. */
      shown_as?: string;
      charge_key: string;
      amount: number;
      outcome: 'captured' | Refusal;
      /** As for a charge. */
      fails_at?: number;
    }
  /** `charge_key` may never have been seen. `fails_at`: the money does not arrive, and is back then. */
  | { type: 'void'; at: number; charge_key: string; fails_at?: number }
  | {
      type: 'refund';
      at: number;
      key: string;
      /** As for a charge. */
      shown_as?: string;
      charge_key: string;
      amount: number;
      /** As for a charge. */
      origin?: string | undefined;
      outcome: 'processed' | RefundFailure;
      due_at?: number;
      /** Present: it fails then, although it was processed. */
      fails_at?: number;
      /** Present: the bank tells its number of it then. */
      bank_reference_at?: number;
    }
  | { type: 'refund_reversal'; at: number; refund_key: string }
  /** A pending outcome was decided. `tell`: a notification is owed. */
  | { type: 'settled'; at: number; of: 'charge' | 'refund'; key: string; tell: boolean }
  /** A capture, a void of what was captured, or a refund failed after it was confirmed. `tell`: as above. */
  | { type: 'failed_later'; at: number; of: 'charge' | 'refund'; key: string; tell: boolean }
  /** No more notifications: one was acknowledged, or they were given up. */
  | { type: 'told'; at: number; of: 'charge' | 'refund'; key: string };

/** All that one request in Stripe's dialect has changed: its objects, the money, and the answer kept under its key. */
export interface StripeEvent {
  type: 'stripe';
  at: number;
  records: StripeRecord[];
  moves: MoneyEvent[];
  kept?: KeptAnswer;
}

export type JournalEvent = MoneyEvent | StripeEvent;
