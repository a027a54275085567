import { ApplicationFailure } from '@temporalio/common';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import {
  beginRefund,
  beginReversal,
  findClaimedRefund,
  recordRefundFault,
  saveRefund,
  type BegunRefund,
  type ClaimedRefund,
} from '#db/payments/refunds.ts';
import { recordAsked } from '#db/payments/processor-notifications.ts';
import { isRepairOwed } from '#db/restores.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import {
  applyLateOutcome,
  applyOutcome,
  applyReversal,
  applySettlement,
  describeState,
  isSettlementDue,
  mayFailLate,
  nextStep,
  presentRefund,
  refundRefusal,
  replyToRefund,
  replyToReversal,
  type Refund,
  type RefundMove,
  type RefundOutcome,
  type RefundStatus,
} from '#domain/refunds.ts';
import { writeOrigin } from '#processor/origins.ts';
import { ProcessorFault, type SentRefund } from '#processor/port.ts';
import type { RefundInput, RefundProgress } from '#temporal/refunds.ts';
import { toSentCharge } from './charge-steps.ts';
import { requireActive } from './disabled-accounts.ts';
import {
  isAwaited,
  settle,
  storeReply,
  tryOnce,
  tryUntilKnown,
  type PaymentStore,
  type StepDeps,
} from './settle.ts';
import { recordRefundCalls, type Recorded, type RefundProcessor } from './timeline.ts';

/**
 * The steps of a refund. Each begins at the row, sends by our own key, and saves with a guard on what it read: run twice,
 * it does its work once.
 */
export const refunds = {
  refundCharge,
  acceptRefund,
  resolveRefund,
  reverseRefund,
  resolveReversal,
  settleRefund,
};

type RefundStart = RefundInput & { workflowId: string };

/** The part of the input that every step needs. */
type RefundRun = Pick<RefundInput, 'refundId' | 'claimId' | 'durations'>;
type ReversalRun = RefundRun & { reversalClaimId: string };

/** A refund as an activity read it, and what the activity did since. */
interface RefundStep extends ClaimedRefund, Recorded<RefundProcessor> {
  deps: StepDeps;
  /** Whether the processor was asked for it, and answered. */
  isAsked: boolean;
}

type DecidedOutcome = Exclude<RefundOutcome, { kind: 'pending' }>;

const refundStore: PaymentStore<RefundStep, RefundMove, RefundProgress> = {
  read: ({ deps, refund }) => readRefund(deps, refund.id),
  save: ({ deps, refund }, moved, effect) => saveRefund(deps.db, refund, moved.refund, effect),
  recordFault({ deps, refund }, { code, renewsKey, retryAfterMs }, done) {
    // A refund is guarded by its key alone: another one is used only after a while, and after the processor was asked.
    const renewal = renewsKey
      ? { attempt: refund.processorAttempt + 1, afterMs: retryAfterMs ?? 60_000 }
      : null;
    return recordRefundFault(deps.db, refund.id, code, done, renewal);
  },
  chargeId: ({ refund }) => refund.chargeId,
  present: ({ refund }) => presentRefund(refund),
  describe: ({ refund }) => describeState(refund),
  reply: ({ refund }) => replyToRefund(refund),
  toProgress,
};

function toProgress({ refund, claim }: Pick<ClaimedRefund, 'refund' | 'claim'>): RefundProgress {
  const next = nextStep(refund);
  return {
    status: refund.status,
    next,
    answered: next === 'done' || (claim?.answered ?? true),
    ...(refund.settlesAt && { settlesInMs: Math.max(0, refund.settlesAt.getTime() - currentTimeMs()) }),
  };
}

/**
 * Begins the claim, which holds the amount, then sends the refund to the processor, once; an unusable answer leaves
 * `next: 'resolve'`. A claim that had begun before is left to {@link resolveRefund}, which asks first.
 */
async function refundCharge(deps: StepDeps, input: RefundStart): Promise<RefundProgress> {
  const begun = await beginRefund(deps.db, input);
  if (!begun?.made) return endWithoutRefund(deps, begun, input);
  const step = await startStep(deps, { ...begun.made, claim: begun.claim });
  recordRequest(step);
  return tryOnce(refundStore, step, async () => settleOutcome(step, await sendRefund(step), input));
}

/** Begins the claim of a caller who does not wait, and stores its 202. */
async function acceptRefund(deps: StepDeps, input: RefundStart): Promise<RefundProgress> {
  const begun = await beginRefund(deps.db, input);
  if (!begun?.made) return endWithoutRefund(deps, begun, input);
  const { made, claim } = begun;
  const { refund } = made;
  const step = await startStep(deps, { ...made, claim: { ...claim, answered: true } });
  recordRequest(step);
  await appendTimeline(deps.db, refund.chargeId, step.timeline.take());
  await storeReply(deps, claim, replyToRefund(refund));
  return toProgress(step);
}

/** Returns the progress of a claim that made no refund now: it never began, began before, or is refused. */
async function endWithoutRefund(
  deps: StepDeps,
  begun: BegunRefund | null,
  { refundId }: RefundInput,
): Promise<RefundProgress> {
  if (!begun) return { status: 'not_started', next: 'done', answered: true };
  const held = await findClaimedRefund(deps.db, refundId);
  if (held) return { ...toProgress(held), isResumed: true };
  const { asked, claim } = begun;
  const refusal = asked && refundRefusal(asked.charge, asked.amount);
  await storeReply(deps, claim, { problem: refusal ?? 'refund_exceeds_captured' });
  return { status: 'refused', next: 'done', answered: true };
}

/**
 * Asks for an outcome that is unknown or that the processor still owes. Sends again a refund that the processor has not
 * seen, unless the account is disabled. There is no limit in time: the amount stays held until the processor has decided.
 *
 * A refund that was accepted is asked for as well, since it may have failed later: also one that is settled.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable, while the outcome is unknown.
 */
async function resolveRefund(deps: StepDeps, run: RefundRun): Promise<RefundProgress> {
  const step = await readRefund(deps, run.refundId);
  const progress = await resolveStep(step, run);
  await recordNewsHeard(step);
  return progress;
}

async function resolveStep(step: RefundStep, run: RefundRun): Promise<RefundProgress> {
  const next = nextStep(step.refund);
  if (mayFailLate(step.refund)) return tryUntilKnown(refundStore, step, () => settleLate(step));
  if (next !== 'resolve' && next !== 'await_processor') return toProgress(step);
  const attempt = next === 'resolve' ? tryUntilKnown : tryOnce;
  return attempt(refundStore, step, async () => {
    const outcome = await askProcessor(step);
    if (!outcome) await requireSendable(step);
    return settleOutcome(step, outcome ?? (await sendRefund(step)), run);
  });
}

async function askProcessor(step: RefundStep): Promise<RefundOutcome | null> {
  const outcome = await step.processor.findRefund(toSentRefund(step));
  step.isAsked = true;
  return outcome;
}

/** Records the notifications after which the processor was asked. */
async function recordNewsHeard({ deps, refund, isAsked, news }: RefundStep): Promise<void> {
  if (isAsked && news) await recordAsked(deps.db, refund.id, news);
}

/**
 * Begins a reversal, then reverses, once; an unusable answer leaves `next: 'resolve_reversal'`. A refund that cannot be
 * reversed, or is already, stores that as the command's answer.
 */
async function reverseRefund(deps: StepDeps, run: ReversalRun): Promise<RefundProgress> {
  const claim = await beginReversal(deps.db, run.refundId, run.reversalClaimId);
  const step = await readRefund(deps, run.refundId);
  if (!claim || claim.answered) return toProgress(step);
  if (step.refund.reversalClaimId !== run.reversalClaimId) {
    await storeReply(deps, claim, replyToReversal(step.refund));
    return toProgress(step);
  }
  step.timeline.record({ type: 'reversal_requested', detail: {} });
  return tryOnce(refundStore, step, async () => settleReversal(step, await sendReversal(step)));
}

/**
 * Sends a reversal of unknown outcome again, which is safe, until the processor has decided.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function resolveReversal(deps: StepDeps, run: RefundRun): Promise<RefundProgress> {
  const step = await readRefund(deps, run.refundId);
  if (nextStep(step.refund) !== 'resolve_reversal') return toProgress(step);
  return tryUntilKnown(refundStore, step, async () => settleReversal(step, await sendReversal(step)));
}

/**
 * Settles a refund whose time has come. The processor is asked first: it may have failed since, and no notification may
 * have come.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function settleRefund(deps: StepDeps, run: RefundRun): Promise<RefundProgress> {
  const step = await readRefund(deps, run.refundId);
  if (!isSettlementDue(step.refund, currentTime())) return toProgress(step);
  const progress = await tryUntilKnown(refundStore, step, () =>
    settleLate(step, (refund, now) => (isSettlementDue(refund, now) ? applySettlement(refund, now) : null)),
  );
  await recordNewsHeard(step);
  return progress;
}

/**
 * Asks for a refund that is settled, whose workflow has ended, and fails it if the processor says so now. Returns its
 * status.
 *
 * @throws {ApplicationFailure} the processor's fault: ask again.
 */
export async function askForSettled(deps: StepDeps, refundId: string): Promise<RefundStatus> {
  const step = await readRefund(deps, refundId);
  if (step.refund.status !== 'settled') return step.refund.status;
  await tryUntilKnown(refundStore, step, () => settleLate(step));
  return (await readRefund(deps, refundId)).refund.status;
}

/**
 * Asks for a refund that was accepted, and fails it if the processor says so now. While a restored database waits for its
 * repair, what the processor took back may be a reversal of ours that was lost: the repair makes it again.
 *
 * @param otherwise the move of one that did not fail. (Default: it stays as it is)
 */
async function settleLate(
  step: RefundStep,
  otherwise: (refund: Refund, now: Date) => RefundMove | null = () => null,
): Promise<RefundProgress> {
  const outcome = await askProcessor(step);
  if (outcome?.kind === 'reversed' && (await isRepairOwed(step.deps.db))) return toProgress(step);
  return settle(
    refundStore,
    step,
    ({ refund }, now) => (outcome && applyLateOutcome(refund, outcome, now)) ?? otherwise(refund, now),
  );
}

function sendRefund(step: RefundStep): Promise<RefundOutcome> {
  return step.processor.refund(toSentRefund(step));
}

function toSentRefund({ refund, charge, claim }: ClaimedRefund): SentRefund {
  const { id: key, accountId, amount, processorAttempt: attempt, createdAt } = refund;
  const none = { paymentMethod: null, customerId: null, reference: null };
  const origin = claim ? writeOrigin({ ...claim, accountId, ...none }) : undefined;
  return { key, charge: toSentCharge(charge), amount, attempt, createdAt, origin };
}

/** @throws {ProcessorFault} also when the processor has taken the reversal and not decided it. */
async function sendReversal({ refund, charge, processor }: RefundStep): Promise<DecidedOutcome> {
  const outcome = await processor.reverseRefund({ key: refund.id, charge: toSentCharge(charge) });
  if (outcome.kind !== 'pending') return outcome;
  throw new ProcessorFault('processor_timeout', 'The processor has not decided the reversal yet');
}

function settleOutcome(
  step: RefundStep,
  outcome: RefundOutcome,
  { durations }: RefundRun,
): Promise<RefundProgress> {
  return settle(refundStore, step, ({ refund }, now) =>
    isAwaited(nextStep(refund), outcome) ? applyOutcome(refund, outcome, durations, now) : null,
  );
}

function settleReversal(step: RefundStep, outcome: DecidedOutcome): Promise<RefundProgress> {
  const { reversalClaimId: claimId } = step.refund;
  const isOpen = (refund: Refund) =>
    nextStep(refund) === 'resolve_reversal' && refund.reversalClaimId === claimId;
  return settle(
    refundStore,
    step,
    ({ refund }, now) => (isOpen(refund) ? applyReversal(refund, outcome, now) : null),
    { claimId, reply: ({ refund }) => replyToReversal(refund, refund.version + 1) },
  );
}

/** Records how a refund's part of the timeline begins. */
function recordRequest({ refund: { amount }, timeline }: RefundStep): void {
  timeline.record({ type: 'refund_requested', detail: { amount } });
}

async function readRefund(deps: StepDeps, refundId: string): Promise<RefundStep> {
  const held = await findClaimedRefund(deps.db, refundId);
  if (!held) throw ApplicationFailure.nonRetryable(`There is no refund ${refundId}`, 'refund_missing');
  return startStep(deps, held);
}

async function startStep(deps: StepDeps, held: ClaimedRefund): Promise<RefundStep> {
  const processor = await deps.processors.of(held.charge.processorId);
  return { deps, ...held, ...recordRefundCalls(processor, held.refund.id), isAsked: false };
}

/**
 * Requires that a refund which the processor has not seen may be sent now.
 *
 * @throws {ApplicationFailure} retryable.
 */
async function requireSendable({ deps, refund }: RefundStep): Promise<void> {
  await requireActive(deps.db, refund.accountId);
  const waitMs = (refund.sendAfter?.getTime() ?? 0) - currentTimeMs();
  if (waitMs <= 0) return;
  const message = 'The processor stored a failure of the refund: it is sent again after a while';
  throw ApplicationFailure.create({ message, type: 'processor_timeout', nextRetryDelay: waitMs });
}
