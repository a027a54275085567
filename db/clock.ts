import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './knex.ts';

/**
 * The clock of the service is that of Postgres. Each process follows it, so its times are right even if the
 * clock of its machine is wrong. Between two reads of Postgres it adds the time of the monotonic
 * clock. Before the first read it uses the machine's own clock.
 */

/** The time at which the monotonic clock was 0, in milliseconds since 1970. */
let originMs = Date.now() - performance.now();

/** The time stands still here until the corrected clock has reached it. */
let notBeforeMs = 0;

/**
 * Returns the service's time in milliseconds since 1970. A correction of less than two seconds never turns it back: what a
 * process does later has no earlier time.
 */
export function currentTimeMs(): number {
  return Math.max(notBeforeMs, Math.floor(originMs + performance.now()));
}

/** Returns the service's time. */
export function currentTime(): Date {
  return new Date(currentTimeMs());
}

/** Returns how far the clock of this machine is ahead of the service's, in milliseconds. */
export function clockSkewMs(): number {
  return Date.now() - currentTimeMs();
}

/** A correction of less than this never turns the time back, in milliseconds. */
const smallMs = 2_000;

/**
 * Reads the clock of Postgres once, and corrects the process's clock by no more than the read proves: Postgres looked at its
 * clock at some moment between the question and the answer. So a slow read cannot make a right clock wrong, and makes a wrong
 * one as right as it can.
 */
export async function setClock(db: Database): Promise<void> {
  const askedAt = performance.now();
  const { rows } = await db.raw<{ rows: { ms: number }[] }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const answeredAt = performance.now();
  const { ms } = rows[0]!;
  const correctedMs = Math.min(ms - askedAt, Math.max(ms - answeredAt, originMs));
  const aheadMs = originMs - correctedMs;
  if (aheadMs > 0) notBeforeMs = aheadMs < smallMs ? currentTimeMs() : 0;
  originMs = correctedMs;
}

/** Milliseconds between two reads. A machine's clock drifts by less than a millisecond in this time. */
const readEveryMs = 10_000;

/** A larger skew is logged, in milliseconds. */
const warnAboveMs = 1_000;

/** Receives the warning of a skew. */
export interface ClockLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps the clock of this process right until it is stopped. Resolves after the first read, also if that read failed.
 *
 * @returns a function that stops it.
 */
export async function keepClock(db: Database, log: ClockLog): Promise<() => void> {
  const stopped = new AbortController();
  const read = () =>
    setClock(db).catch((error: unknown) =>
      log.warn({ err: error }, 'the clock of Postgres could not be read'),
    );
  await read();
  const skewMs = clockSkewMs();
  if (Math.abs(skewMs) > warnAboveMs) {
    log.warn(
      { skew_ms: Math.round(skewMs) },
      'the clock of this machine is wrong: Postgres is followed instead',
    );
  }
  void (async () => {
    while (!stopped.signal.aborted) {
      await sleep(readEveryMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
      if (!stopped.signal.aborted) await read();
    }
  })();
  return () => stopped.abort();
}
