import { ApplicationFailure } from '@temporalio/common';
import { currentTimeMs } from '#db/clock.ts';
import { recordFault, type Send } from '#db/payments/charge-sends.ts';
import { findClaimedCharge, saveCharge, type ClaimedCharge } from '#db/payments/charges.ts';
import type { ChargeMove } from '#domain/charge-moves.ts';
import { describeWait, nextStep, presentCharge, replyToCharge, type ChargeOutcome } from '#domain/charges.ts';
import type { CallOptions } from '#processor/port.ts';
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

/** Sends the charge to the processor, with its id as the key. */
export function sendCharge({ charge, processor }: ChargeStep, options?: CallOptions): Promise<ChargeOutcome> {
  const { id: key, processorToken: token, amount, currency, captureMethod } = charge;
  const capture = captureMethod === 'automatic';
  const statementDescriptor = charge.statementDescriptor ?? undefined;
  return processor.authorize({ key, token, amount, currency, capture, statementDescriptor }, options);
}
