import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchmarkContext } from './benchmark.ts';
import { carryOut } from './children.ts';
import type { Target } from './load-generator.ts';
import { processorTimes } from './processor-time.ts';
import type { ProcessName, Rig } from './rig.ts';

/** One measurement of one side. */
export interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Charges that the API turned away, and that were sent again. */
  turnedAway: number;
  /** Processor time a call, by process. */
  processorMs: Map<ProcessName, number>;
}

/** A bare measurement and the one of charges that followed it. */
export type Pair = Record<Target, Sample>;

export interface Level {
  inFlight: number;
  pairs: Pair[];
}

/** What the end of a load leaves behind (runs that close, rows that are cleaned) is not the next one's. */
const pauseMs = 500;

/**
 * Measures bare workflows and charges in turns at each level, so that what the machine does meanwhile falls on
 * both alike.
 */
export async function compare(
  rig: Rig,
  { rounds, seconds, say }: BenchmarkContext,
  inFlight: readonly number[],
): Promise<Level[]> {
  const levels: Level[] = inFlight.map((count) => ({ inFlight: count, pairs: [] }));
  for (let round = 1; round <= rounds; round += 1) {
    for (const level of levels) {
      const bare = await measure(rig, 'bare', level.inFlight, seconds);
      const charges = await measure(rig, 'charges', level.inFlight, seconds);
      level.pairs.push({ bare, charges });
      const ratio = charges.perSecond / bare.perSecond;
      say(
        `round ${round} of ${rounds}, ${level.inFlight} in flight: bare ${bare.perSecond.toFixed(1)}/s, ` +
          `charges ${charges.perSecond.toFixed(1)}/s, ratio ${ratio.toFixed(2)}`,
      );
    }
  }
  return levels;
}

async function measure(rig: Rig, target: Target, inFlight: number, seconds: number): Promise<Sample> {
  await sleep(pauseMs);
  let before = processorTimes(rig.pids);
  let after = before;
  const order = { target, load: { inFlight, until: { seconds } }, token: await rig.takeToken() };
  const measured = await carryOut(rig.generator, order, (edge) => {
    if (edge === 'open') before = processorTimes(rig.pids);
    else after = processorTimes(rig.pids);
  });
  const perCall = (name: ProcessName) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / measured.calls;
  return {
    perSecond: measured.calls / measured.seconds,
    p50Ms: measured.p50Ms,
    p99Ms: measured.p99Ms,
    turnedAway: measured.turnedAway,
    processorMs: new Map([...after.keys()].map((name) => [name, perCall(name)])),
  };
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
