import { saveCharge } from '#db/payments/charge-saves.ts';
import { renewEndedAttempt } from '#db/payments/late-moves.ts';
import { appendTimeline } from '#db/writes/timeline.ts';
import { applyLateOutcome, nextStep } from '#domain/charge-moves.ts';
import { isId } from '#domain/ids.ts';
import { orThrow } from '#processor/call.ts';
import { ProcessorFault } from '#processor/port.ts';
import { chargeStore, findOutcome, readCharge, releaseCharge, type ChargeStep } from './charge-steps.ts';
import { askForSettled } from './refunds.ts';
import { settle, type StepDeps } from './settle.ts';

/**
 * Charges and refunds that are at their end have no workflow. What the processor confirmed may fail later all the same: a
 * refund, a capture, what a void gave back. The sweep asks for those that a notification names, and reconciliation for
 * those that the books show.
 */

/** What came of asking for one: its row moved, the money of its void was given back again, or all is as the row says. */
export type EndedNews = 'moved' | 'given_back' | 'unchanged';

/**
 * Asks the processor for a charge or a refund at its end, and writes down what it says now. Run twice, it does its work
 * once. What is not at its end is left to its workflow.
 *
 * @throws the processor's fault: ask again.
 */
export async function askForEnded(deps: StepDeps, id: string): Promise<EndedNews> {
  return isId('refund', id) ? askForRefund(deps, id) : askForCharge(deps, id);
}

async function askForRefund(deps: StepDeps, refundId: string): Promise<EndedNews> {
  const status = await askForSettled(deps, refundId);
  return status === 'failed' ? 'moved' : 'unchanged';
}

async function askForCharge(deps: StepDeps, chargeId: string): Promise<EndedNews> {
  const step = await readCharge(deps, chargeId);
  const { charge } = step;
  if (nextStep(charge) !== 'done') return 'unchanged';
  if (charge.status === 'succeeded') return settleFailedCapture(step);
  return charge.voidReason === null ? 'unchanged' : giveBackAgain(step);
}

const lateStore: typeof chargeStore = {
  ...chargeStore,
  save: ({ deps, charge }, moved, effect) => saveCharge(deps.db, charge, moved.charge, effect, 'succeeded'),
};

async function settleFailedCapture(step: ChargeStep): Promise<EndedNews> {
  const outcome = orThrow(await findOutcome(step));
  if (outcome?.kind !== 'capture_failed') return 'unchanged';
  const { version } = step.charge;
  await settle(lateStore, step, outcome, ({ charge }, now) => applyLateOutcome(charge, outcome, now));
  return (await readCharge(step.deps, step.charge.id)).charge.version === version ? 'unchanged' : 'moved';
}

/** The row stays as it is: it says that the buyer has the money back, which is made true again. */
async function giveBackAgain(step: ChargeStep): Promise<EndedNews> {
  const { deps, charge, timeline } = step;
  try {
    const outcome = orThrow(await findOutcome(step));
    if (outcome?.kind !== 'captured') return 'unchanged';
    const released = await releaseCharge(step);
    if (released instanceof ProcessorFault && released.renewsKey)
      await renewEndedAttempt(deps.db, charge.id, charge.processorAttempt + 1);
    orThrow(released);
    return 'given_back';
  } finally {
    await appendTimeline(deps.db, charge.id, timeline.take());
  }
}
