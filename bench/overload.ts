import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { ask, type BenchChild } from './rig/children.ts';
import type { OpenOrder, OpenReport } from './rig/load-generator.ts';
import type { Arrival, OpenLoad } from './rig/open-loop.ts';
import { measure } from './rig/samples.ts';
import { raisedRates, takeToken, withStack } from './rig/stack.ts';
import { median, quantile } from './rig/statistics.ts';
import { table } from './rig/table.ts';
import type { Stack } from '#local/stack.ts';

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

const phaseNames = { full: 'full load', over: 'four times that', afterwards: 'afterwards' };

interface Round extends Record<keyof typeof phaseNames, Phase> {
  /** Charges that can be carried a second. */
  capacity: number;
  /** From the end of the overload until the last charge that was turned away or slower than at full load. */
  recoveredAfterSeconds: number;
}

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedRates, async ({ stack, startChild }) => {
    const generator = await startChild('rig/load-generator.ts');
    await measureCapacity(stack, generator, 8, 5);
    const rounds = await runRounds(context, () => measureRound(stack, generator, context.seconds), describe);
    const figures = [
      {
        what: 'p99 of charges at four times the load, over that at full load',
        measured: median(rounds.map(ratio)),
        aim: { atMost: 2 },
      },
      {
        what: 's until all is as before the overload',
        measured: median(rounds.map(({ recoveredAfterSeconds }) => recoveredAfterSeconds)),
        aim: { atMost: 5 },
      },
    ];
    return { text: asText(rounds, context), data: { rounds }, figures };
  });
}

async function measureRound(stack: Stack, generator: BenchChild, seconds: number): Promise<Round> {
  const capacity = await measureCapacity(stack, generator, closedInFlight, seconds);
  const send = async (open: OpenLoad) => {
    const order: OpenOrder = { send: 'charges', url: stack.apiUrl, token: await takeToken(stack), open };
    const { arrivals } = await ask<OpenReport>(generator, order);
    return { arrivals, phase: toPhase(arrivals, open) };
  };
  const { phase: full } = await send({ perSecond: capacity, seconds: 2 * seconds });
  const { phase: over } = await send({ perSecond: capacity * overloadFactor, seconds: 2 * seconds });
  const after = await send({ perSecond: capacity * afterwardsFactor, seconds: afterwardsSeconds });
  const recoveredAfterSeconds = findRecovery(after.arrivals, full.p99Ms);
  return { capacity, full, over, afterwards: after.phase, recoveredAfterSeconds };
}

async function measureCapacity(
  stack: Stack,
  generator: BenchChild,
  inFlight: number,
  seconds: number,
): Promise<number> {
  const load = { inFlight, until: { seconds } };
  const token = await takeToken(stack);
  const { perSecond } = await measure(generator, { send: 'charges', url: stack.apiUrl, token, load });
  return perSecond;
}

function toPhase(arrivals: Arrival[], { perSecond, seconds }: OpenLoad): Phase {
  const latencies = (status: number) =>
    arrivals.filter((arrival) => arrival.status === status).map(({ latencyMs }) => latencyMs);
  const [accepted, shed] = [latencies(201), latencies(503)];
  return {
    offeredPerSecond: perSecond,
    acceptedPerSecond: accepted.length / seconds,
    shedPart: shed.length / arrivals.length,
    p50Ms: quantile(accepted, 0.5),
    p99Ms: quantile(accepted, 0.99),
    shedP99Ms: quantile(shed, 0.99),
    others: arrivals.length - accepted.length - shed.length,
  };
}

function findRecovery(afterwards: Arrival[], fullP99Ms: number): number {
  const bad = afterwards.filter(({ status, latencyMs }) => status !== 201 || latencyMs > fullP99Ms);
  return Math.max(0, ...bad.map(({ atMs }) => atMs)) / 1_000;
}

const ratio = ({ full, over }: Round) => over.p99Ms / full.p99Ms;

function describe(round: Round): string {
  const { full, over, recoveredAfterSeconds } = round;
  return (
    `full load ${full.acceptedPerSecond.toFixed(1)}/s with p99 ${full.p99Ms.toFixed(0)} ms; ` +
    `four times that: ${over.acceptedPerSecond.toFixed(1)}/s with p99 ${over.p99Ms.toFixed(0)} ms ` +
    `(ratio ${ratio(round).toFixed(2)}); recovered after ${recoveredAfterSeconds.toFixed(1)} s`
  );
}

function asText(rounds: Round[], { seconds }: BenchmarkContext): string {
  const rows = (Object.keys(phaseNames) as (keyof typeof phaseNames)[]).map((name) => {
    const format = (figure: keyof Phase, digits: number) =>
      median(rounds.map((round) => round[name][figure])).toFixed(digits);
    const shed = median(rounds.map((round) => round[name].shedPart)) * 100;
    return [
      phaseNames[name],
      format('offeredPerSecond', 1),
      format('acceptedPerSecond', 1),
      `${shed.toFixed(1)} %`,
      ...(['p50Ms', 'p99Ms', 'shedP99Ms', 'others'] as const).map((figure) => format(figure, 0)),
    ];
  });
  const head = ['phase', 'offered/s', '201/s', '503', 'p50 ms', 'p99 ms', '503 p99 ms', 'others'];
  const recovery = median(rounds.map(({ recoveredAfterSeconds }) => recoveredAfterSeconds));
  return `
Carried with ${closedInFlight} in flight: ${median(rounds.map(({ capacity }) => capacity)).toFixed(1)}/s. Medians of ${rounds.length} rounds; phases of ${2 * seconds} s, ${2 * seconds} s and ${afterwardsSeconds} s.

${table([head, ...rows])}
p99 of accepted charges at four times the load, over p99 at full load: ${median(rounds.map(ratio)).toFixed(2)} (aim: 2 at most)
Last charge turned away, or slower than at full load, after the overload: ${recovery.toFixed(1)} s (aim: 5 s at most)
`.trimStart();
}
