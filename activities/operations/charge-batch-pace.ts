import { setTimeout as sleep } from 'node:timers/promises';

/** The longest rest after a step, in milliseconds: some three steps long, so that a batch always comes to its end. */
const longestMs = 60;

/** How long a rest lasts until it is looked again whether somebody waits, in milliseconds. */
const lookEveryMs = 5;

/**
 * Leaves the machine to callers who wait for an answer: after each step, a batch rests for as long as one of them waits.
 *
 * @param isNeeded whether somebody waits now.
 */
export async function restWhileNeeded(isNeeded: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until && (await isNeeded())) await sleep(lookEveryMs, undefined, { signal });
}
