import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `probe` returns something truthy, looking every 25 ms, and returns it.
 *
 * @throws after `withinMs`, naming what was waited for and the last thing seen.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T> | T,
  withinMs = 10_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + withinMs;
  let seen: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value as NonNullable<Exclude<T, false>>;
      seen = value;
    } catch (error) {
      seen = error;
    }
    if (Date.now() > deadline)
      throw new Error(`${what}: not within ${withinMs} ms; last seen: ${String(seen)}`);
    await sleep(25);
  }
}
