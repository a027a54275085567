import { workflowInfo } from '@temporalio/workflow';
import type { RefundInput, RefundProgress, RefundResult } from '#temporal/refunds.ts';
import { localActivities, retriedActivities } from './proxies.ts';
import { askAgain, look, runSteps, Wakes, type Steps } from './runs.ts';

/** One refund, from its claim until it is terminal: settled, failed or reversed. Its commands are reversals. */
export function refund(input: RefundInput): Promise<RefundResult> {
  const wakes = new Wakes();
  return runSteps(wakes, buildSteps(input, wakes), input);
}

/**
 * A reversal that was begun is finished before the refund can settle. The processor's notification may say that the refund
 * has failed, until the run ends; of a settled one the sweep hears (`activities/payments/ended-payments.ts`).
 */
function buildSteps(input: RefundInput, wakes: Wakes): Steps<RefundProgress> {
  const run = { ...input, workflowId: workflowInfo().workflowId };
  const takeCommands = () => localActivities.reverseRefund(run);
  const ask = () => retriedActivities.resolveRefund(run);

  async function awaitSettlement(from: RefundProgress): Promise<RefundProgress> {
    const isWoken = await wakes.wait(from.settlesInMs ?? 0, 'Waits until the refund settles');
    return isWoken ? look({ takeCommands, ask }, from) : localActivities.settleRefund(run);
  }

  return {
    begin: () => (input.respondAsync ? localActivities.acceptRefund(run) : localActivities.refundCharge(run)),
    takeCommands,
    ask,
    states: {
      resolve: (from) => wakes.endable(from, ask),
      resolve_reversal: () => retriedActivities.resolveReversal(run),
      await_processor: askAgain(wakes, ask),
      await_settlement: awaitSettlement,
    },
  };
}
