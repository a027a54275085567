import { quantile } from './statistics.ts';

/** A load that keeps so many calls under way, each followed at once by the next. */
export interface Load {
  inFlight: number;
  /** Ends it: after so many calls, or so long after every place in flight has had its first answer. */
  until: { calls: number } | { seconds: number };
}

/** Measured while the window was open. Calls that were under way at its edges are not counted. */
export interface Measured {
  calls: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Makes the calls of a load.
 *
 * @throws what a call throws, once all others that were under way have ended.
 */
export async function driveLoad(load: Load, call: () => Promise<void>): Promise<Measured> {
  const measuring = openWindow(load);
  const place = async () => {
    while (measuring.takesMore()) {
      const sentAt = performance.now();
      await call();
      measuring.record(performance.now() - sentAt);
    }
  };
  const places = Array.from({ length: load.inFlight }, () =>
    // The others end what they have under way.
    place().catch((error: unknown) => {
      measuring.close();
      throw error;
    }),
  );
  for (const ended of await Promise.allSettled(places)) if (ended.status === 'rejected') throw ended.reason;
  return measuring.close();
}

function openWindow({ inFlight, until }: Load) {
  // A count measures all of its calls; a duration leaves out the first answers, which come late all at once.
  let warmUp = 'seconds' in until ? inFlight : 0;
  let left = 'calls' in until ? until.calls : Infinity;
  let openedAt = 0;
  let closedAt = 0;
  const latencies: number[] = [];

  function open(): void {
    openedAt = performance.now();
    if ('seconds' in until) setTimeout(close, until.seconds * 1_000);
  }

  function close(): Measured {
    if (closedAt === 0) closedAt = performance.now();
    return {
      calls: latencies.length,
      seconds: (closedAt - openedAt) / 1_000,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    };
  }

  function takesMore(): boolean {
    left -= 1;
    return left >= 0 && closedAt === 0;
  }

  function record(latencyMs: number): void {
    if (closedAt !== 0) return;
    if (warmUp === 0) latencies.push(latencyMs);
    else if (--warmUp === 0) open();
  }

  if (warmUp === 0) open();
  return { takesMore, record, close };
}
