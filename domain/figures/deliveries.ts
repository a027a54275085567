import { startOfMinute } from './steps.ts';

/** Figures of deliveries: what became of the attempts at an endpoint in each step of time, and how long they took. */

/** What figures need of an attempt. */
export interface CountedAttempt {
  endpointId: string;
  /** When it began. */
  at: Date;
  /** `null`: there was no answer. */
  statusCode: number | null;
  latencyMs: number;
  /** `null`: delivered. */
  error: string | null;
}

/** Attempts of one endpoint, minute, result and latency step. */
export interface AttemptCount {
  endpointId: string;
  /** The minute's beginning. */
  at: Date;
  /** `delivered`, the status of the answer (`500`), or why there was none (`timed_out`). */
  result: string;
  latencyStep: number;
  count: number;
}

/** Returns the key of an attempt's figure, with a count of 1. */
export function toAttemptCount({
  endpointId,
  at,
  statusCode,
  latencyMs,
  error,
}: CountedAttempt): AttemptCount {
  return {
    endpointId,
    at: startOfMinute(at.getTime()),
    result: error === null ? 'delivered' : statusCode === null ? error : String(statusCode),
    latencyStep: Math.ceil(2 * Math.log2(Math.max(1, latencyMs))),
    count: 1,
  };
}

/** Adds up counts with one key, in the order of their keys: two writers then wait for each other in one order. */
export function addUp(counts: readonly AttemptCount[]): AttemptCount[] {
  const sums = new Map<string, AttemptCount>();
  for (const one of counts) {
    const key = `${one.endpointId} ${one.at.getTime()} ${one.result} ${one.latencyStep}`;
    const sum = sums.get(key);
    if (sum) sum.count += one.count;
    else sums.set(key, { ...one });
  }
  return [...sums.keys()].toSorted().map((key) => sums.get(key)!);
}

/** Returns the latency that a latency step stands for, in milliseconds: at most 19 % above the true one or below it. */
export function toLatencyMs(latencyStep: number): number {
  return Math.round(2 ** ((latencyStep - 0.5) / 2));
}

/** A step's attempts at one endpoint. */
export interface DeliveryFigure {
  at: Date;
  endpointId: string;
  /** How many had each result. */
  results: Readonly<Record<string, number>>;
  /** The latency steps that half of the attempts, and 95 % of them, stay within. */
  p50: number;
  p95: number;
}
