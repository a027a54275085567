/**
 * The timeline of a charge: the steps of its workflow and of those of its refunds, their waits, and the processor's
 * answers. Codes and amounts only: every reader of the charge reads it, and operators do.
 */

/** A call to the processor, by its subject. */
export type ProcessorCall = 'preparation' | 'charge' | 'capture' | 'void' | 'refund' | 'reversal';

/** The content of an entry. Merchants branch on `type`, so one is never renamed. */
export type TimelineStep =
  /** The charge began: from here on it is brought to an end after any crash. */
  | { type: 'began'; detail: Record<string, never> }
  /** A call that moves money went out; or a `preparation`, which moves none. */
  | { type: 'sent'; detail: { call: ProcessorCall } }
  /** The processor was asked, by our own key, for the outcome of an earlier call. */
  | { type: 'asked'; detail: { call: ProcessorCall } }
  | {
      type: 'processor_answered';
      detail: {
        call: ProcessorCall;
        outcome: ProcessorAnswer;
        amount?: number;
        decline_code?: string;
        /** Why a refund failed, or the processor refused. */
        code?: string;
      };
    }
  /** No usable answer; it says nothing about the money. `circuit`: the call was not made, since no call was answered. */
  | { type: 'processor_fault'; detail: { call: ProcessorCall; code: string; circuit?: 'open' } }
  /** Nothing to do until the processor decides, the buyer confirms, or a capture, a cancel, a reversal or `until` comes. */
  | { type: 'waiting'; detail: { for: 'processor' | 'action' | 'capture' | 'settlement'; until?: string } }
  /** A capture began; `amount` in minor units. */
  | { type: 'capture_requested'; detail: { amount: number } }
  /** The charge was never sent, and will not be. */
  | { type: 'given_up'; detail: { reason: 'not_sent' } }
  /** A void was recorded: from here on the charge can only be voided. */
  | { type: 'void_requested'; detail: { reason: string } }
  /** An attempt to deliver an event of the charge to an endpoint failed; `status_code` where there was an answer. */
  | { type: 'delivery_attempted'; detail: DeliveryDetail & { error: string } }
  /** An endpoint took an event of the charge. */
  | { type: 'delivered'; detail: DeliveryDetail }
  /** A refund began: it holds `amount` of the charge from here on. */
  | { type: 'refund_requested'; detail: { amount: number } }
  /** A reversal began: the refund cannot settle before the processor has decided. */
  | { type: 'reversal_requested'; detail: Record<string, never> }
  /** How the refund ended. The first two gave its amount back to the charge in the same statement. */
  | { type: 'refund_failed' | 'refund_reversed' | 'refund_settled'; detail: { amount: number } };

/** `event` is its type; `attempt` counts from 1. */
type DeliveryDetail = {
  endpoint: string;
  delivery: string;
  event: string;
  attempt: number;
  status_code?: number;
};

export type ProcessorAnswer =
  | 'authorized'
  | 'captured'
  | 'capture_failed'
  | 'declined'
  | 'pending'
  | 'voided'
  | 'not_found'
  | 'processed'
  | 'failed'
  | 'reversed'
  | 'prepared'
  | 'refused'
  | 'requires_action';

/** The subject of an entry, unless it is the charge itself; part of its detail. */
export type TimelineSubject = { refund?: string };

/** An entry about to be written. */
export type NewTimelineEntry = TimelineStep & { at: Date; detail: TimelineSubject };

export interface TimelineEntry {
  /** The entry's place among those of its charge; the next page begins behind it. */
  position: string;
  at: Date;
  type: string;
  detail: Record<string, string | number>;
}

/** An entry over the wire. */
export interface TimelineEntryResource {
  object: 'timeline_entry';
  at: string;
  type: string;
  detail: Record<string, string | number>;
}

/** @param currency that of the charge, which every amount on its timeline is in. */
export function presentTimelineEntry(
  { at, type, detail }: TimelineEntry,
  currency: string,
): TimelineEntryResource {
  const shown = 'amount' in detail ? { ...detail, currency } : detail;
  return { object: 'timeline_entry', at: at.toISOString(), type, detail: shown };
}
