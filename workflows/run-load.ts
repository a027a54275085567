import { TypedSearchAttributes } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import { accountId, resourceId, resourceStatus } from '#temporal/search-attributes.ts';
import { runContinues } from '#temporal/messages.ts';
import type { RunLimits } from '#temporal/run-limits.ts';

/** A quarter of Temporal's limits: what is under way when a limit is reached still fits. */
const defaults = { updates: 500, signals: 2_000 };

/**
 * Counts the updates and signals of a run. At a limit the run is full: it takes no more commands, ends those that it has,
 * and continues as a new run, which begins at the row. So no run comes near a limit of Temporal, however long it lives.
 */
export class RunLoad {
  readonly #limits: Required<RunLimits>;
  #updates = 0;
  #signals = 0;
  #isFull = false;

  constructor(limits: RunLimits = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Counts an update; to be called first in its handler. */
  takeUpdate(): void {
    this.#updates += 1;
    this.look();
  }

  /** Counts a signal. */
  takeSignal(): void {
    this.#signals += 1;
    this.look();
  }

  /** Looks whether the run is full: also between two steps, whose events count too. */
  look(): void {
    const { updates, signals } = this.#limits;
    const isMuch =
      this.#updates >= updates || this.#signals >= signals || workflowInfo().continueAsNewSuggested;
    // Runs that older workers began are replayed as they went.
    if (isMuch && !this.#isFull) this.#isFull = patched('goes-on-in-a-new-run');
  }

  /**
   * Refuses an update in its validator, so that it leaves nothing in the history.
   *
   * @throws {ApplicationFailure} `goes_on`: the new run is to be asked.
   */
  refuseWhenFull(): void {
    if (this.#isFull) throw buildFullFailure();
  }

  /** Waits in an update's handler. @throws {ApplicationFailure} `goes_on`, when the run is full before. */
  waitFor(isAnswered: () => boolean): Promise<void> {
    return condition(() => isAnswered() || this.#isFull).then(() => {
      if (!isAnswered()) throw buildFullFailure();
    });
  }

  /** Begins the new run, with the ids, the memo and the attributes of this one, once every update is answered. */
  async continueInNewRun<Input>(input: Input): Promise<never> {
    await condition(allHandlersFinished);
    const { memo, typedSearchAttributes: shown } = workflowInfo();
    const kept = [accountId, resourceId, resourceStatus].map((key) => ({ key, value: shown.get(key) ?? '' }));
    const typedSearchAttributes = new TypedSearchAttributes(kept);
    const options = { ...(memo && { memo }), typedSearchAttributes };
    return makeContinueAsNewFunc<(input: Input) => Promise<unknown>>(options)(input);
  }
}

function buildFullFailure(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('This run continues in a new one', runContinues);
}
