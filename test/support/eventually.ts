import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks: a tenth of the time waited so far, within these bounds. */
const soonest = 10;
const latest = 100;

/**
 * Waits until `probe` returns something truthy, and returns it. It looks ever less often: a probe costs the processor
 * time that whatever is waited for needs.
 *
 * @throws after `withinMs`, naming what was waited for and the last thing seen.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T> | T,
  withinMs = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const began = Date.now();
  let seen: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value as NonNullable<Exclude<T, false>>;
      seen = value;
    } catch (error) {
      seen = error;
    }
    const waited = Date.now() - began;
    if (waited > withinMs) throw new Error(`${what}: not within ${withinMs} ms; last seen: ${String(seen)}`);
    await sleep(Math.min(latest, Math.max(soonest, waited / 10)));
  }
}
