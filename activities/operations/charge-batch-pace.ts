import { setTimeout as sleep } from 'node:timers/promises';

/** How many times a turn's time a batch rests after it: on a machine with nothing else to do, and on a crowded one. */
const shares = { least: 1, most: 2 };

/** A timer that is so much late shows a machine, or a process, with more to do than it can. */
const crowdedLateMs = 8;

/** What a new measurement weighs. */
const weight = 0.2;

/**
 * Keeps a batch out of the way of those who wait for an answer: after each turn it rests, and the longer the later its
 * timers go off. It works for a third of the time at least, so that it ends, and never for more than half: what it could
 * do in that is many times what single charges do.
 */
export class Pace {
  #lateMs = 0;

  /** @param workedMs how long the turn took. */
  async rest(workedMs: number, signal: AbortSignal): Promise<void> {
    const restMs = Math.max(1, workedMs * this.share);
    const from = performance.now();
    await sleep(restMs, undefined, { signal });
    const lateMs = Math.max(0, performance.now() - from - restMs);
    this.#lateMs += (lateMs - this.#lateMs) * weight;
  }

  /** In times of a turn. */
  get share(): number {
    const crowded = Math.min(1, this.#lateMs / crowdedLateMs);
    return shares.least + (shares.most - shares.least) * crowded;
  }
}
