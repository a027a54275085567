import { currentTime } from '#db/clock.ts';
import type { CaptureOutcome, ChargeOutcome } from '#domain/charges.ts';
import type { RefundOutcome } from '#domain/refunds.ts';
import type { NewTimelineEntry, ProcessorCall, TimelineStep, TimelineSubject } from '#domain/timeline.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';

/** What a charge is brought to its end with. */
export type ChargeProcessor = Pick<
  PaymentProcessor,
  'authorize' | 'capture' | 'void' | 'findCharge' | 'findCapture'
>;

/** What a refund is brought to its end with. */
export type RefundProcessor = Pick<PaymentProcessor, 'refund' | 'reverseRefund' | 'findRefund'>;

/** What one activity did, kept until it writes its effect: the timeline costs no statement of its own. */
export interface Trail<Processor> extends Notes {
  /** The processor; each call through it is noted, with what came of it. */
  processor: Processor;
}

interface Notes {
  note(step: TimelineStep): void;
  /** What was noted since this was asked last, in order. */
  take(): NewTimelineEntry[];
}

export function startChargeTrail(processor: ChargeProcessor): Trail<ChargeProcessor> {
  const notes = startNotes({});
  const follow = followWith(notes);
  return {
    ...notes,
    processor: {
      authorize: (...call) => follow('sent', 'charge', processor.authorize(...call)),
      capture: (...call) => follow('sent', 'capture', processor.capture(...call)),
      void: (...call) => follow('sent', 'void', processor.void(...call)),
      findCharge: (...call) => follow('asked', 'charge', processor.findCharge(...call)),
      findCapture: (...call) => follow('asked', 'capture', processor.findCapture(...call)),
    },
  };
}

/** @param refund its id, which each entry on the charge's timeline names. */
export function startRefundTrail(processor: RefundProcessor, refund: string): Trail<RefundProcessor> {
  const notes = startNotes({ refund });
  const follow = followWith(notes);
  return {
    ...notes,
    processor: {
      refund: (...call) => follow('sent', 'refund', processor.refund(...call)),
      reverseRefund: (...call) => follow('sent', 'reversal', processor.reverseRefund(...call)),
      findRefund: (...call) => follow('asked', 'refund', processor.findRefund(...call)),
    },
  };
}

function startNotes(subject: TimelineSubject): Notes {
  let entries: NewTimelineEntry[] = [];
  return {
    note(step) {
      entries.push({
        at: currentTime(),
        ...step,
        detail: { ...step.detail, ...subject },
      } as NewTimelineEntry);
    },
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}

type Outcome = ChargeOutcome | CaptureOutcome | RefundOutcome | { kind: 'voided' } | null;

/** Notes a call that is under way, and how it ends. */
function followWith(notes: Notes) {
  return async <T extends Outcome>(type: 'sent' | 'asked', call: ProcessorCall, answer: Promise<T>) => {
    notes.note({ type, detail: { call } });
    try {
      const outcome = await answer;
      notes.note({ type: 'processor_answered', detail: { call, ...detailOf(outcome) } });
      return outcome;
    } catch (error) {
      if (error instanceof ProcessorFault)
        notes.note({ type: 'processor_fault', detail: { call, code: error.code } });
      throw error;
    }
  };
}

function detailOf(outcome: Outcome) {
  if (!outcome) return { outcome: 'not_found' } as const;
  const { kind } = outcome;
  if (kind === 'captured') return { outcome: kind, amount: outcome.amountCaptured };
  if (kind === 'failed') return { outcome: kind, code: outcome.code };
  return kind === 'declined' ? { outcome: kind, decline_code: outcome.declineCode } : { outcome: kind };
}
