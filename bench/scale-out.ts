import type { Part } from '#local/stack.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import type { Load } from './rig/closed-loop.ts';
import { formatCpu, formatSpeed, measure, speedHead, type Sample } from './rig/samples.ts';
import { raisedLimits, takeToken, withStack } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** What more API processes are worth, in each way of a charge, where all processes share the machine. */
export const benchmarkScaleOut: Benchmark = {
  summary: 'charges with one, two and four API processes, in turns',
  run: benchmark,
};

/** The settings of the API in each way. */
const ways = {
  update: { API_RUNS_CHARGES: '0', TEMPORAL_TASK_QUEUE: 'update' },
  eager: {},
  inline: { API_RUNS_CHARGES: '0', CHARGE_EXECUTION: 'inline' },
} as const;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];

const counts = [1, 2, 4] as const;
type Count = (typeof counts)[number];

const processNames = ['api', 'worker', 'temporal', 'postgres'] as const;
type Measured = Sample<(typeof processNames)[number]>;
type Round = Record<Way, Record<Count, Measured>>;

interface Rig {
  measure(way: Way, apis: Count, load: Load): Promise<Measured>;
}

const inFlight = 32;

/** New code is compiled, and new connections are made, within this time. */
const warmUpSeconds = 3;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withRig(context, async (rig) => {
    for (const way of wayNames) await rig.measure(way, 4, { inFlight, until: { seconds: warmUpSeconds } });
    const rounds = await runRounds(context, () => measureRound(rig, context.seconds), describe);
    const figures = wayNames.flatMap((way) =>
      ([2, 4] as const).map((count) => ({
        what: `charges a second with ${count} APIs over one, ${way}`,
        measured: median(rounds.map((round) => ratio(round, way, count))),
      })),
    );
    return { text: asText(rounds), data: { rounds }, figures };
  });
}

/** Starts four APIs of each way. Those that get no charges cost next to nothing. */
function withRig<Result>(context: BenchmarkContext, work: (rig: Rig) => Promise<Result>): Promise<Result> {
  return withStack(context, raisedLimits, async ({ stack, startChild }) => {
    const generator = await startChild('rig/load-generator.ts', stack.env);
    const updateWorker = await stack.addWorker({ TEMPORAL_TASK_QUEUE: ways.update.TEMPORAL_TASK_QUEUE });
    const apis: Partial<Record<Way, { url: string; part: Part }[]>> = {};
    for (const way of wayNames)
      apis[way] = await Promise.all([1, 2, 3, 4].map(() => stack.addApi(ways[way])));
    return work({
      async measure(way, count, load) {
        const used = apis[way]!.slice(0, count);
        const pids = {
          api: used.map(({ part }) => part.pid),
          worker: [stack.pid('worker'), updateWorker.pid],
          temporal: [stack.pid('temporal')],
          postgres: [stack.pid('postgres')],
        };
        const urls = used.map(({ url }) => url);
        return measure(generator, { send: 'charges', urls, token: await takeToken(stack), load }, pids);
      },
    });
  });
}

async function measureRound(rig: Rig, seconds: number): Promise<Round> {
  const round = { update: {}, eager: {}, inline: {} } as Round;
  for (const count of counts)
    for (const way of wayNames)
      round[way][count] = await rig.measure(way, count, { inFlight, until: { seconds } });
  return round;
}

const ratio = (round: Round, way: Way, count: Count) => round[way][count].perSecond / round[way][1].perSecond;

const describe = (round: Round) =>
  wayNames
    .map((way) => `${way} ${counts.map((count) => round[way][count].perSecond.toFixed(0)).join(' ')}`)
    .join('; ');

function asText(rounds: readonly Round[]): string {
  const rows = wayNames.flatMap((way) =>
    counts.map((count) => {
      const samples = rounds.map((round) => round[way][count]);
      const cpu = processNames.map((name) => formatCpu(samples, name, 1));
      return [`${way}, ${count}`, ...formatSpeed(samples, { rate: 1, ms: 0 }), ...cpu];
    }),
  );
  return [
    `Charges at ${inFlight} in flight with so many API processes, and CPU time of a charge in ms.`,
    `Medians of ${rounds.length} rounds.`,
    '',
    table([['way, APIs', ...speedHead('charges'), ...processNames], ...rows]),
  ].join('\n');
}
