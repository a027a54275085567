import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { withRig, type Rig } from './charges/rig.ts';
import { formatSpeed, speedHead, type Sample } from './rig/samples.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** Whether a second worker process is worth anything, or costs something, where both share the machine. */
export const benchmarkScaleOut: Benchmark = {
  summary: 'charges with one worker process and with two, in turns',
  run: benchmark,
};

const levels = [8, 32, 128] as const;
type Level = (typeof levels)[number];

/** One worker, and two. */
const sides = ['one', 'two'] as const;
type Round = Record<(typeof sides)[number], Record<Level, Sample>>;

/** New code is compiled, and new connections are made, within this time. */
const warmUpSeconds = 3;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withRig(context, async (rig) => {
    const rounds = await runRounds(context, () => measureRound(rig, context.seconds), describe);
    const figures = levels.map((level) => ({
      what: `charges a second with two workers over one, ${level} in flight`,
      measured: medianRatio(rounds, level),
      aim: { atLeast: 1 },
    }));
    return { text: asText(rounds), data: { rounds }, figures };
  });
}

async function measureRound(rig: Rig, seconds: number): Promise<Round> {
  const one = await measureLevels(rig, seconds);
  const second = await rig.stack.addWorker();
  try {
    return { one, two: await measureLevels(rig, seconds) };
  } finally {
    await second.stop(10_000);
  }
}

async function measureLevels(rig: Rig, seconds: number): Promise<Record<Level, Sample>> {
  await rig.measure('charges', { inFlight: 32, until: { seconds: warmUpSeconds } });
  const samples: Partial<Record<Level, Sample>> = {};
  for (const level of levels)
    samples[level] = await rig.measure('charges', { inFlight: level, until: { seconds } });
  return samples as Record<Level, Sample>;
}

const ratio = ({ one, two }: Round, level: Level) => two[level].perSecond / one[level].perSecond;
const medianRatio = (rounds: readonly Round[], level: Level) =>
  median(rounds.map((round) => ratio(round, level)));

const describe = (round: Round) =>
  levels.map((level) => `two over one, ${level} in flight: ${ratio(round, level).toFixed(2)}`).join('; ');

function asText(rounds: readonly Round[]): string {
  const rows = levels.map((level) => {
    const speeds = sides.flatMap((side) =>
      formatSpeed(
        rounds.map((round) => round[side][level]),
        { rate: 1, ms: 0 },
      ),
    );
    return [String(level), ...speeds, medianRatio(rounds, level).toFixed(2)];
  });
  return [
    `Charges a second with one worker process and with two. Medians of ${rounds.length} rounds.`,
    '',
    table([['in flight', ...sides.flatMap(speedHead), 'ratio'], ...rows]),
  ].join('\n');
}
