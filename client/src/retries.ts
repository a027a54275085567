import type { Answer } from './calls.ts';

/** Decides whether a request is sent again, and when. */

/** How long to wait between attempts, in milliseconds. */
export interface Backoff {
  /** The bound of the first wait; it doubles with each attempt. */
  baseMs: number;
  /** The bound that it never exceeds. */
  capMs: number;
  /** The longest Retry-After to wait for. */
  patienceMs: number;
}

export const standardBackoff: Backoff = { baseMs: 200, capMs: 8_000, patienceMs: 60_000 };

/** The parts of a request that the decision depends on. */
export interface Sent {
  method: string;
  hasKey: boolean;
  /** With `If-Match`. */
  isConditional: boolean;
}

/** Statuses that say: nothing was done, come again. */
const transient: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns whether the same request can lead to another answer.
 *
 * @param answer `null`: none came.
 */
export function isWorthRepeating(answer: Answer | null, sent: Sent): boolean {
  // The stored answer of a key never changes.
  if (answer?.headers.isReplay) return false;
  // Without a key, a POST could have its effect twice.
  if (!answer || isLost(answer)) return sent.hasKey || sent.method !== 'POST';
  if (answer.status === 409) return codeIn(answer) === 'idempotency_key_in_progress';
  return transient.has(answer.status);
}

/** Returns whether the request may have had its effect, although its success is not known. */
export function isLost(answer: Answer | null): boolean {
  if (!answer) return true;
  return [500, 502, 504].includes(answer.status) || codeIn(answer) === 'outcome_unknown';
}

/**
 * Returns what an answer means after an earlier one was lost: nothing is left to delete because we deleted it
 * (`success`); what we saw has changed, by us or by somebody else (`unknown`); or what it says (`answer`).
 */
export function judgeAfterLoss({ status }: Answer, sent: Sent): 'answer' | 'success' | 'unknown' {
  if (sent.method === 'DELETE' && (status === 404 || status === 410)) return 'success';
  // The answer to a key is stored: a repeat gets it before the condition is looked at.
  if (status === 412 && sent.isConditional && !sent.hasKey) return 'unknown';
  return 'answer';
}

/**
 * Returns the milliseconds to wait after attempt number `attempt`; the first is 0. They are those of Retry-After, and
 * a random part of an exponentially growing bound, so that callers who failed together do not return together. Returns
 * `null` if Retry-After exceeds the patience.
 */
export function waitMs(
  backoff: Backoff,
  attempt: number,
  answer: Answer | null,
  random: () => number = Math.random,
): number | null {
  const asked = answer?.headers.retryAfterMs ?? 0;
  if (asked > backoff.patienceMs) return null;
  return asked + random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** attempt);
}

function codeIn({ body }: Answer): unknown {
  return (body as { code?: unknown } | null)?.code;
}

/** @throws the reason of the signal, as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
