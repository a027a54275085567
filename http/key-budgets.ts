import { LRUCache } from 'lru-cache';

/**
 * A token bucket for each key, in the memory of this process. If there are too many keys, the one that spent least recently
 * is forgotten.
 */
export class KeyBudgets {
  readonly #msPerToken: number;
  readonly #burst: number;
  /** When the bucket of a key will be full again. */
  readonly #fullAt: LRUCache<string, number>;

  constructor({
    perSecond,
    burst,
    maxKeys = 10_000,
  }: {
    perSecond: number;
    burst: number;
    maxKeys?: number;
  }) {
    this.#msPerToken = 1_000 / perSecond;
    this.#burst = burst;
    this.#fullAt = new LRUCache({ max: maxKeys });
  }

  /** Returns the milliseconds until the key may spend again; 0 if it may now. */
  waitMs(key: string): number {
    const fullAt = this.#fullAt.peek(key) ?? 0;
    return Math.max(0, fullAt - performance.now() - (this.#burst - 1) * this.#msPerToken);
  }

  /** Spends a token. Concurrent callers may overdraw, by one bucket at most. */
  spend(key: string): void {
    const now = performance.now();
    const fullAt = Math.max(now, this.#fullAt.peek(key) ?? 0) + this.#msPerToken;
    this.#fullAt.set(key, Math.min(fullAt, now + 2 * this.#burst * this.#msPerToken));
  }
}
