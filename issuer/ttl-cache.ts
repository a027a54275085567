import { LRUCache } from 'lru-cache';

/** Values by key, kept for a while; see {@link createTtlCache}. */
export interface TtlCache<Value> {
  /** Returns the value, and loads it first if it is unknown or too old. */
  get(key: string): Promise<Value>;
  /** Returns whether the value was ever loaded and not displaced since, or is being loaded. */
  has(key: string): boolean;
}

/**
 * Creates a cache whose concurrent callers share one load. It keeps no failure. A value's time begins when its load
 * begins, so no value is ever older than `ttlMs`.
 */
export function createTtlCache<Value>(options: {
  ttlMs: number;
  maxEntries: number;
  load: (key: string) => Promise<Value>;
}): TtlCache<Value> {
  const entries = new LRUCache<string, Promise<Value>>({ max: options.maxEntries, ttl: options.ttlMs });
  return {
    get(key) {
      const known = entries.get(key);
      if (known) return known;
      const value = options.load(key);
      entries.set(key, value);
      value.catch(() => entries.peek(key) === value && entries.delete(key));
      return value;
    },
    has: (key) => entries.peek(key, { allowStale: true }) !== undefined,
  };
}
