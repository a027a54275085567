/** Decides when to retry a request, and how long to wait before (contract, Limits). */

/** An answer. */
export interface Outcome {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number;
  /** The bounds of the exponential back-off, in milliseconds. */
  baseMs: number;
  capMs: number;
  /** The longest Retry-After to wait for, in milliseconds. */
  patienceMs: number;
  /** Returns a number from 0 to 1, 1 excluded. */
  random: () => number;
}

export const standardPolicy: RetryPolicy = {
  retries: 5,
  baseMs: 200,
  capMs: 8_000,
  patienceMs: 60_000,
  random: Math.random,
};

/** Statuses after which nothing happened, or the same key leads to the result. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns whether to repeat the request after this outcome.
 *
 * @param isRepeatable whether a repeat is safe if the first request had its effect. A conditional request is not: it
 *   would get 412 for its own change.
 */
export function isWorthRepeating(outcome: Outcome | null, isRepeatable: boolean): boolean {
  if (outcome === null) return isRepeatable;
  const { status, headers, body } = outcome;
  // The stored answer of a key never changes.
  if (headers.get('idempotent-replayed') === 'true') return false;
  const code = (body as { code?: unknown } | null)?.code;
  if (status === 409) return code === 'idempotency_key_in_progress';
  if (status === 502 || status === 504 || code === 'outcome_unknown') return isRepeatable;
  return transient.has(status);
}

/**
 * Returns the milliseconds to wait before attempt number `attempt` + 1; the first attempt is 0. They are those of
 * Retry-After, and a random part of an exponentially growing bound, so that callers who failed together do not return
 * together. Returns `null` if they exceed the policy.
 */
export function waitMs(policy: RetryPolicy, attempt: number, outcome: Outcome | null): number | null {
  const asked = retryAfterMs(outcome?.headers.get('retry-after') ?? null);
  if (asked > policy.patienceMs) return null;
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
  return asked + policy.random() * bound;
}

/** Returns the milliseconds of seconds, or until a date (RFC 9110 §10.2.3). */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
