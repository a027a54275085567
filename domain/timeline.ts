/**
 * The timeline of a charge: what its workflow tried, what it waited for, and what the processor said, step by
 * step. Codes and amounts only: it is read by whoever may read the charge, and by operators.
 */

/** A call to the processor, by what it is about. */
export type ProcessorCall = 'charge' | 'capture' | 'void';

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
      detail: { call: ProcessorCall; outcome: ProcessorAnswer; amount?: number; decline_code?: string };
    }
  /** No answer that could be used; it says nothing about the money. */
  | { type: 'processor_fault'; detail: { call: ProcessorCall; code: string } }
  /** Nothing to do until the processor tells its outcome, or a capture, a cancel or `until` comes. */
  | { type: 'waiting'; detail: { for: 'processor' | 'capture'; until?: string } }
  /** A capture passed its fence; `amount` in minor units. */
  | { type: 'capture_requested'; detail: { amount: number } }
  /** From here on the money is only given back. */
  | { type: 'void_requested'; detail: { reason: string } }
  /** An attempt to deliver an event of the charge to an endpoint failed; `status_code` where there was an answer. */
  | { type: 'delivery_attempted'; detail: DeliveryDetail & { error: string } }
  /** An endpoint took an event of the charge. */
  | { type: 'delivered'; detail: DeliveryDetail };

/** `event` is its type; `attempt` counts from 1. */
type DeliveryDetail = {
  endpoint: string;
  delivery: string;
  event: string;
  attempt: number;
  status_code?: number;
};

export type ProcessorAnswer = 'authorized' | 'captured' | 'declined' | 'pending' | 'voided' | 'not_found';

export type TimelineEntryType = TimelineStep['type'];

/** An entry about to be written. */
export type NewTimelineEntry = TimelineStep & { at: Date };

export interface TimelineEntry {
  /** How many entries of the charge are older. */
  position: number;
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

export function presentTimelineEntry({ at, type, detail }: TimelineEntry): TimelineEntryResource {
  return { object: 'timeline_entry', at: at.toISOString(), type, detail };
}
