import type { Send } from '#db/payments/charge-sends.ts';
import type { ClaimedCharge } from '#db/payments/charges.ts';
import type { ClaimContext } from '#db/writes/claim-contexts.ts';
import type { Effect } from '#db/writes/effects.ts';
import { toStoredAnswer } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { answerOutcome, type AnswerContext } from '#domain/answers.ts';
import {
  nextStep,
  presentCharge,
  type Charge,
  type ChargeMove,
  type ChargeNext,
  type ChargeOutcome,
} from '#domain/charges.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import type { CallOptions } from '#processor/port.ts';
import type { ChargeProcessor, Trail } from './timeline.ts';

/**
 * What the steps of a charge are made of, whether its own workflow takes them or the batch that it is a row of.
 */

/** A charge as an activity read it, and what the activity did since. */
export interface Step extends ClaimedCharge {
  trail: Trail<ChargeProcessor>;
  /** The send that was begun in this step; `null`: none. */
  send: Send | null;
}

export const began = { type: 'began', detail: {} } as const;

/** The states that the processor's word on a charge may still move. */
export const undecided: readonly ChargeNext[] = ['resolve', 'await_processor'];

/** Sends the charge to the processor, with its id as the key. */
export function sendCharge({ charge, trail }: Step, options?: CallOptions): Promise<ChargeOutcome> {
  const { id: key, processorToken: token, amount, currency, captureMethod } = charge;
  const capture = captureMethod === 'automatic';
  const statementDescriptor = charge.statementDescriptor ?? undefined;
  return trail.processor.authorize({ key, token, amount, currency, capture, statementDescriptor }, options);
}

/** What a move of the charge means to others: the claim's answer if it has none, the event, the timeline. */
export function effectOf(
  moved: ChargeMove,
  claim: ClaimContext | null,
  done: readonly NewTimelineEntry[],
  publicUrl: string,
): Effect {
  const answer = claim && !claim.answered ? answerOutcome(moved.charge, contextOf(claim, publicUrl)) : null;
  return {
    answer: claim && answer ? { claimId: claim.claimId, answer: toStoredAnswer(answer) } : undefined,
    event: eventOf(moved),
    timeline: [...done, ...waitOf(moved.charge)],
  };
}

export function contextOf(claim: ClaimContext, publicUrl: string): AnswerContext {
  return { publicUrl, instance: claim.path, traceId: claim.traceId, apiVersion: claim.apiVersion };
}

/** What the charge waits for now, as the last entry of what was done. */
export function waitOf(charge: Charge): NewTimelineEntry[] {
  const next = nextStep(charge);
  const at = charge.updatedAt;
  if (next === 'await_processor') return [{ at, type: 'waiting', detail: { for: 'processor' } }];
  if (next !== 'await_command') return [];
  const until = charge.expiresAt && { until: charge.expiresAt.toISOString() };
  return [{ at, type: 'waiting', detail: { for: 'capture', ...until } }];
}

export function eventOf(move: ChargeMove): Effect['event'] {
  if (!move.event) return undefined;
  return {
    id: newId('event'),
    type: move.event,
    resourceId: move.charge.id,
    object: presentCharge(move.charge),
  };
}

export function isDecided(outcome: ChargeOutcome | null): outcome is ChargeOutcome {
  return outcome !== null && outcome.kind !== 'pending';
}
