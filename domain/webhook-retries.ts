/**
 * When a delivery is tried again (decisions, WebhookEndpoint).
 */

/** Each wait is this much longer or shorter, so that what failed together does not come back together. */
const jitter = 0.2;

/** A receiver that fails is looked at this often at least, whatever the schedule of what waits for it. */
const longestParkMs = 3_600_000;

export interface FailedAttempt {
  deliveryId: string;
  /** How many were made, this one included. */
  attempts: number;
  /** What the receiver asked for. */
  retryAfterMs: number | null;
}

/**
 * The wait until the next attempt; `null`: that was the last.
 *
 * The jitter follows from delivery and attempt, so that who computes it twice gets one answer. A `Retry-After` makes
 * the wait longer, up to the schedule's step after the next, and never shorter.
 *
 * @param scheduleMs the wait before each attempt, the first included.
 */
export function retryDelayMs(scheduleMs: readonly number[], failed: FailedAttempt): number | null {
  const { deliveryId, attempts, retryAfterMs } = failed;
  const step = scheduleMs[attempts];
  if (step === undefined) return null;
  const waitMs = Math.round(step * jitterOf(`${deliveryId}/${attempts}`));
  const longestMs = Math.max(step, scheduleMs[attempts + 1] ?? step);
  return Math.max(waitMs, Math.min(retryAfterMs ?? 0, longestMs));
}

/** How long an endpoint is left alone whose delivery waits for `retryMs`; `null`: it waits no more. */
export function parkMs(scheduleMs: readonly number[], retryMs: number | null): number {
  return Math.min(retryMs ?? scheduleMs.at(-1) ?? 0, longestParkMs);
}

/** Between 0.8 and 1.2: FNV-1a over the text, which spreads what differs by a letter. */
function jitterOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The last letters reach the high bits only by another round.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return 1 - jitter + (2 * jitter * ((hash ^ (hash >>> 13)) >>> 0)) / 0xffffffff;
}
