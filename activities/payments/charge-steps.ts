import { ApplicationFailure } from '@temporalio/common';
import { currentTimeMs } from '#db/clock.ts';
import { saveCharge } from '#db/payments/charge-saves.ts';
import { keepReference, recordFault, renewAttempt, type Send } from '#db/payments/charge-sends.ts';
import { buildReturnUrl } from '#db/payments/return-urls.ts';
import { findClaimedCharge, type ClaimedCharge } from '#db/payments/charges.ts';
import { type ChargeMove, describeWait, isVoidedByTimeAlone, nextStep } from '#domain/charge-moves.ts';
import {
  presentCharge,
  replyToCharge,
  type Charge,
  type ChargeOutcome,
  type ProcessorTerms,
  type Refused,
} from '#domain/charges.ts';
import { idTime } from '#domain/ids.ts';
import { writeOrigin } from '#processor/origins.ts';
import { call } from '#processor/call.ts';
import { can, type OpenProcessor } from '#processor/open-processor.ts';
import {
  ProcessorFault,
  type Capabilities,
  type OrFault,
  type OutcomeOf,
  type SentCharge,
} from '#processor/port.ts';
import type { ChargeProgress } from '#temporal/charges.ts';
import type { PaymentStore, StepDeps } from './settle.ts';
import { startRecorder, type TimelineRecorder } from './timeline.ts';

/** The parts of a charge's steps, which its own workflow takes, or the batch that it is a row of. */

/** A charge as an activity read it, and what the activity did since. */
export interface ChargeStep extends ClaimedCharge {
  deps: StepDeps;
  processor: OpenProcessor;
  timeline: TimelineRecorder;
  /** The send that was begun in this step, if one was. */
  send: Send | null;
  /** The processor has said in this step what became of the charge. */
  isAsked: boolean;
}

export const began = { type: 'began', detail: {} } as const;

/** The first send, which is recorded as the charge begins. */
export const firstSend: Send = { sends: 1, isFirst: true };

export async function startStep(
  deps: StepDeps,
  held: ClaimedCharge,
  send: Send | null = null,
): Promise<ChargeStep> {
  const processor = await deps.processors.of(held.charge.processorId);
  return { deps, ...held, processor, timeline: startRecorder(), send, isAsked: false };
}

export async function readCharge(deps: StepDeps, chargeId: string): Promise<ChargeStep> {
  const held = await findClaimedCharge(deps.db, chargeId);
  if (!held) throw ApplicationFailure.nonRetryable(`There is no charge ${chargeId}`, 'charge_missing');
  return startStep(deps, held);
}

export const chargeStore: PaymentStore<ChargeStep, ChargeMove, ChargeProgress> = {
  read: ({ deps, charge }) => readCharge(deps, charge.id),
  save: ({ deps, charge }, moved, effect) => saveCharge(deps.db, charge, moved.charge, effect),
  recordFault({ deps, charge, send }, { moneyMoved, code, renewsKey }, done) {
    const undone = moneyMoved === 'no' ? send : null;
    return recordFault(deps.db, charge, code, done, { undone, renewsKey });
  },
  chargeId: ({ charge }) => charge.id,
  present: ({ charge }) => presentCharge(charge),
  describe: ({ charge }) => describeWait(charge),
  // A charge that is to be voided has its answer once that is done.
  reply: ({ charge }) => (nextStep(charge) === 'void' ? null : replyToCharge(charge)),
  showsSecret: ({ charge }) => charge.status === 'requires_action',
  toProgress,
};

export function toProgress({ charge }: Pick<ClaimedCharge, 'charge'>): ChargeProgress {
  const next = nextStep(charge);
  const end = charge.actionExpiresAt ?? charge.expiresAt;
  return {
    status: charge.status,
    next,
    ...(end && { expiresInMs: Math.max(0, end.getTime() - currentTimeMs()) }),
    ...(charge.cancelRequestedAt && next !== 'done' && { cancelRequested: true }),
  };
}

/**
 * Sends the charge to its processor, with its id as the key. Where the processor prepares, the payment is made first: money
 * can move only under the reference that the row then keeps, whoever else sends the charge at the same time.
 */
export async function sendCharge(step: ChargeStep, signal?: AbortSignal): Promise<OrFault<ChargeOutcome>> {
  if (can(step.processor, 'prepare') && step.charge.processorRef === null) {
    const refusal = await prepareCharge(step, signal);
    if (refusal) return refusal;
  }
  const { processorRef: ref } = step.charge;
  if (ref === tombstone) return { kind: 'voided', processorId: tombstone };
  const sent = { ...toSentCharge(step.charge), returnUrl: toReturnUrl(step), origin: toOrigin(step) };
  return call(step, 'authorize', sent, signal);
}

/** Returns the request behind the charge, for the processor to keep; none if its claim is no longer kept. */
function toOrigin({ charge, claim }: ChargeStep): string | undefined {
  if (!claim) return undefined;
  const { accountId, paymentMethod, customerId, processorReference: reference } = charge;
  return writeOrigin({ ...claim, accountId, paymentMethod, customerId, reference });
}

/** Returns the refusal or the fault, or `null` once the row has a reference, which may be another's. */
async function prepareCharge(step: ChargeStep, signal?: AbortSignal): Promise<OrFault<Refused | null>> {
  const { charge, deps } = step;
  const sent = { ...toSentCharge(charge), origin: toOrigin(step) };
  const prepared = await call(step, 'prepare', sent, signal);
  if (prepared instanceof ProcessorFault || prepared.kind === 'refused') return prepared;
  step.charge = { ...charge, processorRef: await keepReference(deps.db, charge.id, prepared.ref) };
  return null;
}

/**
 * Gives back what the processor holds of a charge. One that was never prepared holds nothing: its reference becomes the
 * tombstone, under which no money can move, and no call is made.
 */
export async function releaseCharge(step: ChargeStep): Promise<OrFault<OutcomeOf<'void'>>> {
  const { charge, processor, deps } = step;
  if (can(processor, 'prepare') && charge.processorRef === null) {
    const processorRef = await keepReference(deps.db, charge.id, tombstone);
    step.charge = { ...charge, processorRef };
  }
  if (step.charge.processorRef === tombstone) return { kind: 'voided' };
  const sent = { charge: toSentCharge(step.charge), onlyReserved: isVoidedByTimeAlone(charge) };
  return call(step, 'void', sent);
}

/** The reference of a charge that was voided before it had one. */
const tombstone = 'void';

/** Asks the processor for the state of the charge. Returns `null` if it has never seen it. */
export async function findOutcome(
  step: ChargeStep,
  signal?: AbortSignal,
): Promise<OrFault<ChargeOutcome | null>> {
  const asked = { ...toSentCharge(step.charge), returnUrl: toReturnUrl(step) };
  const outcome = await call(step, 'findCharge', asked, signal);
  step.isAsked ||= !(outcome instanceof ProcessorFault);
  return outcome;
}

/** Whether the processor can give back all that it may have taken of the charge. */
export function canGiveBack(
  { captureMethod, captureClaimId }: Pick<Charge, 'captureMethod' | 'captureClaimId'>,
  { voidsCaptures }: Capabilities,
): boolean {
  return voidsCaptures || (captureMethod === 'manual' && captureClaimId === null);
}

/** Returns where the processor sends the buyer: to us, so that nothing of it reaches the merchant's page. */
function toReturnUrl({ deps, charge }: ChargeStep): string | null {
  return charge.returnUrl === null ? null : buildReturnUrl(deps, charge.id);
}

/** Returns the charge as each call to its processor names it: the same row makes the same request. */
export function toSentCharge(charge: ProcessorTerms): SentCharge {
  const { id: key, accountId, amount, currency, statementDescriptor } = charge;
  return {
    key,
    ref: charge.processorRef,
    attempt: charge.processorAttempt,
    accountId,
    createdAt: new Date(idTime(key)),
    token: charge.processorToken,
    amount,
    currency,
    capture: charge.captureMethod === 'automatic',
    statementDescriptor,
    description: charge.processorDescription,
    returnUrl: null,
  };
}

/** Has the next send of the charge take another key, after a fault that renews it. */
export async function renewKey(step: ChargeStep): Promise<void> {
  const { deps, charge } = step;
  step.charge = { ...charge, processorAttempt: await renewAttempt(deps.db, charge) };
}
