import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OperationProgress } from '#temporal/operations.ts';
import { patient, prompt, work } from './proxies.ts';
import { cancelSignal, outcomeUpdate, startSignal } from '#temporal/messages.ts';
import type { OperationInput, OperationOutcome } from '#temporal/operations.ts';
import { refuseUnless, showStatus, tell, unlessNews, type News } from './runs.ts';

/** What an operation's activity is given: who it is, and whose run asks. */
type OperationRun = OperationInput & { workflowId: string };

/**
 * One operation, from its claim until it is done: accepted with a 202, then worked on.
 *
 * The wish to cancel is on the row; the signal cuts the wait before another attempt, and the next one winds up.
 *
 * So many operations of an account run at once. One that finds no slot waits without an activity, so that it takes no
 * place of others, until one that ends or the sweep tells it to look again.
 *
 * @param step works until the operation is done, or answers `queued`: it is not its turn. Called again, it goes on from
 *   where it was.
 */
async function runOperation(
  input: OperationInput,
  step: (run: OperationRun) => Promise<OperationProgress>,
): Promise<OperationOutcome> {
  const inbox: News = { news: false, cutWait: () => undefined };
  let accepted = false;
  let isTold = false;
  setHandler(outcomeUpdate, () => condition(() => accepted), {
    validator: ({ claimId }) => refuseUnless(claimId === input.claimId),
  });
  setHandler(cancelSignal, () => {
    isTold = true;
    tell(inbox);
  });
  setHandler(startSignal, () => {
    isTold = true;
  });

  const run = { ...input, workflowId: workflowInfo().workflowId };
  let progress = await prompt.acceptOperation(run);
  accepted = true;
  while (!isDone(progress)) {
    showStatus(progress.status);
    const before = progress;
    isTold = false;
    progress = await unlessNews(inbox, before, () => step(run)).catch((error: unknown) =>
      giveUp(error, input),
    );
    // One that was cut short has not been told that it is to wait.
    if (progress !== before && progress.status === 'queued') await condition(() => isTold);
  }
  showStatus(progress.status);
  if (progress.status !== 'not_started' && patched('starts-next')) await prompt.startNext(input);
  await condition(allHandlersFinished);
  return { status: progress.status };
}

function isDone({ status }: OperationProgress): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'cancelling';
}

/** What no attempt can mend ends the operation, and says so. */
function giveUp(error: unknown, input: OperationInput): Promise<OperationProgress> {
  if (error instanceof ActivityFailure) return patient.failOperation(input);
  throw error;
}

/** An export: its file is written in one activity, which goes on where the last attempt stopped. */
export function runExport(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.exportRows);
}

/** A batch of charges: its rows are charged in one activity, which goes on where the last attempt stopped. */
export function chargeBatch(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.chargeRows);
}

/** A replay of many events to one endpoint. */
export function replayDeliveries(input: OperationInput): Promise<OperationOutcome> {
  return runOperation(input, work.replayEvents);
}
