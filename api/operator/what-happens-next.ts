import type { UnknownOutcome } from '#db/operator/unknown-outcomes.ts';
import {
  nextStep as nextChargeStep,
  standardPendingTimeoutMs,
  type ChargeNext,
} from '#domain/charge-moves.ts';
import { nextStep as nextRefundStep, type RefundNext } from '#domain/refunds.ts';

/** What happens next to a charge or a refund of unknown outcome, and whether that is enough. */

export const unknownNexts = [
  'ask',
  'await_processor',
  'ask_about_capture',
  'void',
  'ask_about_reversal',
] as const;

/** What its workflow does, again and again, until it is known. */
export type UnknownNext = (typeof unknownNexts)[number];

/** What happens next, and how it ends if the processor never decides. */
export interface WhatHappensNext {
  does: UnknownNext;
  /** When that ends; `null`: never. */
  until: Date | null;
  /** What is done then. */
  endsIn: 'void' | 'fail' | null;
}

const chargeNexts: Partial<Record<ChargeNext, UnknownNext>> = {
  await_processor: 'await_processor',
  resolve_capture: 'ask_about_capture',
  void: 'void',
};

const refundNexts: Partial<Record<RefundNext, UnknownNext>> = {
  await_processor: 'await_processor',
  resolve_reversal: 'ask_about_reversal',
};

/** Returns what happens next to a charge or a refund of unknown outcome. */
export function findNext(unknown: UnknownOutcome): WhatHappensNext {
  if (unknown.kind === 'refund') {
    return { does: refundNexts[nextRefundStep(unknown)] ?? 'ask', until: null, endsIn: null };
  }
  const does = chargeNexts[nextChargeStep(unknown)] ?? 'ask';
  if (does !== 'ask' && does !== 'await_processor') return { does, until: null, endsIn: null };
  const { sentAt, createdAt, durations } = unknown;
  const after = (from: Date, ms: number) => new Date(from.getTime() + ms);
  if (sentAt) return { does, until: after(sentAt, durations.unknownTimeoutMs), endsIn: 'void' };
  const pendingTimeoutMs = durations.pendingTimeoutMs ?? standardPendingTimeoutMs;
  return { does, until: after(createdAt, pendingTimeoutMs), endsIn: 'fail' };
}

/** How long an outcome that nothing ends may stay unknown before a person looks at it, in milliseconds. */
export const longestUnknownMs = 10 * 60_000;

/** Whether a person must look at it: nothing here ends it, or what should have ended it is late. */
export function needsPerson(unknown: UnknownOutcome, now: Date): boolean {
  const { until } = findNext(unknown);
  return now.getTime() - (until ?? unknown.createdAt).getTime() > longestUnknownMs;
}
