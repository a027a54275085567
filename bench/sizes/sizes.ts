import { setTimeout as sleep } from 'node:timers/promises';
import { withProgress } from '#local/processes/progress.ts';
import type { Stack } from '#local/stack.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from '../rig/benchmark.ts';
import { ask, type BenchChild } from '../rig/children.ts';
import { listPids, watchCpu } from '../rig/cpu-time.ts';
import { requireDurability } from '../rig/durability.ts';
import type { OpenOrder, OpenReport } from '../rig/load-generator.ts';
import type { Arrival, OpenLoad } from '../rig/open-loop.ts';
import { residentMib } from '../rig/resident.ts';
import { raisedRates, takeToken, withStack } from '../rig/stack.ts';
import { quantile } from '../rig/statistics.ts';
import {
  describeMeasured,
  isReached,
  rates,
  sizesAsText,
  sizesFigures,
  stackParts,
  wayNames,
  type Measured,
  type Round,
  type Way,
} from './sizes-report.ts';

/** What a deployment takes at a given rate of charges, with the full server of Temporal. */
export const benchmarkSizes: Benchmark = {
  summary: 'cores and memory of each process at given rates of charges, in both ways of a charge',
  defaultSeconds: 60,
  run: benchmark,
};

const settings: Record<Way, NodeJS.ProcessEnv> = {
  workflow: {},
  inline: { CHARGE_EXECUTION: 'inline' },
};

/** As the image runs it: with its log of requests, and with Temporal's store in Postgres. */
const deployed = () => ({
  TEMPORAL_STORE: process.env['TEMPORAL_STORE'] ?? 'postgres',
  NODE_ENV: 'production',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  // The limit of writes in flight stays: a rate that is too high is turned away, so that no queue grows for good.
  ...raisedRates,
});

/** Code is compiled, and connections are made, within this time at the rate itself. */
const warmUpSeconds = 5;

/** Runs that close and their last transactions must not count for the next rate. */
const pauseMs = 1_000;
const sampleEveryMs = 2_000;
const sayEveryMs = 10_000;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const rounds = await runRounds(context, () => measureRound(context), describeRound);
  return { text: sizesAsText(rounds, context.seconds), data: { rounds }, figures: sizesFigures(rounds) };
}

const describeRound = (round: Round) =>
  round.every(isReached) ? 'each rate was reached' : 'not every rate was reached';

/** Each way has a new stack, and its rates rise: what memory a process holds is not left from a higher rate. */
async function measureRound(context: BenchmarkContext): Promise<Round> {
  const round: Round = [];
  for (const way of wayNames) {
    const env = { ...deployed(), ...settings[way] };
    await withStack(context, env, async ({ stack, startChild, openDatabase }) => {
      await requireDurability(openDatabase());
      const generator = await startChild('rig/load-generator.ts', stack.env);
      for (const perSecond of rates[way]) {
        const measured = await measureRate({ context, stack, generator, way, perSecond });
        context.say(describeMeasured(measured));
        round.push(measured);
      }
    });
  }
  return round;
}

interface Measurement {
  context: BenchmarkContext;
  stack: Stack;
  generator: BenchChild;
  way: Way;
  perSecond: number;
}

async function measureRate({ context, stack, generator, way, perSecond }: Measurement): Promise<Measured> {
  const { signal, seconds, say } = context;
  const what = `${way}, ${perSecond} a second`;
  const send = async (open: OpenLoad) => {
    const order: OpenOrder = { send: 'charges', urls: [stack.apiUrl], token: await takeToken(stack), open };
    return (await ask<OpenReport>(generator, order)).arrivals;
  };
  await withProgress(
    () => `${what}: warming up`,
    say,
    () => send({ perSecond, seconds: warmUpSeconds }),
  );
  await sleep(pauseMs, undefined, { signal });
  const memory = watchMemory(stack, (atSeconds) => say(`${what}: second ${atSeconds} of ${seconds}`));
  const endWatch = watchCpu({ ...listPids(stack, stackParts), 'load generator': [generator.pid] });
  const began = performance.now();
  const arrivals = await send({ perSecond, seconds }).finally(() => memory.end());
  const tookMs = performance.now() - began;
  signal.throwIfAborted();
  return {
    way,
    perSecond,
    ...summarize(arrivals, seconds),
    tookSeconds: tookMs / 1_000,
    cores: endWatch(tookMs),
    mostMib: memory.most,
  };
}

/** Charges that were answered after the end of the load do not count as reached: a queue has grown. */
function summarize(arrivals: readonly Arrival[], seconds: number) {
  const made = arrivals.filter(({ status }) => status === 201);
  const inTime = made.filter(({ atMs, latencyMs }) => atMs + latencyMs <= seconds * 1_000);
  const latencies = made.map(({ latencyMs }) => latencyMs);
  return {
    reachedPerSecond: inTime.length / seconds,
    charges: made.length,
    errors: arrivals.length - made.length,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** Looks at the memory of each part until its end, and tells how far the load is. */
function watchMemory(stack: Stack, tell: (atSeconds: number) => void) {
  const most: Measured['mostMib'] = {};
  const began = performance.now();
  let toldMs = 0;
  const look = () => {
    // NaN where it cannot be read: then there is no figure.
    for (const part of stackParts) {
      const mib = residentMib(stack.pid(part));
      if (mib > 0) most[part] = Math.max(most[part] ?? 0, mib);
    }
    const atMs = performance.now() - began;
    if (atMs - toldMs < sayEveryMs) return;
    toldMs = atMs;
    tell(Math.round(atMs / 1_000));
  };
  const timer = setInterval(look, sampleEveryMs);
  return {
    most,
    end() {
      clearInterval(timer);
      look();
    },
  };
}
