import { condition, patched, workflowInfo } from '@temporalio/workflow';
import { reverseUpdate } from '#temporal/messages.ts';
import type { RefundInput, RefundProgress, RefundResult } from '#temporal/refunds.ts';
import { localActivities, retriedActivities } from './proxies.ts';
import { askAgain, openInbox, runSteps, unlessSignalled, type Inbox, type Steps } from './runs.ts';

/** One refund, from its claim until it is terminal: settled, failed or reversed. Its commands are reversals. */
export function refund(input: RefundInput): Promise<RefundResult> {
  const first: RefundProgress = { status: 'pending', next: 'resolve', answered: false };
  const inbox = openInbox(input, first, reverseUpdate, ({ refundId }) => refundId === input.refundId);
  return runSteps(inbox, buildSteps(input, inbox), input);
}

/**
 * A reversal that was begun is finished before the refund can settle. The processor's notification may say that the refund
 * has failed, until the run ends; of a settled one the sweep hears (`activities/payments/ended-payments.ts`).
 */
function buildSteps(input: RefundInput, inbox: Inbox<RefundProgress>): Steps<RefundProgress> {
  const run = { ...input, workflowId: workflowInfo().workflowId };

  async function takeReversal(): Promise<RefundProgress> {
    const reversalClaimId = inbox.commands[0] ?? '';
    let progress = await localActivities.reverseRefund({ ...run, reversalClaimId });
    while (progress.next === 'resolve_reversal') progress = await retriedActivities.resolveReversal(run);
    inbox.commands.shift();
    return progress;
  }

  // Earlier runs did not hear it. The patch costs a marker, so only a run that has news asks for it.
  const hasNews = () => inbox.isSignalled && patched('refund-news');

  async function hearNews(): Promise<RefundProgress> {
    inbox.isSignalled = false;
    return retriedActivities.resolveRefund(run);
  }

  async function awaitSettlement(from: RefundProgress): Promise<RefundProgress> {
    const isCalled = () => inbox.commands.length > 0 || inbox.load.isFull || hasNews();
    await condition(isCalled, from.settlesInMs ?? 0);
    if (inbox.commands.length > 0) return takeReversal();
    if (hasNews()) return hearNews();
    if (inbox.load.isFull) return from;
    const settled = await localActivities.settleRefund(run);
    // News that came meanwhile: nobody else would hear it.
    return settled.next === 'done' && hasNews() ? hearNews() : settled;
  }

  async function begin(): Promise<RefundProgress> {
    const begun = await (input.respondAsync
      ? localActivities.acceptRefund(run)
      : localActivities.refundCharge(run));
    if (begun.isResumed) inbox.isSignalled = true;
    return begun;
  }

  return {
    begin,
    takeCommand: takeReversal,
    states: {
      resolve: (from) => unlessSignalled(inbox, from, () => retriedActivities.resolveRefund(run)),
      resolve_reversal: () => retriedActivities.resolveReversal(run),
      await_processor: askAgain(inbox, () => retriedActivities.resolveRefund(run)),
      await_settlement: awaitSettlement,
    },
  };
}
