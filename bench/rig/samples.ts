import type { BenchChild } from './children.ts';
import { ask } from './children.ts';
import { watchCpu, type CpuTimes, type Pids } from './cpu-time.ts';
import type { Load } from './closed-loop.ts';
import type { ClosedOrder, ClosedReport } from './load-generator.ts';
import { median } from './statistics.ts';

/** One measurement of one side. */
export interface Sample<Name extends string = string> {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of a call, by process. (ms) */
  cpuMs: CpuTimes<Name>;
  /** Charges that the API turned away, and that were sent again. */
  turnedAway: number;
}

/**
 * Has the load generator make calls, or a process that calls itself. Measures them, and the CPU time of processes
 * meanwhile.
 */
export async function measure<Name extends string = never>(
  generator: BenchChild,
  order: ClosedOrder | { load: Load },
  pids: Pids<Name> = {} as Pids<Name>,
): Promise<Sample<Name>> {
  const endWatch = watchCpu(pids);
  const { measured, calls, turnedAway } = await ask<ClosedReport>(generator, order);
  return {
    perSecond: measured.calls / measured.seconds,
    p50Ms: measured.p50Ms,
    p99Ms: measured.p99Ms,
    cpuMs: endWatch(calls),
    turnedAway,
  };
}

export const speedHead = (name: string) => [`${name}/s`, 'p50 ms', 'p99 ms'];

/** Formats the medians of throughput and times. */
export function formatSpeed(
  samples: readonly Pick<Sample, 'perSecond' | 'p50Ms' | 'p99Ms'>[],
  digits: { rate: number; ms: number },
): string[] {
  return [
    median(samples.map(({ perSecond }) => perSecond)).toFixed(digits.rate),
    median(samples.map(({ p50Ms }) => p50Ms)).toFixed(digits.ms),
    median(samples.map(({ p99Ms }) => p99Ms)).toFixed(digits.ms),
  ];
}

/** Formats the median CPU time of a process. A dash means that it could not be read. */
export function formatCpu<Name extends string>(
  samples: readonly { cpuMs: CpuTimes<Name> }[],
  name: Name,
  digits: number,
): string {
  const values = samples.flatMap(({ cpuMs }) => cpuMs[name] ?? []);
  return values.length > 0 ? median(values).toFixed(digits) : '–';
}
