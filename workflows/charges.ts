import { workflowInfo } from '@temporalio/workflow';
import type { ChargeInput, ChargeProgress, ChargeResult } from '#temporal/charges.ts';
import { localActivities, retriedActivities } from './proxies.ts';
import { askAgain, look, runSteps, Wakes, type Steps } from './runs.ts';

/** One charge, from its claim until it is terminal. Its commands are captures; a cancel is on its row. */
export function charge(input: ChargeInput): Promise<ChargeResult> {
  const wakes = new Wakes();
  return runSteps(wakes, buildSteps(input, wakes), input);
}

/** A void and a capture that were begun are finished before anything else. */
function buildSteps(input: ChargeInput, wakes: Wakes): Steps<ChargeProgress> {
  const run = { ...input, workflowId: workflowInfo().workflowId };
  const takeCommands = () => localActivities.captureCharge(run);
  const ask = () => retriedActivities.resolveCharge(run);
  const voidCharge = () => retriedActivities.voidCharge(run);

  async function awaitCommand(from: ChargeProgress): Promise<ChargeProgress> {
    const { expiresInMs = 0, cancelRequested } = from;
    if (cancelRequested) return voidCharge();
    const isWoken = await wakes.wait(expiresInMs, 'Waits for a capture, a cancel or the expiry');
    return isWoken ? look({ takeCommands, ask }, from) : voidCharge();
  }

  /** The buyer's return and the processor's notification end the wait, and so do a cancel and the end of the time. */
  let asked = 0;
  async function awaitAction(from: ChargeProgress): Promise<ChargeProgress> {
    const { expiresInMs = 0, cancelRequested } = from;
    const askInMs = Math.min(5_000 * 2 ** asked, 3_600_000, expiresInMs);
    if (!cancelRequested) await wakes.wait(askInMs, 'Waits for the buyer, then asks the processor');
    asked += 1;
    for (;;) {
      const progress = await wakes.endable(from, ask);
      // A wake came meanwhile: the row is read anew, without another wait.
      if (progress !== from) return progress;
    }
  }

  return {
    begin: () =>
      input.respondAsync ? localActivities.acceptCharge(run) : localActivities.authorizeCharge(run),
    takeCommands,
    ask,
    states: {
      resolve: (from) => wakes.endable(from, ask),
      resolve_capture: () => retriedActivities.resolveCapture(run),
      void: voidCharge,
      await_processor: askAgain(wakes, ask),
      await_action: awaitAction,
      await_command: awaitCommand,
    },
  };
}
