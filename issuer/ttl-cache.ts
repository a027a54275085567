/**
 * What was loaded a moment ago, loaded once for all who ask at the same time. Failures are not kept.
 * Bounded: the oldest entry makes room for a new one.
 */
export class TtlCache<Value> {
  readonly #load: (key: string) => Promise<Value>;
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, { value: Promise<Value>; until: number }>();

  constructor(options: { ttlMs: number; maxEntries: number; load: (key: string) => Promise<Value> }) {
    this.#load = options.load;
    this.#ttlMs = options.ttlMs;
    this.#maxEntries = options.maxEntries;
  }

  get(key: string): Promise<Value> {
    const known = this.#entries.get(key);
    if (known && known.until > performance.now()) return known.value;
    this.#entries.delete(key);
    this.#makeRoom();
    const entry = { value: this.#load(key), until: performance.now() + this.#ttlMs };
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  /** Whether it was loaded once, be it out of date; or is being loaded. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  #makeRoom(): void {
    if (this.#entries.size < this.#maxEntries) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
