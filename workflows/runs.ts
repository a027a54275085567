import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  setHandler,
  TimeoutFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { otherClaim, outcomeUpdate, processorNotifiedSignal } from '#temporal/messages.ts';
import type { RunLimits } from '#temporal/run-limits.ts';
import { resourceStatus } from '#temporal/search-attributes.ts';
import { RunLoad } from './run-load.ts';

/** The parts that runs share: they take messages, take one step at a time, and show their state. */

/** A signal that ends the wait of a step. */
export interface Signalled {
  /** A signal came since the last look at the row. */
  isSignalled: boolean;
  /** Ends the step that waits now, if it can be ended. */
  endWait: () => void;
}

/** The messages that a run of a charge or a refund has not dealt with, and its progress. */
export interface Inbox<Progress> extends Signalled {
  load: RunLoad;
  progress: Progress;
  /** Claims of commands that wait; the first may be under way. */
  commands: string[];
}

interface RowProgress {
  status: string;
  next: string;
  answered: boolean;
}

export type Step<Progress> = (from: Progress) => Promise<Progress>;

/** The steps of a run. */
export interface Steps<Progress extends RowProgress> {
  /** Begins the claim. */
  begin: () => Promise<Progress>;
  /** Takes the first command to its answer. */
  takeCommand: () => Promise<Progress>;
  /** How each state is left. */
  states: Record<Exclude<Progress['next'], 'done'>, Step<Progress>>;
}

/**
 * Sets the handlers that charges and refunds share: of the outcome, of a command, of the processor's notification.
 *
 * @param isOurs whether a command is for the row of this run.
 */
export function openInbox<Progress extends RowProgress, Command extends { claimId: string }>(
  input: { claimId: string; limits?: RunLimits },
  first: Progress,
  command: UpdateDefinition<void, [Command]>,
  isOurs: (command: Command) => boolean,
): Inbox<Progress> {
  const load = new RunLoad(input.limits);
  const inbox: Inbox<Progress> = {
    load,
    progress: first,
    commands: [],
    isSignalled: false,
    endWait: () => undefined,
  };
  const validate = (isAccepted: boolean) => {
    refuseUnless(isAccepted);
    load.refuseWhenFull();
  };
  const waitForAnswer = () => {
    load.takeUpdate();
    return load.waitFor(() => inbox.progress.answered);
  };
  const queueCommand = async ({ claimId }: Command) => {
    load.takeUpdate();
    if (!inbox.commands.includes(claimId)) inbox.commands.push(claimId);
    await condition(() => !inbox.commands.includes(claimId));
  };
  setHandler(outcomeUpdate, waitForAnswer, {
    validator: ({ claimId }) => validate(claimId === input.claimId),
  });
  setHandler(command, queueCommand, { validator: (given) => validate(isOurs(given)) });
  setHandler(processorNotifiedSignal, () => {
    load.takeSignal();
    signal(inbox);
  });
  return inbox;
}

/**
 * Takes one step at a time until the row is at its end. Handlers only queue what they are told, and each step starts from
 * the row. So a run that is started again, after its own loss or that of Temporal's store, resumes.
 */
export async function runSteps<Progress extends RowProgress, Input>(
  inbox: Inbox<Progress>,
  { begin, takeCommand, states }: Steps<Progress>,
  input: Input,
): Promise<{ status: Progress['status'] }> {
  inbox.progress = await begin();
  while (inbox.progress.next !== 'done') {
    showStatus(inbox.progress.status);
    inbox.load.look();
    if (inbox.load.isFull && inbox.commands.length === 0) await inbox.load.continueInNewRun(input);
    const step = states[inbox.progress.next as Exclude<Progress['next'], 'done'>];
    inbox.progress = await step(inbox.progress);
  }
  showStatus(inbox.progress.status);
  // A command that came too late is answered too.
  while (inbox.commands.length > 0) await takeCommand();
  await condition(allHandlersFinished);
  return { status: inbox.progress.status };
}

/** Has the step that waits now look at the row again. */
export function signal(signalled: Signalled): void {
  signalled.isSignalled = true;
  signalled.endWait();
}

/** Runs a step that a signal ends; the step is then begun again, and so reads the row anew. */
export async function unlessSignalled<Progress>(
  signalled: Signalled,
  from: Progress,
  step: () => Promise<Progress>,
): Promise<Progress> {
  const scope = new CancellationScope();
  signalled.endWait = () => scope.cancel();
  try {
    return await scope.run(step);
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    if (isCancellation(error) || (scope.consideredCancelled && isLost(error))) return from;
    throw error;
  } finally {
    signalled.endWait = () => undefined;
    signalled.isSignalled = false;
  }
}

/** Whether the worker died before it read that the step was ended; Temporal gives such an activity no other attempt. */
function isLost(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

/**
 * Returns a step that asks the processor again 1 s after it took the request, then at growing intervals of up to an hour.
 * The processor's notification ends the wait.
 */
export function askAgain<Progress>(inbox: Inbox<Progress>, ask: () => Promise<Progress>): Step<Progress> {
  let asked = 0;
  return async () => {
    await condition(() => inbox.isSignalled, Math.min(1_000 * 2 ** asked, 3_600_000));
    inbox.isSignalled = false;
    asked += 1;
    return ask();
  };
}

/** @throws {ApplicationFailure} `other_claim`, in an update's validator. */
export function refuseUnless(isOurs: boolean): void {
  if (!isOurs) throw ApplicationFailure.nonRetryable('This run answers for another claim', otherClaim);
}

/** Operators filter by it; an unchanged status costs nothing. */
export function showStatus(status: string): void {
  const shown = workflowInfo().typedSearchAttributes.get(resourceStatus);
  if (shown !== status) upsertSearchAttributes([{ key: resourceStatus, value: status }]);
}
