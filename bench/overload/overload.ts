import { median } from '../rig/comparison.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { ask, startChild, type BenchChild } from '../rig/children.ts';
import type { Measured } from '../rig/closed-loop.ts';
import type { Arrival, OpenLoad } from './open-loop.ts';
import { startBenchStack, takeToken, type BenchStack } from '../rig/stack.ts';
import type { OverloadReport } from './overload-generator.ts';
import { table } from '../rig/table.ts';

/** Four times the charges that can be carried: what becomes of those that are accepted, and how soon it is over. */
export const benchmarkOverload: Benchmark = {
  summary: 'charges at full load, at four times that, and after it',
  run: benchmark,
};

/** In flight when the carrying capacity is measured. */
const closedInFlight = 32;
const overloadFactor = 4;
/** Of what can be carried, after the overload. */
const afterwardsFactor = 0.7;
/** The service has to be itself again within 5 s. */
const afterwardsSeconds = 10;

interface Phase {
  offeredPerSecond: number;
  acceptedPerSecond: number;
  shedPart: number;
  p50Ms: number;
  p99Ms: number;
  /** Of those that were turned away. */
  shedP99Ms: number;
  /** Answers that are neither 201 nor 503. */
  others: number;
}

interface Round {
  capacity: Measured;
  full: Phase;
  over: Phase;
  afterwards: Phase;
  /** From the end of the overload until the last charge that was turned away or slower than at full load. */
  recoveredAfterSeconds: number;
}

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const stack = await startBenchStack(context, { RATE_LIMIT_RPS: '1000000', RATE_LIMIT_BURST: '1000000' });
  try {
    const generator = await startChild('overload/overload-generator.ts', process.env);
    context.signal.addEventListener('abort', () => void generator.stop());
    try {
      await warmUp(stack, generator);
      const rounds: Round[] = [];
      for (let number = 1; number <= context.rounds; number += 1) {
        const round = await runRound(stack, generator, context.seconds);
        rounds.push(round);
        context.say(`round ${number} of ${context.rounds}: ${describe(round)}`);
      }
      const figures = [
        {
          what: 'p99 of charges at four times the load, over that at full load',
          measured: median(rounds.map(ratioOf)),
          aim: { atMost: 2 },
        },
        {
          what: 's until all is as before the overload',
          measured: median(rounds.map(({ recoveredAfterSeconds }) => recoveredAfterSeconds)),
          aim: { atMost: 5 },
        },
      ];
      return { text: asText(rounds, context), data: { rounds: rounds.map(withRatio) }, figures };
    } finally {
      await generator.stop();
    }
  } finally {
    await stack.stop();
  }
}

const warmUp = (stack: BenchStack, generator: BenchChild) =>
  measureClosed(stack, generator, { inFlight: 8, until: { seconds: 5 } });

async function runRound(stack: BenchStack, generator: BenchChild, seconds: number): Promise<Round> {
  const capacity = await measureClosed(stack, generator, { inFlight: closedInFlight, until: { seconds } });
  const carried = capacity.calls / capacity.seconds;
  const full = await sendOpen(stack, generator, { perSecond: carried, seconds: 2 * seconds });
  const over = await sendOpen(stack, generator, {
    perSecond: carried * overloadFactor,
    seconds: 2 * seconds,
  });
  const after = { perSecond: carried * afterwardsFactor, seconds: afterwardsSeconds };
  const afterwards = await sendOpen(stack, generator, after);
  const fullPhase = phaseOf(full, carried, 2 * seconds);
  return {
    capacity,
    full: fullPhase,
    over: phaseOf(over, carried * overloadFactor, 2 * seconds),
    afterwards: phaseOf(afterwards, after.perSecond, after.seconds),
    recoveredAfterSeconds: recoveryOf(afterwards, fullPhase.p99Ms),
  };
}

async function measureClosed(
  stack: BenchStack,
  generator: BenchChild,
  closed: { inFlight: number; until: { seconds: number } },
): Promise<Measured> {
  const report = await ask<OverloadReport>(generator, { ...(await callee(stack)), closed });
  if (!('measured' in report)) throw new Error(JSON.stringify(report));
  return report.measured;
}

async function sendOpen(stack: BenchStack, generator: BenchChild, open: OpenLoad): Promise<Arrival[]> {
  const report = await ask<OverloadReport>(generator, { ...(await callee(stack)), open });
  if (!('arrivals' in report)) throw new Error(JSON.stringify(report));
  return report.arrivals;
}

const callee = async (stack: BenchStack) => ({ url: stack.apiUrl, token: await takeToken(stack) });

function phaseOf(arrivals: Arrival[], offeredPerSecond: number, seconds: number): Phase {
  const latencies = (status: number) =>
    arrivals
      .filter((arrival) => arrival.status === status)
      .map(({ latencyMs }) => latencyMs)
      .toSorted((a, b) => a - b);
  const [accepted, shed] = [latencies(201), latencies(503)];
  return {
    offeredPerSecond,
    acceptedPerSecond: accepted.length / seconds,
    shedPart: shed.length / arrivals.length,
    p50Ms: quantile(accepted, 0.5),
    p99Ms: quantile(accepted, 0.99),
    shedP99Ms: quantile(shed, 0.99),
    others: arrivals.length - accepted.length - shed.length,
  };
}

function recoveryOf(afterwards: Arrival[], fullP99Ms: number): number {
  const bad = afterwards.filter(({ status, latencyMs }) => status !== 201 || latencyMs > fullP99Ms);
  return Math.max(0, ...bad.map(({ atMs }) => atMs)) / 1_000;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

const ratioOf = ({ full, over }: Round) => over.p99Ms / full.p99Ms;
const withRatio = (round: Round) => ({ ...round, p99Ratio: ratioOf(round) });

function describe(round: Round): string {
  const { full, over, recoveredAfterSeconds } = round;
  return (
    `full load ${full.acceptedPerSecond.toFixed(1)}/s with p99 ${full.p99Ms.toFixed(0)} ms; ` +
    `four times that: ${over.acceptedPerSecond.toFixed(1)}/s with p99 ${over.p99Ms.toFixed(0)} ms ` +
    `(ratio ${ratioOf(round).toFixed(2)}); recovered after ${recoveredAfterSeconds.toFixed(1)} s`
  );
}

function asText(rounds: Round[], { seconds }: BenchmarkContext): string {
  const rows = (['full', 'over', 'afterwards'] as const).map((name) => {
    const of = (figure: keyof Phase) => median(rounds.map((round) => round[name][figure]));
    return [
      { full: 'full load', over: 'four times that', afterwards: 'afterwards' }[name],
      of('offeredPerSecond').toFixed(1),
      of('acceptedPerSecond').toFixed(1),
      `${(of('shedPart') * 100).toFixed(1)} %`,
      of('p50Ms').toFixed(0),
      of('p99Ms').toFixed(0),
      of('shedP99Ms').toFixed(0),
      of('others').toFixed(0),
    ];
  });
  const head = ['phase', 'offered/s', '201/s', '503', 'p50 ms', 'p99 ms', '503 p99 ms', 'others'];
  return `
Carried with ${closedInFlight} in flight: ${median(rounds.map(({ capacity }) => capacity.calls / capacity.seconds)).toFixed(1)}/s. Medians of ${rounds.length} rounds; phases of ${2 * seconds} s, ${2 * seconds} s and ${afterwardsSeconds} s.

${table([head, ...rows])}
p99 of accepted charges at four times the load, over p99 at full load: ${median(rounds.map(ratioOf)).toFixed(2)} (aim: 2 at most)
Last charge turned away, or slower than at full load, after the overload: ${median(rounds.map(({ recoveredAfterSeconds }) => recoveredAfterSeconds)).toFixed(1)} s (aim: 5 s at most)
`.trimStart();
}
