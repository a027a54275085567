import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  setHandler,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { TypedSearchAttributes } from '@temporalio/common';
import { wakeSignal } from '#temporal/messages.ts';
import * as attributes from '#temporal/search-attributes.ts';
import { showProgress } from './progress-view.ts';

/** The parts that runs share: they are woken, take one step at a time, and show their state. */

/** Hears the signal `wake`. A wake is kept until the run has looked at its row after it. */
export class Wakes {
  #isWoken = false;
  #endStep: () => void = () => undefined;

  constructor() {
    setHandler(wakeSignal, () => this.set());
  }

  /** Has the run look at its row again, also in the middle of a wait. */
  set(): void {
    this.#isWoken = true;
    this.#endStep();
  }

  /** Returns whether the run was woken since the last call. */
  take(): boolean {
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    return isWoken;
  }

  /** Waits until the run is woken, or for `ms` milliseconds; `null`: without an end. Returns whether it was woken. */
  async wait(ms: number | null, summary: string): Promise<boolean> {
    const isWoken = () => this.#isWoken;
    // The SDK would write a marker for a wait of 0, and a timer for one that is over.
    if (ms === null) await condition(isWoken);
    else if (!isWoken()) await condition(isWoken, Math.max(1, ms), { summary });
    return this.take();
  }

  /** Takes a step that a wake ends. Returns `from` if it was ended: the step is to be taken again, and reads the row anew. */
  async endable<Progress>(from: Progress, step: () => Promise<Progress>): Promise<Progress> {
    this.take();
    const scope = new CancellationScope();
    this.#endStep = () => scope.cancel();
    try {
      return await scope.run(step);
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      if (isCancellation(error) || (scope.consideredCancelled && isLost(error))) return from;
      throw error;
    } finally {
      this.#endStep = () => undefined;
    }
  }
}

/** Whether the worker died before it read that the step was ended; Temporal gives such an activity no other attempt. */
function isLost(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}

interface RowProgress {
  status: string;
  next: string;
  fault?: string;
  hasNews?: true;
  hadCommand?: true;
  cancelRequested?: true;
}

export type Step<Progress> = (from: Progress) => Promise<Progress>;

/** The steps of a charge or a refund. */
export interface Steps<Progress extends RowProgress> {
  /** Begins the claim, or finds the row that it has made. */
  begin: () => Promise<Progress>;
  /** Carries out the commands that wait for the row. */
  takeCommands: () => Promise<Progress>;
  /** Asks the processor. */
  ask: () => Promise<Progress>;
  /** How each state is left. */
  states: Record<Exclude<Progress['next'], 'done'>, Step<Progress>>;
}

/**
 * Takes one step at a time until the row is at its end. Each step begins at the row. So a run that is started again, after
 * its own loss or that of Temporal's store, resumes.
 */
export async function runSteps<Progress extends RowProgress, Input extends { isWoken?: true }>(
  wakes: Wakes,
  steps: Steps<Progress>,
  input: Input,
): Promise<{ status: Progress['status'] }> {
  let progress = await steps.begin();
  if (progress.hasNews || input.isWoken) wakes.set();
  while (progress.next !== 'done') {
    showProgress(progress);
    if (isLong()) await continueInNewRun(input, wakes);
    const step = steps.states[progress.next as Exclude<Progress['next'], 'done'>];
    progress = await step(progress);
  }
  showProgress(progress);
  // A command that came too late is answered too.
  while (wakes.take()) await look(steps, progress);
  return { status: progress.status };
}

/** Looks at the row of a run that was woken. Without a command or a change, the processor has something to tell. */
export async function look<Progress extends RowProgress>(
  { takeCommands, ask }: Pick<Steps<Progress>, 'takeCommands' | 'ask'>,
  from: Progress,
): Promise<Progress> {
  const seen = await takeCommands();
  const isExplained = seen.hadCommand || seen.cancelRequested || seen.next !== from.next;
  return isExplained ? seen : ask();
}

/**
 * Returns a step that asks the processor again 1 s after it took the request, then at growing intervals of up to an hour.
 * A wake ends the wait.
 */
export function askAgain<Progress>(wakes: Wakes, ask: () => Promise<Progress>): Step<Progress> {
  let asked = 0;
  return async () => {
    await wakes.wait(Math.min(1_000 * 2 ** asked, 3_600_000), 'Asks the processor again');
    asked += 1;
    return ask();
  };
}

/** Events after which a run continues in a new one. A worker must replay a history within the time of one task. */
const longestHistory = 1_000;

function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > longestHistory;
}

/** Begins a new run with the ids, the memo and the attributes of this one: a history must not grow without an end. */
async function continueInNewRun<Input extends { isWoken?: true }>(
  input: Input,
  wakes: Wakes,
): Promise<never> {
  const { memo, typedSearchAttributes: shown } = workflowInfo();
  const kept = Object.values(attributes).flatMap((key) => {
    const value = shown.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
  const next: Input = { ...input, ...(wakes.take() && { isWoken: true }) };
  return makeContinueAsNewFunc<(input: Input) => Promise<unknown>>({
    ...(memo && { memo }),
    typedSearchAttributes: new TypedSearchAttributes(kept),
  })(next);
}
