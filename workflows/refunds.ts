import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import type { RefundProgress } from '#temporal/refunds.ts';
import type { RefundNext } from '#domain/refunds.ts';
import { patient, prompt } from './proxies.ts';
import { outcomeUpdate, processorNotifiedSignal, reverseUpdate } from '#temporal/messages.ts';
import type { RefundInput, RefundResult } from '#temporal/refunds.ts';
import { RunLoad } from './run-load.ts';
import { askAgainMs, refuseUnless, showStatus, tell, unlessNews, type News } from './runs.ts';

/**
 * One refund, from its claim until it is terminal: settled, failed or reversed.
 *
 * As a charge's run: handlers only queue what they are told, the loop takes one step at a time, and each step
 * starts from the row.
 */
export async function refund(input: RefundInput): Promise<RefundResult> {
  const inbox = openInbox(input);
  const step = stepsOf(input, inbox);
  inbox.progress = await (input.respondAsync ? step.accept() : step.refund());
  while (inbox.progress.next !== 'done') {
    showStatus(inbox.progress.status);
    inbox.load.look();
    if (inbox.load.isFull && inbox.reversals.length === 0) await inbox.load.goOn<typeof refund>(input);
    inbox.progress = await step[inbox.progress.next](inbox.progress);
  }
  showStatus(inbox.progress.status);
  // A reversal that came too late is answered too.
  while (inbox.reversals.length > 0) await step.takeReversal();
  await condition(allHandlersFinished);
  return { status: inbox.progress.status };
}

/** What the run has been told and has not dealt with, and how far it is. */
interface Inbox extends News {
  load: RunLoad;
  progress: RefundProgress;
  /** Claims of reversals that wait for their turn; the first may be under way. */
  reversals: string[];
}

function openInbox(input: RefundInput): Inbox {
  const inbox: Inbox = {
    load: new RunLoad(input.limits),
    progress: { status: 'pending', next: 'resolve', answered: false },
    reversals: [],
    news: false,
    cutWait: () => undefined,
  };
  setHandler(
    outcomeUpdate,
    () => {
      inbox.load.takeUpdate();
      return inbox.load.waitFor(() => inbox.progress.answered);
    },
    {
      validator({ claimId }) {
        refuseUnless(claimId === input.claimId);
        inbox.load.refuseWhenFull();
      },
    },
  );
  setHandler(
    reverseUpdate,
    async ({ claimId }) => {
      inbox.load.takeUpdate();
      if (!inbox.reversals.includes(claimId)) inbox.reversals.push(claimId);
      await condition(() => !inbox.reversals.includes(claimId));
    },
    {
      validator({ refundId }) {
        refuseUnless(refundId === input.refundId);
        inbox.load.refuseWhenFull();
      },
    },
  );
  setHandler(processorNotifiedSignal, () => {
    inbox.load.takeSignal();
    tell(inbox);
  });
  return inbox;
}

type Step = (from: RefundProgress) => Promise<RefundProgress>;

/** How each state is left; a reversal that was begun is seen through before the refund can settle. */
function stepsOf(input: RefundInput, inbox: Inbox) {
  const run = { ...input, workflowId: workflowInfo().workflowId };
  let asked = 0;
  const waiting: Record<Exclude<RefundNext, 'done'>, Step> = {
    resolve: (from) => unlessNews(inbox, from, () => patient.resolveRefund(run)),
    resolve_reversal: () => patient.resolveReversal(run),
    async await_processor() {
      await condition(() => inbox.news, askAgainMs(asked));
      inbox.news = false;
      asked += 1;
      return patient.resolveRefund(run);
    },
    async await_settlement(from) {
      await condition(() => inbox.reversals.length > 0 || inbox.load.isFull, from.settlesInMs ?? 0);
      if (inbox.reversals.length > 0) return takeReversal();
      return inbox.load.isFull ? from : prompt.settleRefund(run);
    },
  };

  /** Takes the first reversal to its answer. */
  async function takeReversal(): Promise<RefundProgress> {
    let progress = await prompt.reverseRefund({ ...run, reversalClaimId: inbox.reversals[0] ?? '' });
    while (progress.next === 'resolve_reversal') progress = await patient.resolveReversal(run);
    inbox.reversals.shift();
    return progress;
  }

  return {
    ...waiting,
    refund: () => prompt.refundCharge(run),
    accept: () => prompt.acceptRefund(run),
    takeReversal,
  };
}
