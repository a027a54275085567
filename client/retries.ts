/**
 * When a request is worth sending again, and how long to wait before (contract, Limits: clients honour
 * Retry-After and back off with jitter).
 */

/** An answer as it came; nothing where the connection failed. */
export interface Outcome {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number;
  /** Bounds of the exponential back-off, in milliseconds. */
  baseMs: number;
  capMs: number;
  /** Longest Retry-After that is waited for, in milliseconds. */
  patienceMs: number;
  /** From 0 to 1, 1 excluded. */
  random: () => number;
}

export const standardPolicy: RetryPolicy = {
  retries: 5,
  baseMs: 200,
  capMs: 8_000,
  patienceMs: 60_000,
  random: Math.random,
};

/** Nothing happened, or the same key leads to what did. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Whether the request is worth repeating after this outcome.
 *
 * @param isRepeatable whether a repeat does no harm if the first did something. It does where the request is
 *   conditional: it would be told 412 for its own change.
 */
export function isWorthRepeating(outcome: Outcome | null, isRepeatable: boolean): boolean {
  if (outcome === null) return isRepeatable;
  const { status, headers, body } = outcome;
  // What is stored for the key is its answer for good.
  if (headers.get('idempotent-replayed') === 'true') return false;
  const code = (body as { code?: unknown } | null)?.code;
  if (status === 409) return code === 'idempotency_key_in_progress';
  if (status === 502 || status === 504 || code === 'outcome_unknown') return isRepeatable;
  return transient.has(status);
}

/**
 * Milliseconds to wait before attempt number `attempt` + 1, the first attempt being 0: what the service asks for,
 * and on top a random part of an exponentially growing bound, so that callers who failed together do not come back
 * together. `null`: longer than the policy waits.
 */
export function waitMs(policy: RetryPolicy, attempt: number, outcome: Outcome | null): number | null {
  const asked = retryAfterMs(outcome?.headers.get('retry-after') ?? null);
  if (asked > policy.patienceMs) return null;
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
  return asked + policy.random() * bound;
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
