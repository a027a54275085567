/** The size of a token bucket, and how fast it fills. */
export interface Budget {
  perSecond: number;
  burst: number;
  /** How many keys have a bucket of their own at once. */
  maxKeys?: number;
}

/** How often a full table is searched for buckets that are full again, in milliseconds. */
const sweepMs = 1_000;

/** The key of the bucket that new keys share while the table is full. */
const newcomers = Symbol('newcomers');

/**
 * A token bucket for each key, in the memory of this process. A bucket that has not filled up is never forgotten: nobody
 * gets a new one by a flood of other keys. While the table is full of such buckets, all new keys share one.
 */
export class KeyBudgets {
  readonly #msPerToken: number;
  readonly #burst: number;
  readonly #maxKeys: number;
  /** When the bucket of a key will be full again. */
  readonly #fullAt = new Map<string | symbol, number>();
  #sweptAt = -Infinity;

  constructor({ perSecond, burst, maxKeys = 100_000 }: Budget) {
    this.#msPerToken = 1_000 / perSecond;
    this.#burst = burst;
    this.#maxKeys = maxKeys;
  }

  /** Returns the milliseconds until the key may spend `cost` tokens; 0 if it may now. */
  waitMs(key: string, cost = 1): number {
    const now = performance.now();
    const fullAt = this.#fullAt.get(this.#find(key, now)) ?? 0;
    return Math.max(0, fullAt - now - (this.#burst - cost) * this.#msPerToken);
  }

  /** Spends tokens. Concurrent callers may overdraw, by one bucket at most. */
  spend(key: string, cost = 1): void {
    const now = performance.now();
    const found = this.#find(key, now);
    const fullAt = Math.max(now, this.#fullAt.get(found) ?? 0) + cost * this.#msPerToken;
    this.#fullAt.set(found, Math.min(fullAt, now + 2 * this.#burst * this.#msPerToken));
  }

  /** Returns the key, or the shared one if the table has no room for it. */
  #find(key: string, now: number): string | symbol {
    return this.#fullAt.has(key) || this.#hasRoom(now) ? key : newcomers;
  }

  #hasRoom(now: number): boolean {
    if (this.#fullAt.size >= this.#maxKeys && now - this.#sweptAt >= sweepMs) this.#sweep(now);
    return this.#fullAt.size < this.#maxKeys;
  }

  /** Forgets the buckets that are full: a key without one has a full one. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(key);
  }
}
