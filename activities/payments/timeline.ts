import { currentTime } from '#db/clock.ts';
import type { CaptureOutcome, ChargeOutcome } from '#domain/charges.ts';
import type { RefundOutcome } from '#domain/refunds.ts';
import type { NewTimelineEntry, ProcessorCall, TimelineStep, TimelineSubject } from '#domain/timeline.ts';
import { CircuitOpen } from '#processor/breaker.ts';
import { ProcessorFault, type PaymentProcessor, type Prepared } from '#processor/port.ts';

/** The calls that bring a charge to its end. */
export type ChargeProcessor = Pick<
  PaymentProcessor,
  'prepare' | 'authorize' | 'capture' | 'void' | 'findCharge' | 'findCapture'
>;

/** The calls that bring a refund to its end. */
export type RefundProcessor = Pick<PaymentProcessor, 'refund' | 'reverseRefund' | 'findRefund'>;

/** Keeps what one activity did until it writes its effect: the timeline costs no statement of its own. */
export interface TimelineRecorder {
  record(step: TimelineStep): void;
  /** Returns the entries since the last call of `take`, in order. */
  take(): NewTimelineEntry[];
}

export interface Recorded<Processor> {
  timeline: TimelineRecorder;
  /** Each call through it is recorded, with its outcome. */
  processor: Processor;
}

export function recordChargeCalls(processor: ChargeProcessor): Recorded<ChargeProcessor> {
  const timeline = startRecorder({});
  const sent = recordCalls(timeline, 'sent');
  const asked = recordCalls(timeline, 'asked');
  return {
    timeline,
    processor: {
      ...(processor.prepare && { prepare: (...call) => sent('preparation', processor.prepare!(...call)) }),
      authorize: (...call) => sent('charge', processor.authorize(...call)),
      capture: (...call) => sent('capture', processor.capture(...call)),
      void: (...call) => sent('void', processor.void(...call)),
      findCharge: (...call) => asked('charge', processor.findCharge(...call)),
      findCapture: (...call) => asked('capture', processor.findCapture(...call)),
    },
  };
}

/** @param refund its id, which each entry on the charge's timeline names. */
export function recordRefundCalls(processor: RefundProcessor, refund: string): Recorded<RefundProcessor> {
  const timeline = startRecorder({ refund });
  const sent = recordCalls(timeline, 'sent');
  const asked = recordCalls(timeline, 'asked');
  return {
    timeline,
    processor: {
      refund: (...call) => sent('refund', processor.refund(...call)),
      reverseRefund: (...call) => sent('reversal', processor.reverseRefund(...call)),
      findRefund: (...call) => asked('refund', processor.findRefund(...call)),
    },
  };
}

function startRecorder(subject: TimelineSubject): TimelineRecorder {
  let entries: NewTimelineEntry[] = [];
  return {
    record(step) {
      const detail = { ...step.detail, ...subject };
      entries.push({ at: currentTime(), ...step, detail } as NewTimelineEntry);
    },
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}

type Outcome = ChargeOutcome | CaptureOutcome | RefundOutcome | Prepared | { kind: 'voided' } | null;

/** Returns a function that records a call under way, and how it ends. */
function recordCalls(timeline: TimelineRecorder, type: 'sent' | 'asked') {
  return async <T extends Outcome>(call: ProcessorCall, answer: Promise<T>) => {
    timeline.record({ type, detail: { call } });
    try {
      const outcome = await answer;
      timeline.record({ type: 'processor_answered', detail: { call, ...toDetail(outcome) } });
      return outcome;
    } catch (error) {
      if (error instanceof ProcessorFault)
        timeline.record({ type: 'processor_fault', detail: { call, ...toFaultDetail(error) } });
      throw error;
    }
  };
}

/** A call that the circuit breaker did not make is told apart: nothing went out. */
function toFaultDetail(fault: ProcessorFault) {
  const { code } = fault;
  return fault instanceof CircuitOpen ? { code, circuit: 'open' as const } : { code };
}

function toDetail(outcome: Outcome) {
  if (!outcome) return { outcome: 'not_found' } as const;
  const { kind } = outcome;
  if (kind === 'captured') return { outcome: kind, amount: outcome.amountCaptured };
  if (kind === 'failed' || kind === 'refused') return { outcome: kind, code: outcome.code };
  return kind === 'declined' ? { outcome: kind, decline_code: outcome.declineCode } : { outcome: kind };
}
