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
import { findClaimContext, type ClaimContext } from '#db/writes/claim-contexts.ts';
import { releaseClaim } from '#db/writes/idempotency-keys.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import {
  applyLateOutcome,
  applyOutcome,
  applyReversal,
  applySettlement,
  describeMove,
  isSettlementDue,
  mayFailLate,
  nextStep,
  presentRefund,
  refundRefusal,
  replyToRefund,
  replyToReversal,
  returned,
  type Refund,
  type RefundMove,
  type RefundOutcome,
  type RefundStatus,
} from '#domain/refunds.ts';
import { writeOrigin } from '#processor/origins.ts';
import { call } from '#processor/call.ts';
import type { OpenProcessor } from '#processor/open-processor.ts';
import { ProcessorFault, type OrFault, type SentRefund } from '#processor/port.ts';
import type { RefundInput, RefundProgress } from '#temporal/refunds.ts';
import { toSentCharge } from './charge-steps.ts';
import { requireActive } from './disabled-accounts.ts';
import { isAwaited, settle, storeReply, takeStep, type PaymentStore, type StepDeps } from './settle.ts';
import { startRecorder, type TimelineRecorder } from './timeline.ts';

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

/** A refund as an activity read it, and what the activity did since. */
interface RefundStep extends ClaimedRefund {
  deps: StepDeps;
  processor: OpenProcessor;
  timeline: TimelineRecorder;
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
  describe: describeMove,
  reply: ({ refund }) => replyToRefund(refund),
  toProgress,
};

function toProgress({ refund }: Pick<ClaimedRefund, 'refund'>): RefundProgress {
  return {
    status: refund.status,
    next: nextStep(refund),
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
  return takeStep('run', refundStore, step, async () => settleOutcome(step, await sendRefund(step), input));
}

/** Begins the claim of a caller who does not wait, and stores its 202. */
async function acceptRefund(deps: StepDeps, input: RefundStart): Promise<RefundProgress> {
  const begun = await beginRefund(deps.db, input);
  if (!begun?.made) return endWithoutRefund(deps, begun, input);
  const { made, claim } = begun;
  const { refund } = made;
  const step = await startStep(deps, { ...made, claim });
  recordRequest(step);
  await appendTimeline(deps.db, refund.chargeId, step.timeline.take());
  await storeReply(deps, claim, replyToRefund(refund));
  return toProgress(step);
}

/**
 * Returns the progress of a claim that made no refund now: it never began, began before, or is refused. A refund that was made
 * at the processor has no claim.
 */
async function endWithoutRefund(
  deps: StepDeps,
  begun: BegunRefund | null,
  { refundId, claimId }: RefundInput,
): Promise<RefundProgress> {
  const held = await findClaimedRefund(deps.db, refundId);
  if (held) return { ...toProgress(held), ...(held.news && { hasNews: true }) };
  if (!begun) {
    await releaseClaim(deps.db, claimId);
    return { status: 'not_started', next: 'done' };
  }
  const { asked, claim } = begun;
  const refusal = asked && refundRefusal(asked.charge, asked.amount);
  await storeReply(deps, claim, { problem: refusal ?? 'refund_exceeds_captured' });
  return { status: 'refused', next: 'done' };
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
  if (mayFailLate(step.refund)) return takeStep('temporal', refundStore, step, () => settleLate(step));
  if (next !== 'resolve' && next !== 'await_processor') return toProgress(step);
  return takeStep(next === 'resolve' ? 'temporal' : 'run', refundStore, step, async () => {
    const outcome = await askProcessor(step);
    if (!outcome) await requireSendable(step);
    return settleOutcome(step, outcome ?? (await sendRefund(step)), run);
  });
}

/** Returns `null` for a refund that was made at the processor, too: its books alone tell of it. */
async function askProcessor(step: RefundStep): Promise<OrFault<RefundOutcome | null>> {
  if (step.refund.source === 'processor') return null;
  const outcome = await call(step, 'findRefund', toSentRefund(step));
  step.isAsked ||= !(outcome instanceof ProcessorFault);
  return outcome;
}

/** Records the notifications after which the processor was asked. */
async function recordNewsHeard({ deps, refund, isAsked, news }: RefundStep): Promise<void> {
  if (isAsked && news) await recordAsked(deps.db, refund.id, news);
}

/**
 * Carries out the reversals that wait for the refund, one after the other: sends the first one, if the refund can be
 * reversed, once. The others are answered by what the refund is then. An unusable answer leaves `next:
 * 'resolve_reversal'`; until that is resolved, they wait.
 */
async function reverseRefund(
  deps: StepDeps,
  { refundId }: Pick<RefundRun, 'refundId'>,
): Promise<RefundProgress> {
  let last: RefundProgress | null = null;
  for (;;) {
    const begun = await beginReversal(deps.db, refundId);
    if (!begun && last) return { ...last, hadCommand: true };
    const step = await readRefund(deps, refundId);
    const { refund } = step;
    // Another worker has recorded the reversal at this moment.
    if (!begun || (!begun.isTaken && begun.claim.claimId === refund.reversalClaimId)) return toProgress(step);
    if (begun.isTaken) last = await takeReversal(step, begun.claim);
    else {
      await storeReply(deps, begun.claim, replyToReversal(refund));
      last = toProgress(step);
    }
  }
}

function takeReversal(step: RefundStep, claim: ClaimContext): Promise<RefundProgress> {
  step.timeline.record({ type: 'reversal_requested', detail: {} });
  return takeStep('run', refundStore, step, async () =>
    settleReversal(step, await sendReversal(step), claim),
  );
}

/**
 * Sends a reversal of unknown outcome again, which is safe, until the processor has decided.
 *
 * @throws {ApplicationFailure} the processor's fault, retryable.
 */
async function resolveReversal(deps: StepDeps, run: RefundRun): Promise<RefundProgress> {
  const step = await readRefund(deps, run.refundId);
  if (nextStep(step.refund) !== 'resolve_reversal') return toProgress(step);
  return takeStep('temporal', refundStore, step, async () => {
    const claim = await findClaimContext(deps.db, step.refund.reversalClaimId ?? '');
    return settleReversal(step, await sendReversal(step), claim);
  });
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
  const progress = await takeStep('temporal', refundStore, step, () =>
    settleLate(step, (refund, now) => (isSettlementDue(refund, now) ? applySettlement(refund, now) : null)),
  );
  await recordNewsHeard(step);
  return progress;
}

/**
 * Asks for a refund that is settled, whose workflow has ended, and fails it if the processor says so now, or adds what it
 * tells of it. Returns its status.
 *
 * @throws {ApplicationFailure} the processor's fault: ask again.
 */
export async function askForSettled(deps: StepDeps, refundId: string): Promise<RefundStatus> {
  const step = await readRefund(deps, refundId);
  if (step.refund.status !== 'settled') return step.refund.status;
  await takeStep('temporal', refundStore, step, () => settleLate(step));
  return (await readRefund(deps, refundId)).refund.status;
}

/** Fails a refund whose money came back, as the books say. Returns `false` if it is not one that was accepted. */
export async function failReturned(deps: StepDeps, refundId: string): Promise<boolean> {
  const step = await readRefund(deps, refundId);
  const outcome = { kind: 'failed', processorId: null, ...returned } as const;
  const progress = await settle(refundStore, step, outcome, ({ refund }, now) =>
    applyLateOutcome(refund, outcome, now),
  );
  return !(progress instanceof ProcessorFault) && progress.status === 'failed';
}

/**
 * Asks for a refund that was accepted, fails it if the processor says so now, and adds what the processor tells of it. While
 * a restored database waits for its repair, what the processor took back may be a reversal of ours that was lost: the repair
 * makes it again.
 *
 * @param otherwise the move of one that did not fail. (Default: it stays as it is)
 */
async function settleLate(
  step: RefundStep,
  otherwise: (refund: Refund, now: Date) => RefundMove | null = () => null,
): Promise<OrFault<RefundProgress>> {
  const found = await askProcessor(step);
  const isReversed = !(found instanceof ProcessorFault) && found?.kind === 'reversed';
  if (isReversed && (await isRepairOwed(step.deps.db))) return toProgress(step);
  return settle(refundStore, step, found, ({ refund }, now, outcome) => {
    const late = outcome && applyLateOutcome(refund, outcome, now);
    return late?.event ? late : (otherwise(late?.refund ?? refund, now) ?? late);
  });
}

const sendRefund = (step: RefundStep) => call(step, 'refund', toSentRefund(step));

function toSentRefund({ refund, charge, claim }: ClaimedRefund): SentRefund {
  const { id: key, accountId, amount, processorAttempt: attempt, createdAt } = refund;
  const none = { paymentMethod: null, customerId: null, reference: null };
  const origin = claim ? writeOrigin({ ...claim, accountId, ...none }) : undefined;
  return { key, charge: toSentCharge(charge), amount, attempt, createdAt, origin };
}

/** A reversal that the processor has taken and not decided is a fault too. */
async function sendReversal(step: RefundStep): Promise<OrFault<DecidedOutcome>> {
  const { refund, charge } = step;
  const outcome = await call(step, 'reverseRefund', { key: refund.id, charge: toSentCharge(charge) });
  if (outcome instanceof ProcessorFault || outcome.kind !== 'pending') return outcome;
  return new ProcessorFault('processor_timeout', 'The processor has not decided the reversal yet');
}

function settleOutcome(
  step: RefundStep,
  found: OrFault<RefundOutcome>,
  { durations }: RefundRun,
): Promise<OrFault<RefundProgress>> {
  return settle(refundStore, step, found, ({ refund }, now, outcome) =>
    isAwaited(nextStep(refund), outcome) ? applyOutcome(refund, outcome, durations, now) : null,
  );
}

/** @param claim of the reversal; `null` if it is no longer kept. */
function settleReversal(
  step: RefundStep,
  found: OrFault<DecidedOutcome>,
  claim: ClaimContext | null,
): Promise<OrFault<RefundProgress>> {
  const { reversalClaimId: claimId } = step.refund;
  const isOpen = (refund: Refund) =>
    nextStep(refund) === 'resolve_reversal' && refund.reversalClaimId === claimId;
  return settle(
    refundStore,
    step,
    found,
    ({ refund }, now, outcome) => (isOpen(refund) ? applyReversal(refund, outcome, now) : null),
    { claim, reply: ({ refund }) => replyToReversal(refund, refund.version + 1) },
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
  const timeline = startRecorder({ refund: held.refund.id });
  return { deps, ...held, processor, timeline, isAsked: false };
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
