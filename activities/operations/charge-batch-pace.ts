import { setTimeout as sleep } from 'node:timers/promises';

/** The longest rest after a step, in times of the step: on a machine with little to do, and on a busy one. */
const shares = { least: 1, most: 2 };

/** A timer that is so many milliseconds late shows a machine, or a process, with more work than it can do. */
const busyLateMs = 8;

/** The weight of a new measurement. */
const weight = 0.2;

/** How long a rest lasts until it is looked again whether callers wait, in milliseconds. */
const lookEveryMs = 5;

/**
 * Leaves CPU to callers that wait for an answer: after each step the batch rests for as long as somebody waits. A rest is
 * bounded, and longer when timers are late: the batch works for a third of the time at least, so that it ends.
 */
export class Pace {
  readonly #isNeeded: () => Promise<boolean>;
  #lateMs = 0;

  /** @param isNeeded whether others need the machine now. */
  constructor(isNeeded: () => Promise<boolean>) {
    this.#isNeeded = isNeeded;
  }

  /** @param workedMs how long the step took. */
  async rest(workedMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + workedMs * this.share;
    while (performance.now() < until && (await this.#isNeeded())) {
      const from = performance.now();
      await sleep(lookEveryMs, undefined, { signal });
      const lateMs = Math.max(0, performance.now() - from - lookEveryMs);
      this.#lateMs += (lateMs - this.#lateMs) * weight;
    }
  }

  /** In times of a step. */
  get share(): number {
    const busy = Math.min(1, this.#lateMs / busyLateMs);
    return shares.least + (shares.most - shares.least) * busy;
  }
}
