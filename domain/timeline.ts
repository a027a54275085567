import { nextStep, type Refund } from './refunds.ts';

/**
 * The timeline of a charge: what its workflow and those of its refunds tried, what they waited for, and what the
 * processor said, step by step. Codes and amounts only: it is read by whoever may read the charge, and by
 * operators.
 */

/** A call to the processor, by what it is about. */
export type ProcessorCall = 'charge' | 'capture' | 'void' | 'refund' | 'reversal';

/** What an entry says. Merchants branch on `type`, so one is never renamed. */
export type TimelineStep =
  /** The charge passed its fence: from here on it is brought to an end, whatever happens. */
  | { type: 'began'; detail: Record<string, never> }
  /** A call that moves money went out. */
  | { type: 'sent'; detail: { call: ProcessorCall } }
  /** The processor was asked, by our own key, what became of an earlier call. */
  | { type: 'asked'; detail: { call: ProcessorCall } }
  | {
      type: 'processor_answered';
      detail: {
        call: ProcessorCall;
        outcome: ProcessorAnswer;
        amount?: number;
        decline_code?: string;
        /** Why a refund failed. */
        code?: string;
      };
    }
  /** No answer that could be used; it says nothing about the money. */
  | { type: 'processor_fault'; detail: { call: ProcessorCall; code: string } }
  /** Nothing to do until the processor tells its outcome, or a capture, a cancel, a reversal or `until` comes. */
  | { type: 'waiting'; detail: { for: 'processor' | 'capture' | 'settlement'; until?: string } }
  /** A capture passed its fence; `amount` in minor units. */
  | { type: 'capture_requested'; detail: { amount: number } }
  /** It was never sent, and is not any more. */
  | { type: 'given_up'; detail: { reason: 'not_sent' } }
  /** From here on the money is only given back. */
  | { type: 'void_requested'; detail: { reason: string } }
  /** An attempt to deliver an event of the charge to an endpoint failed; `status_code` where there was an answer. */
  | { type: 'delivery_attempted'; detail: DeliveryDetail & { error: string } }
  /** An endpoint took an event of the charge. */
  | { type: 'delivered'; detail: DeliveryDetail }
  /** A refund passed its fence: it holds `amount` of the charge from here on. */
  | { type: 'refund_requested'; detail: { amount: number } }
  /** A reversal passed its fence: the refund cannot settle before the processor has told. */
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
  | 'declined'
  | 'pending'
  | 'voided'
  | 'not_found'
  | 'processed'
  | 'failed'
  | 'reversed';

/** What an entry is about, unless it is the charge itself; told with its detail. */
export type TimelineSubject = { refund?: string };

export type TimelineEntryType = TimelineStep['type'];

/** An entry about to be written. */
export type NewTimelineEntry = TimelineStep & { at: Date; detail: TimelineSubject };

/** How a refund's part of the timeline begins. */
export function requestOfRefund({ amount }: Refund): TimelineStep {
  return { type: 'refund_requested', detail: { amount } };
}

/** What the refund waits for now, or how it ended, as the last entry of what was done. */
export function standOfRefund(record: Refund): NewTimelineEntry[] {
  const { id: refund, status, amount, settlesAt, updatedAt: at } = record;
  if (status === 'settled' || status === 'failed' || status === 'reversed')
    return [{ at, type: `refund_${status}`, detail: { amount, refund } }];
  const next = nextStep(record);
  if (next === 'await_processor') return [{ at, type: 'waiting', detail: { for: 'processor', refund } }];
  if (next !== 'await_settlement') return [];
  const until = settlesAt && { until: settlesAt.toISOString() };
  return [{ at, type: 'waiting', detail: { for: 'settlement', ...until, refund } }];
}

export interface TimelineEntry {
  /** Where the entry stands among those of its charge; what the next page begins behind. */
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
  const told = 'amount' in detail ? { ...detail, currency } : detail;
  return { object: 'timeline_entry', at: at.toISOString(), type, detail: told };
}
