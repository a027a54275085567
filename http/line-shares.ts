import { LRUCache } from 'lru-cache';

/** How many lines of a log one of those who cause them may have. */
export interface LineShare {
  atOnce: number;
  perSecond: number;
}

interface Held {
  lines: number;
  at: number;
  leftOut: number;
}

/**
 * A share of a log for each of those who cause its lines, in the memory of this process. What is beyond a share is counted.
 * Who was quiet the longest is forgotten first.
 */
export class LineShares {
  readonly #share: LineShare;
  readonly #held: LRUCache<string, Held>;

  constructor(share: LineShare, most = 10_000) {
    this.#share = share;
    this.#held = new LRUCache({ max: most });
  }

  /** Takes a line. Returns how many were left out before it, or `null` if this one is to be left out. */
  take(who: string): number | null {
    const { atOnce, perSecond } = this.#share;
    const now = performance.now();
    const held = this.#held.get(who) ?? { lines: atOnce, at: now, leftOut: 0 };
    this.#held.set(who, held);
    held.lines = Math.min(atOnce, held.lines + ((now - held.at) / 1_000) * perSecond);
    held.at = now;
    if (held.lines < 1) {
      held.leftOut += 1;
      return null;
    }
    held.lines -= 1;
    const { leftOut } = held;
    held.leftOut = 0;
    return leftOut;
  }
}
