import { condition, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ChargeInput, ChargeProgress, ChargeResult } from '#temporal/charges.ts';
import { cancelSignal, captureUpdate } from '#temporal/messages.ts';
import { localActivities, retriedActivities } from './proxies.ts';
import { askAgain, openInbox, runSteps, signal, unlessSignalled, type Inbox, type Steps } from './runs.ts';

/** One charge, from its claim until it is terminal. */
export function charge(input: ChargeInput): Promise<ChargeResult> {
  const first: ChargeProgress = { status: 'pending', next: 'resolve', answered: false };
  const isOurs = ({ chargeId }: { chargeId: string }) => chargeId === input.chargeId;
  const inbox: ChargeInbox = Object.assign(openInbox(input, first, captureUpdate, isOurs), {
    isCancelled: false,
  });
  setHandler(cancelSignal, () => {
    inbox.load.takeSignal();
    inbox.isCancelled = true;
    signal(inbox);
  });
  return runSteps(inbox, buildSteps(input, inbox), input);
}

/** Its commands are captures. */
interface ChargeInbox extends Inbox<ChargeProgress> {
  isCancelled: boolean;
}

/** A void and a capture that were begun are finished before anything else. */
function buildSteps(input: ChargeInput, inbox: ChargeInbox): Steps<ChargeProgress> {
  const run = { ...input, workflowId: workflowInfo().workflowId };

  async function takeCapture(): Promise<ChargeProgress> {
    const captureClaimId = inbox.commands[0] ?? '';
    let progress = await localActivities.captureCharge({ ...run, captureClaimId });
    while (progress.next === 'resolve_capture') progress = await retriedActivities.resolveCapture(run);
    inbox.commands.shift();
    return progress;
  }

  async function awaitCommand(from: ChargeProgress): Promise<ChargeProgress> {
    const { expiresInMs = 0, cancelRequested } = from;
    // A run that was started again finds the cancel request on the row; its signal may have gone to the lost one.
    if (cancelRequested && patched('cancel-by-row')) inbox.isCancelled = true;
    const isCommanded = () => inbox.isCancelled || inbox.commands.length > 0;
    // Earlier runs did not hear it. The patch costs a marker, so only a run that has news asks for it.
    const hasNews = () => inbox.isSignalled && patched('authorization-news');
    const isHeard = await condition(() => isCommanded() || inbox.load.isFull || hasNews(), expiresInMs);
    if (inbox.commands.length > 0) return takeCapture();
    if (isHeard && !inbox.isCancelled && hasNews()) {
      inbox.isSignalled = false;
      return retriedActivities.resolveCharge(run);
    }
    if (inbox.load.isFull && !inbox.isCancelled) return from;
    const reason = inbox.isCancelled ? 'cancelled' : 'expired';
    inbox.isCancelled = false;
    return retriedActivities.voidCharge({ ...run, reason });
  }

  /** The buyer's return and the processor's notification end the wait, and so do a cancel and the end of the time. */
  let asked = 0;
  async function awaitAction(from: ChargeProgress): Promise<ChargeProgress> {
    const { expiresInMs = 0, cancelRequested } = from;
    const askInMs = Math.min(5_000 * 2 ** asked, 3_600_000, expiresInMs);
    if (!cancelRequested) await condition(() => inbox.isSignalled || inbox.load.isFull, askInMs);
    inbox.isSignalled = false;
    asked += 1;
    for (;;) {
      const progress = await unlessSignalled(inbox, from, () => retriedActivities.resolveCharge(run));
      // News that came meanwhile: the row is read anew, without another wait.
      if (progress !== from) return progress;
    }
  }

  return {
    begin: () =>
      input.respondAsync ? localActivities.acceptCharge(run) : localActivities.authorizeCharge(run),
    takeCommand: takeCapture,
    states: {
      resolve: (from) => unlessSignalled(inbox, from, () => retriedActivities.resolveCharge(run)),
      resolve_capture: () => retriedActivities.resolveCapture(run),
      void: () => retriedActivities.voidCharge({ ...run, reason: null }),
      await_processor: askAgain(inbox, () => retriedActivities.resolveCharge(run)),
      await_action: awaitAction,
      await_command: awaitCommand,
    },
  };
}
