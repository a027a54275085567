import { ApplicationFailure } from '@temporalio/common';
import { currentTimeMs } from '#db/clock.ts';
import { recordFault, type Send } from '#db/payments/charge-sends.ts';
import { findClaimedCharge, saveCharge, type ClaimedCharge } from '#db/payments/charges.ts';
import type { ChargeMove, MovingOutcome } from '#domain/charge-moves.ts';
import {
  describeWait,
  nextStep,
  presentCharge,
  replyToCharge,
  type ChargeOutcome,
  type ProcessorTerms,
} from '#domain/charges.ts';
import { idTime } from '#domain/ids.ts';
import { ProcessorFault, type CallOptions, type SentCharge } from '#processor/port.ts';
import type { ChargeProgress } from '#temporal/charges.ts';
import type { PaymentStore, StepDeps } from './settle.ts';
import { recordChargeCalls, type ChargeProcessor, type Recorded } from './timeline.ts';

/** The parts of a charge's steps, which its own workflow takes, or the batch that it is a row of. */

/** A charge as an activity read it, and what the activity did since. */
export interface ChargeStep extends ClaimedCharge, Recorded<ChargeProcessor> {
  deps: StepDeps;
  /** The send that was begun in this step, if one was. */
  send: Send | null;
}

export const began = { type: 'began', detail: {} } as const;

/** The first send, which is recorded as the charge begins. */
export const firstSend: Send = { sends: 1, isFirst: true };

export function startStep(deps: StepDeps, held: ClaimedCharge, send: Send | null = null): ChargeStep {
  return { deps, ...held, ...recordChargeCalls(deps.processor), send };
}

export async function readCharge(deps: StepDeps, chargeId: string): Promise<ChargeStep> {
  const held = await findClaimedCharge(deps.db, chargeId);
  if (!held) throw ApplicationFailure.nonRetryable(`There is no charge ${chargeId}`, 'charge_missing');
  return startStep(deps, held);
}

export const chargeStore: PaymentStore<ChargeStep, ChargeMove, ChargeProgress> = {
  read: ({ deps, charge }) => readCharge(deps, charge.id),
  save: ({ deps, charge }, moved, effect) => saveCharge(deps.db, charge, moved.charge, effect),
  recordFault: ({ deps, charge, send }, { code }, done) =>
    // A send that the processor refused had no effect.
    recordFault(deps.db, charge.id, code, done, code === 'processor_unavailable' ? send : null),
  chargeId: ({ charge }) => charge.id,
  present: ({ charge }) => presentCharge(charge),
  describe: ({ charge }) => describeWait(charge),
  reply: ({ charge }) => replyToCharge(charge),
  toProgress,
};

export function toProgress({ charge, claim }: Pick<ClaimedCharge, 'charge' | 'claim'>): ChargeProgress {
  const next = nextStep(charge);
  return {
    status: charge.status,
    next,
    answered: next === 'done' || (claim?.answered ?? true),
    ...(charge.expiresAt && { expiresInMs: Math.max(0, charge.expiresAt.getTime() - currentTimeMs()) }),
    ...(charge.cancelRequestedAt && next !== 'done' && { cancelRequested: true }),
  };
}

/**
 * Sends the charge to its processor, with its id as the key.
 *
 * @throws {ProcessorFault}
 */
export async function sendCharge(
  { charge, processor }: ChargeStep,
  options?: CallOptions,
): Promise<MovingOutcome> {
  return requireMoving(await processor.authorize(toSentCharge(charge), options));
}

/**
 * Asks the processor for the state of the charge. Returns `null` if it has never seen it.
 *
 * @throws {ProcessorFault}
 */
export async function findOutcome(
  { charge, processor }: ChargeStep,
  options?: CallOptions,
): Promise<MovingOutcome | null> {
  const outcome = await processor.findCharge(toSentCharge(charge), options);
  return outcome && requireMoving(outcome);
}

/** No charge has a way back for its buyer yet, so no processor may ask the buyer for anything. */
function requireMoving(outcome: ChargeOutcome): MovingOutcome {
  if (outcome.kind !== 'requires_action') return outcome;
  throw new ProcessorFault(
    'processor_invalid_response',
    'The processor asks the buyer of a charge without a way back',
  );
}

/** Returns the charge as each call to its processor names it: the same row makes the same request. */
export function toSentCharge(charge: ProcessorTerms): SentCharge {
  const { id: key, accountId, amount, currency, statementDescriptor, description } = charge;
  return {
    key,
    ref: null,
    attempt: 1,
    accountId,
    createdAt: new Date(idTime(key)),
    token: charge.processorToken,
    amount,
    currency,
    capture: charge.captureMethod === 'automatic',
    statementDescriptor,
    description,
    returnUrl: null,
  };
}
