import type { CaptureOutcome, ChargeOutcome } from '../domain/charges.ts';
import type { NewTimelineEntry, ProcessorCall, TimelineStep } from '../domain/timeline.ts';
import { ProcessorFault, type PaymentProcessor } from './processor/port.ts';

/** What a charge is brought to its end with. */
export type ChargeProcessor = Pick<
  PaymentProcessor,
  'authorize' | 'capture' | 'void' | 'findCharge' | 'findCapture'
>;

/** What one activity did for a charge, kept until it writes its effect: the timeline costs no statement of its own. */
export interface Trail {
  /** The processor; each call through it is noted, with what came of it. */
  processor: ChargeProcessor;
  note(step: TimelineStep): void;
  /** What was noted since this was asked last, in order. */
  take(): NewTimelineEntry[];
}

export function startTrail(processor: ChargeProcessor): Trail {
  let entries: NewTimelineEntry[] = [];
  const note = (step: TimelineStep) => void entries.push({ at: new Date(), ...step });
  return {
    note,
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
    processor: {
      authorize: (...call) => follow(note, 'sent', 'charge', processor.authorize(...call)),
      capture: (...call) => follow(note, 'sent', 'capture', processor.capture(...call)),
      void: (...call) => follow(note, 'sent', 'void', processor.void(...call)),
      findCharge: (...call) => follow(note, 'asked', 'charge', processor.findCharge(...call)),
      findCapture: (...call) => follow(note, 'asked', 'capture', processor.findCapture(...call)),
    },
  };
}

type Outcome = ChargeOutcome | CaptureOutcome | { kind: 'voided' } | null;

/** Notes a call that is under way, and how it ends. */
async function follow<T extends Outcome>(
  note: Trail['note'],
  type: 'sent' | 'asked',
  call: ProcessorCall,
  answer: Promise<T>,
): Promise<T> {
  note({ type, detail: { call } });
  try {
    const outcome = await answer;
    note({ type: 'processor_answered', detail: { call, ...detailOf(outcome) } });
    return outcome;
  } catch (error) {
    if (error instanceof ProcessorFault)
      note({ type: 'processor_fault', detail: { call, code: error.code } });
    throw error;
  }
}

function detailOf(outcome: Outcome) {
  if (!outcome) return { outcome: 'not_found' } as const;
  const { kind } = outcome;
  if (kind === 'captured') return { outcome: kind, amount: outcome.amountCaptured };
  return kind === 'declined' ? { outcome: kind, decline_code: outcome.declineCode } : { outcome: kind };
}
