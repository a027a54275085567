import { cpus, loadavg } from 'node:os';
import type { Part } from '#local/stack.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { carryOut } from './rig/children.ts';
import { median } from './rig/comparison.ts';
import { startRig, type Rig } from './rig/rig.ts';
import { table } from './rig/table.ts';

/** Whether a second worker process is worth anything, or costs something, where both share the machine. */
export const benchmarkScaleOut: Benchmark = {
  summary: 'charges with one worker process and with two, in turns',
  run: benchmark,
};

const levels = [8, 32, 128] as const;
type Level = (typeof levels)[number];

interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** One worker, and two. */
interface Round {
  one: Record<Level, Sample>;
  two: Record<Level, Sample>;
}

/** New code is compiled, and new connections are made, within this time. */
const warmUpSeconds = 3;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const rig = await startRig(context);
  try {
    const rounds: Round[] = [];
    for (let number = 1; number <= context.rounds; number += 1) {
      const round = await runRound(rig, context.seconds);
      rounds.push(round);
      const told = levels.map((level) => `${level} in flight ${ratioOf(round, level).toFixed(2)}`);
      context.say(`round ${number} of ${context.rounds}: two over one: ${told.join(', ')}`);
    }
    const figures = levels.map((level) => ({
      what: `charges a second with two workers over one, ${level} in flight`,
      measured: median(rounds.map((round) => ratioOf(round, level))),
      aim: { atLeast: 1 },
    }));
    return { text: asText(rounds, load), data: { load, rounds }, figures };
  } finally {
    await rig.stop();
  }
}

async function runRound(rig: Rig, seconds: number): Promise<Round> {
  const one = await measureLevels(rig, seconds);
  const second: Part = await rig.stack.addWorker();
  try {
    return { one, two: await measureLevels(rig, seconds) };
  } finally {
    await second.stop(10_000);
  }
}

async function measureLevels(rig: Rig, seconds: number): Promise<Record<Level, Sample>> {
  await measure(rig, 32, warmUpSeconds);
  const samples: Partial<Record<Level, Sample>> = {};
  for (const level of levels) samples[level] = await measure(rig, level, seconds);
  return samples as Record<Level, Sample>;
}

async function measure(rig: Rig, inFlight: number, seconds: number): Promise<Sample> {
  const token = await rig.takeToken();
  const order = { target: 'charges', load: { inFlight, until: { seconds } }, token } as const;
  const { calls, seconds: lasted, p50Ms, p99Ms } = await carryOut(rig.generator, order);
  return { perSecond: calls / lasted, p50Ms, p99Ms };
}

const ratioOf = ({ one, two }: Round, level: Level) => two[level].perSecond / one[level].perSecond;

function asText(rounds: readonly Round[], load: number): string {
  const of = (side: keyof Round, level: Level, figure: keyof Sample) =>
    median(rounds.map((round) => round[side][level][figure])).toFixed(figure === 'perSecond' ? 1 : 0);
  const rows = levels.map((level) => [
    String(level),
    ...(['one', 'two'] as const).flatMap((side) =>
      (['perSecond', 'p50Ms', 'p99Ms'] as const).map((figure) => of(side, level, figure)),
    ),
    median(rounds.map((round) => ratioOf(round, level))).toFixed(2),
  ]);
  return [
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}; load before: ${load.toFixed(2)}`,
    `Charges a second with one worker process and with two. Medians of ${rounds.length} rounds.`,
    '',
    table([['in flight', 'one/s', 'p50 ms', 'p99 ms', 'two/s', 'p50 ms', 'p99 ms', 'ratio'], ...rows]),
  ].join('\n');
}
