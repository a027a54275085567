import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './knex.ts';

/**
 * The clock of the service is that of Postgres. Each process keeps it: the times it writes, signs and compares are
 * right also where the clock of its own machine is wrong. Between two looks at Postgres it counts on the monotonic
 * clock, which nobody sets. Until the first look it is the machine's own clock.
 */

/** What the time was when the monotonic clock stood at 0, in milliseconds since 1970. */
let originMs = Date.now() - performance.now();

/** Milliseconds since 1970. */
export function currentTimeMs(): number {
  return Math.floor(originMs + performance.now());
}

export function currentTime(): Date {
  return new Date(currentTimeMs());
}

/** How far the clock of this machine is ahead of the service's, in milliseconds. */
export function clockSkewMs(): number {
  return Date.now() - currentTimeMs();
}

/** A look that took longer than this says too little about the time. */
const slowLookMs = 2_000;

/**
 * Looks at Postgres' clock once. What its answer cannot tell from the time taken to ask changes nothing, so that
 * the clock does not jump back and forth.
 */
export async function setClock(db: Database): Promise<void> {
  const askedAt = performance.now();
  const { rows } = await db.raw<{ rows: { ms: number }[] }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const answeredAt = performance.now();
  const doubtMs = (answeredAt - askedAt) / 2;
  if (doubtMs * 2 > slowLookMs) return;
  const seenMs = rows[0]!.ms - (askedAt + doubtMs);
  if (Math.abs(seenMs - originMs) > doubtMs) originMs = seenMs;
}

/** As often the clock is looked at: a machine's crystal is off by less than a millisecond in this time. */
const lookEveryMs = 10_000;

/** A skew above this is told to whoever operates the machine, in milliseconds. */
const tellAboveMs = 1_000;

/** Where a skew is told of. */
export interface ClockLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps the clock of this process until it is stopped. Resolves after the first look, which fails where Postgres is
 * away: it is then looked for again.
 *
 * @returns what stops it.
 */
export async function keepClock(db: Database, log: ClockLog): Promise<() => void> {
  const stopped = new AbortController();
  const look = () =>
    setClock(db).catch((error: unknown) =>
      log.warn({ err: error }, 'the clock of Postgres could not be read'),
    );
  await look();
  const skewMs = clockSkewMs();
  if (Math.abs(skewMs) > tellAboveMs) {
    log.warn(
      { skew_ms: Math.round(skewMs) },
      'the clock of this machine is wrong: Postgres is followed instead',
    );
  }
  void (async () => {
    while (!stopped.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
      if (!stopped.signal.aborted) await look();
    }
  })();
  return () => stopped.abort();
}
