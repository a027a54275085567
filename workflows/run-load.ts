import { TypedSearchAttributes } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  patched,
  workflowInfo,
  type Workflow,
} from '@temporalio/workflow';
import { accountId, resourceId, resourceStatus } from '#temporal/search-attributes.ts';
import { goesOn } from '#temporal/messages.ts';
import type { RunLimits } from '#temporal/run-limits.ts';

/** A quarter of what Temporal takes at most: what is under way when a limit is reached still fits. */
const defaults = { updates: 500, signals: 2_000 };

/**
 * How much a run was asked for. Once that is much it is full: it takes no more commands, ends those that it has, and
 * goes on in a new run, which begins at the row. So no run comes near a limit of Temporal, however long it lives.
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

  /** In an update's handler, as it begins. */
  takeUpdate(): void {
    this.#updates += 1;
    this.look();
  }

  /** In a signal's handler. */
  takeSignal(): void {
    this.#signals += 1;
    this.look();
  }

  /** Between two steps, whose events count too. */
  look(): void {
    const { updates, signals } = this.#limits;
    const isMuch =
      this.#updates >= updates || this.#signals >= signals || workflowInfo().continueAsNewSuggested;
    // Runs that older workers began are replayed as they went.
    if (isMuch && !this.#isFull) this.#isFull = patched('goes-on-in-a-new-run');
  }

  /**
   * In an update's validator: what is refused leaves nothing in the history.
   *
   * @throws {ApplicationFailure} `goes_on`: the new run is to be asked.
   */
  refuseWhenFull(): void {
    if (this.#isFull) throw goesOnFailure();
  }

  /** Waits in an update's handler. @throws {ApplicationFailure} `goes_on`, when the run is full before. */
  waitFor(isAnswered: () => boolean): Promise<void> {
    return condition(() => isAnswered() || this.#isFull).then(() => {
      if (!isAnswered()) throw goesOnFailure();
    });
  }

  /** Begins the new run, with the ids, the memo and the attributes of this one, once every update is answered. */
  async goOn<Run extends Workflow>(...args: Parameters<Run>): Promise<never> {
    await condition(allHandlersFinished);
    const { memo, typedSearchAttributes: shown } = workflowInfo();
    const kept = [accountId, resourceId, resourceStatus].map((key) => ({ key, value: shown.get(key) ?? '' }));
    const typedSearchAttributes = new TypedSearchAttributes(kept);
    return makeContinueAsNewFunc<Run>({ ...(memo && { memo }), typedSearchAttributes })(...args);
  }
}

function goesOnFailure(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('This run goes on in a new one', goesOn);
}
