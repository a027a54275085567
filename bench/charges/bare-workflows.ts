import { allHandlersFinished, condition, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import { bareOutcome } from './bare-contract.ts';
import type { BareActivities } from './bare-worker.ts';

const { doNothing } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '10s' });

/**
 * The least that a durable write can be: one local activity, an update that is answered after it, and the end
 * of the run, in one workflow task.
 */
export async function bare(): Promise<void> {
  let isDone = false;
  setHandler(bareOutcome, () => condition(() => isDone));
  await doNothing();
  isDone = true;
  await condition(allHandlersFinished);
}
