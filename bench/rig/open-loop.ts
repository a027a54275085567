import { setTimeout as sleep } from 'node:timers/promises';

/** A load that sends so many requests a second, whatever becomes of those before. */
export interface OpenLoad {
  perSecond: number;
  seconds: number;
}

/** One answer. */
export interface Arrival {
  /** When it was to be sent, in milliseconds from the beginning of the load. */
  atMs: number;
  /** From then on until the answer was read. */
  latencyMs: number;
  /** 0: there was no answer. */
  status: number;
}

/** Sends the load, evenly spread, and waits for every answer. */
export async function sendOpenLoad(
  { perSecond, seconds }: OpenLoad,
  send: () => Promise<number>,
): Promise<Arrival[]> {
  const began = performance.now();
  const arrivals: Promise<Arrival>[] = [];
  const count = Math.round(perSecond * seconds);
  while (arrivals.length < count) {
    // Requests that a late timer held up are sent at once, and their wait counts.
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1_000) * perSecond) + 1);
    while (arrivals.length < due) {
      const atMs = (arrivals.length / perSecond) * 1_000;
      arrivals.push(send().then((status) => ({ atMs, latencyMs: performance.now() - began - atMs, status })));
    }
    await sleep(2);
  }
  return Promise.all(arrivals);
}
