import { condition, workflowInfo } from '@temporalio/workflow';
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

/** A reversal that was begun is finished before the refund can settle. */
function buildSteps(input: RefundInput, inbox: Inbox<RefundProgress>): Steps<RefundProgress> {
  const run = { ...input, workflowId: workflowInfo().workflowId };

  async function takeReversal(): Promise<RefundProgress> {
    const reversalClaimId = inbox.commands[0] ?? '';
    let progress = await localActivities.reverseRefund({ ...run, reversalClaimId });
    while (progress.next === 'resolve_reversal') progress = await retriedActivities.resolveReversal(run);
    inbox.commands.shift();
    return progress;
  }

  async function awaitSettlement(from: RefundProgress): Promise<RefundProgress> {
    await condition(() => inbox.commands.length > 0 || inbox.load.isFull, from.settlesInMs ?? 0);
    if (inbox.commands.length > 0) return takeReversal();
    return inbox.load.isFull ? from : localActivities.settleRefund(run);
  }

  return {
    begin: () => (input.respondAsync ? localActivities.acceptRefund(run) : localActivities.refundCharge(run)),
    takeCommand: takeReversal,
    states: {
      resolve: (from) => unlessSignalled(inbox, from, () => retriedActivities.resolveRefund(run)),
      resolve_reversal: () => retriedActivities.resolveReversal(run),
      await_processor: askAgain(inbox, () => retriedActivities.resolveRefund(run)),
      await_settlement: awaitSettlement,
    },
  };
}
