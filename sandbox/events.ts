import type { DeclineCode } from '#processor/port.ts';

/*
 * The events of the journal, a line each. Times are epoch milliseconds, amounts minor units. An event holds every
 * choice that was made, so that replaying it decides nothing anew. Never change the meaning of a member: old
 * journals are replayed by new code.
 */

/** A refusal of a charge or of a capture. */
export interface Refusal {
  decline_code: DeclineCode;
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

export type JournalEvent =
  /** A send that was answered badly, or not at all, and had no effect. */
  | { type: 'fruitless_send'; at: number; key: string }
  | {
      type: 'charge';
      at: number;
      key: string;
      token: string;
      amount: number;
      currency: string;
      statement_descriptor?: string | undefined;
      /** The decision about it. */
      outcome: 'authorized' | 'captured' | Refusal;
      /** Present: pending until then. */
      due_at?: number;
    }
  | {
      type: 'capture';
      at: number;
      key: string;
      charge_key: string;
      amount: number;
      outcome: 'captured' | Refusal;
    }
  /** `charge_key` may never have been seen. */
  | { type: 'void'; at: number; charge_key: string }
  | {
      type: 'refund';
      at: number;
      key: string;
      charge_key: string;
      amount: number;
      outcome: 'processed' | RefundFailure;
      due_at?: number;
    }
  | { type: 'refund_reversal'; at: number; refund_key: string }
  /** A pending outcome was decided. `tell`: a notification is owed. */
  | { type: 'settled'; at: number; of: 'charge' | 'refund'; key: string; tell: boolean }
  /** No more notifications: one was acknowledged, or they were given up. */
  | { type: 'told'; at: number; of: 'charge' | 'refund'; key: string };
