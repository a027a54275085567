import { allHandlersFinished, condition, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ChargeProgress } from '#temporal/charges.ts';
import type { ChargeNext } from '#domain/charges.ts';
import { patient, prompt } from './proxies.ts';
import { cancelSignal, captureUpdate, outcomeUpdate, processorNotifiedSignal } from '#temporal/messages.ts';
import type { ChargeInput, ChargeResult } from '#temporal/charges.ts';
import { RunLoad } from './run-load.ts';
import { askAgainMs, refuseUnless, showStatus, tell, unlessNews, type News } from './runs.ts';

/**
 * One charge, from its claim until it is terminal.
 *
 * Handlers only queue what they are told; the loop takes one step at a time, and each step starts from the
 * row. So a run that is started again, after its own loss or that of Temporal's store, simply goes on.
 */
export async function charge(input: ChargeInput): Promise<ChargeResult> {
  const inbox = openInbox(input);
  const step = stepsOf(input, inbox);
  inbox.progress = await (input.respondAsync ? step.accept() : step.authorize());
  while (inbox.progress.next !== 'done') {
    showStatus(inbox.progress.status);
    inbox.load.look();
    if (inbox.load.isFull && inbox.captures.length === 0) await inbox.load.goOn<typeof charge>(input);
    inbox.progress = await step[inbox.progress.next](inbox.progress);
  }
  showStatus(inbox.progress.status);
  // A capture that came too late is answered too: with the refusal.
  while (inbox.captures.length > 0) await step.capture();
  await condition(allHandlersFinished);
  return { status: inbox.progress.status };
}

/** What the run has been told and has not dealt with, and how far it is. */
interface Inbox extends News {
  load: RunLoad;
  progress: ChargeProgress;
  /** Claims of captures that wait for their turn; the first may be under way. */
  captures: string[];
  cancelled: boolean;
}

function openInbox(input: ChargeInput): Inbox {
  const inbox: Inbox = {
    load: new RunLoad(input.limits),
    progress: { status: 'pending', next: 'resolve', answered: false },
    captures: [],
    cancelled: false,
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
    captureUpdate,
    async ({ claimId }) => {
      inbox.load.takeUpdate();
      if (!inbox.captures.includes(claimId)) inbox.captures.push(claimId);
      await condition(() => !inbox.captures.includes(claimId));
    },
    {
      validator({ chargeId }) {
        refuseUnless(chargeId === input.chargeId);
        inbox.load.refuseWhenFull();
      },
    },
  );
  setHandler(cancelSignal, () => {
    inbox.load.takeSignal();
    inbox.cancelled = true;
    tell(inbox);
  });
  setHandler(processorNotifiedSignal, () => {
    inbox.load.takeSignal();
    tell(inbox);
  });
  return inbox;
}

type Step = (from: ChargeProgress) => Promise<ChargeProgress>;

/** How each state is left; a void and a capture that were begun are seen through before anything else. */
function stepsOf(input: ChargeInput, inbox: Inbox) {
  const run = { ...input, workflowId: workflowInfo().workflowId };
  let asked = 0;
  const waiting: Record<Exclude<ChargeNext, 'done'>, Step> = {
    resolve: (from) => unlessNews(inbox, from, () => patient.resolveCharge(run)),
    resolve_capture: () => patient.resolveCapture(run),
    void: () => patient.voidCharge({ ...run, reason: null }),
    async await_processor() {
      await condition(() => inbox.news, askAgainMs(asked));
      inbox.news = false;
      asked += 1;
      return patient.resolveCharge(run);
    },
    async await_command(from) {
      const { expiresInMs = 0, cancelRequested } = from;
      // A run that was started again finds the wish on the row; its signal may have gone to the lost one.
      if (cancelRequested && patched('cancel-by-row')) inbox.cancelled = true;
      const isCommanded = () => inbox.cancelled || inbox.captures.length > 0;
      await condition(() => isCommanded() || inbox.load.isFull, expiresInMs);
      if (inbox.captures.length > 0) return capture();
      if (inbox.load.isFull && !inbox.cancelled) return from;
      const reason = inbox.cancelled ? 'cancelled' : 'expired';
      inbox.cancelled = false;
      return patient.voidCharge({ ...run, reason });
    },
  };

  /** Takes the first capture to its answer. */
  async function capture(): Promise<ChargeProgress> {
    let progress = await prompt.captureCharge({ ...run, captureClaimId: inbox.captures[0] ?? '' });
    while (progress.next === 'resolve_capture') progress = await patient.resolveCapture(run);
    inbox.captures.shift();
    return progress;
  }

  return {
    ...waiting,
    authorize: () => prompt.authorizeCharge(run),
    accept: () => prompt.acceptCharge(run),
    capture,
  };
}
