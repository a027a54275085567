import { setTimeout as sleep } from 'node:timers/promises';

/** The rest after a step, in times of the step: on a machine with nothing else to do, and on a busy one. */
const shares = { least: 1, most: 2 };

/** A timer that is so many milliseconds late shows a machine, or a process, with more work than it can do. */
const busyLateMs = 8;

/** The weight of a new measurement. */
const weight = 0.2;

/**
 * Leaves CPU to callers that wait for an answer: after each step the batch rests, and rests longer when its timers are
 * late. It works for a third of the time at least, so that it ends, and for half at most: that is many times the rate of
 * single charges.
 */
export class Pace {
  #lateMs = 0;

  /** @param workedMs how long the step took. */
  async rest(workedMs: number, signal: AbortSignal): Promise<void> {
    const restMs = Math.max(1, workedMs * this.share);
    const from = performance.now();
    await sleep(restMs, undefined, { signal });
    const lateMs = Math.max(0, performance.now() - from - restMs);
    this.#lateMs += (lateMs - this.#lateMs) * weight;
  }

  /** In times of a step. */
  get share(): number {
    const busy = Math.min(1, this.#lateMs / busyLateMs);
    return shares.least + (shares.most - shares.least) * busy;
  }
}
