import { allHandlersFinished, condition, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import { bareOutcome } from './bare-contract.ts';

/** What the workers of the bare workflows offer. */
export interface BareActivities {
  doNothing(): Promise<void>;
  /** Tells the caller in the same process that its workflow is through. */
  answer(callId: string): Promise<void>;
}

const { doNothing, answer } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '10s' });

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

/** The same in its best shape: the process that starts the run also runs it, and is answered by its step. */
export function bareEager(callId: string): Promise<void> {
  return answer(callId);
}
