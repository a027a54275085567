import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OperationInput, OperationOutcome, OperationProgress } from '#temporal/operations.ts';
import { cancelSignal, outcomeUpdate, startSignal } from '#temporal/messages.ts';
import { localActivities, retriedActivities, workActivities } from './proxies.ts';
import { refuseUnless, showStatus, signal, unlessSignalled, type Signalled } from './runs.ts';

/** The input of an operation's activity: the operation, and the run that asks. */
type OperationRun = OperationInput & { workflowId: string };

/**
 * One operation, from its claim until it is done: accepted with a 202, then worked on.
 *
 * A cancel request is on the row; the signal ends the wait before another attempt, and the next one ends the work.
 *
 * An account runs only so many operations at once. One that finds no slot waits without an activity, so that it takes no
 * place of others, until an operation that ends or the sweep signals it to look again.
 *
 * @param step works until the operation is done, or returns `queued` if it has no slot. Called again, it resumes.
 */
async function runOperation(
  input: OperationInput,
  step: (run: OperationRun) => Promise<OperationProgress>,
): Promise<OperationOutcome> {
  const waiting: Signalled = { isSignalled: false, endWait: () => undefined };
  let isAccepted = false;
  let isToLook = false;
  setHandler(outcomeUpdate, () => condition(() => isAccepted), {
    validator: ({ claimId }) => refuseUnless(claimId === input.claimId),
  });
  setHandler(cancelSignal, () => {
    isToLook = true;
    signal(waiting);
  });
  setHandler(startSignal, () => {
    isToLook = true;
  });

  const run = { ...input, workflowId: workflowInfo().workflowId };
  let progress = await localActivities.acceptOperation(run);
  isAccepted = true;
  while (!isDone(progress)) {
    showStatus(progress.status);
    const before = progress;
    isToLook = false;
    progress = await unlessSignalled(waiting, before, () => step(run)).catch((error: unknown) =>
      giveUp(error, input),
    );
    // A step that was ended by a signal has not read whether it is to wait.
    if (progress !== before && progress.status === 'queued') await condition(() => isToLook);
  }
  showStatus(progress.status);
  if (progress.status !== 'not_started' && patched('starts-next')) await localActivities.startNext(input);
  await condition(allHandlersFinished);
  return { status: progress.status };
}

function isDone({ status }: OperationProgress): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'cancelling';
}

/** Ends an operation whose work fails for good. */
function giveUp(error: unknown, input: OperationInput): Promise<OperationProgress> {
  if (error instanceof ActivityFailure) return retriedActivities.failOperation(input);
  throw error;
}

/** An export: one activity writes its file, and resumes where the last attempt stopped. */
export function runExport(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, workActivities.exportRows);
}

/** A batch of charges: one activity charges its rows, and resumes where the last attempt stopped. */
export function chargeBatch(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, workActivities.chargeRows);
}

/** A replay of many events to one endpoint. */
export function replayDeliveries(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, workActivities.replayEvents);
}
