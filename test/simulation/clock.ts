/** The time of a simulation: it moves only where the world moves it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** The moment at which every simulation begins. */
export const beginMs = Date.UTC(2026, 10, 23, 12);

/**
 * Has the clock of this process stand at the simulated time while `work` runs. `db/clock.ts` follows Postgres by this
 * monotonic clock, so no time of the machine enters a row, an answer or a trace.
 */
export async function withClock<Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> {
  const own = Object.getOwnPropertyDescriptor(performance, 'now');
  Object.defineProperty(performance, 'now', { value: () => clock.nowMs, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    if (own) Object.defineProperty(performance, 'now', own);
    else Reflect.deleteProperty(performance, 'now');
  }
}
