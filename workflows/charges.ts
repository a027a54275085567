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
    await condition(() => isCommanded() || inbox.load.isFull, expiresInMs);
    if (inbox.commands.length > 0) return takeCapture();
    if (inbox.load.isFull && !inbox.isCancelled) return from;
    const reason = inbox.isCancelled ? 'cancelled' : 'expired';
    inbox.isCancelled = false;
    return retriedActivities.voidCharge({ ...run, reason });
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
      await_command: awaitCommand,
    },
  };
}
