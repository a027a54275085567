import { setTimeout as sleep } from 'node:timers/promises';
import {
  runRounds,
  type Benchmark,
  type BenchmarkContext,
  type BenchmarkResults,
  type Figure,
} from '../rig/benchmark.ts';
import { formatCpu, formatSpeed, speedHead, type Sample } from '../rig/samples.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';
import { countPerCall, type Count } from './counts.ts';
import { processNames, targets, withRig, type ProcessName, type Rig, type Target } from './rig.ts';

/** Charges through HTTP in each way, beside the bare durable workflows that they are made of. */
export const benchmarkCharges: Benchmark = {
  summary: 'charges through HTTP in each way, side by side with bare Temporal workflows',
  run: benchmark,
};

const levels = [1, 8, 32, 128] as const;
type Level = (typeof levels)[number];

/** One measurement of each target, one after the other. */
type Turn = Record<Target, Sample<ProcessName>>;
type Round = Record<Level, Turn>;

/** The end of a load leaves work behind, such as runs that close. It must not count for the next load. */
const pauseMs = 500;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withRig(context, async (rig) => {
    const counts = await countPerCall(rig, context);
    const rounds = await runRounds(context, () => measureRound(rig, context.seconds), describe);
    const figures = buildFigures(rounds);
    return { text: asText(rounds, counts, figures, context), data: { rounds, counts }, figures };
  });
}

/** Measures all in turns at each level, so that other work of the machine falls on all alike. */
async function measureRound(rig: Rig, seconds: number): Promise<Round> {
  const round: Partial<Round> = {};
  for (const inFlight of levels) {
    const turn: Partial<Turn> = {};
    for (const target of targets) {
      await sleep(pauseMs);
      turn[target] = await rig.measure(target, { inFlight, until: { seconds } });
    }
    round[inFlight] = turn as Turn;
  }
  return round as Round;
}

const describe = (round: Round) =>
  levels
    .map(
      (level) =>
        `${level} in flight ${targets.map((name) => round[level][name].perSecond.toFixed(0)).join(' ')}`,
    )
    .join(', ');

type Speed = 'perSecond' | 'p50Ms' | 'p99Ms';

/** Returns the median of what each round makes of its own turn: both sides of a round saw the same machine. */
const medianOf = (rounds: Round[], level: Level, read: (turn: Turn) => number) =>
  median(rounds.map((round) => read(round[level])));

const over = (one: Target, other: Target, figure: Speed) => (turn: Turn) =>
  turn[one][figure] / turn[other][figure];

function buildFigures(rounds: Round[]): Figure[] {
  const figure = (what: string, level: Level, read: (turn: Turn) => number, aim: Figure['aim']): Figure => ({
    what,
    measured: medianOf(rounds, level, read),
    ...(aim && { aim }),
  });
  return [
    figure('eager over bare update, charges/s at 32', 32, over('eager', 'bare update', 'perSecond'), {
      atLeast: 1,
    }),
    figure('eager over bare eager, charges/s at 32', 32, over('eager', 'bare eager', 'perSecond'), {
      atLeast: 0.7,
    }),
    figure('eager, p50 at 1 in ms', 1, (turn) => turn.eager.p50Ms, { atMost: 13 }),
    figure('eager over bare eager, p50 at 1', 1, over('eager', 'bare eager', 'p50Ms'), { atMost: 1.9 }),
    figure('eager, p99 over p50 at 128', 128, (turn) => turn.eager.p99Ms / turn.eager.p50Ms, { atMost: 3 }),
    figure('inline, charges/s at 32', 32, (turn) => turn.inline.perSecond, { atLeast: 250 }),
    figure('inline, p50 at 1 in ms', 1, (turn) => turn.inline.p50Ms, { atMost: 6 }),
  ];
}

function asText(
  rounds: Round[],
  counts: Record<Target, Count>,
  figures: Figure[],
  { seconds }: BenchmarkContext,
): string {
  return `
Medians of ${rounds.length} rounds of ${seconds} s. bare update: a run in a worker, asked by update-with-start. eager: a
run in the API (for the bare one, in its caller), which is answered in memory. inline: no run.

${speedTable(rounds)}${turnedAway(rounds)}
${table([['', 'measured'], ...figures.map(({ what, measured }) => [what, measured.toFixed(2)])])}
CPU time of a call at 32 in flight, in ms:

${cpuTable(rounds)}
Counted, a call:

${countTable(counts)}`.trimStart();
}

const pick = (rounds: Round[], level: Level, target: Target) => rounds.map((round) => round[level][target]);

function speedTable(rounds: Round[]): string {
  const rows = levels.flatMap((level) =>
    targets.map((target) => [
      `${level} in flight, ${target}`,
      ...formatSpeed(pick(rounds, level, target), { rate: 1, ms: 1 }),
    ]),
  );
  return table([['', ...speedHead('calls')], ...rows]);
}

/** Charges are turned away on a busy machine, where all sides are slower. */
function turnedAway(rounds: Round[]): string {
  const count = rounds
    .flatMap((round) => levels.flatMap((level) => targets.map((target) => round[level][target].turnedAway)))
    .reduce((sum, turned) => sum + turned, 0);
  return count > 0 ? `${count} charges were turned away, and sent again.\n` : '';
}

function cpuTable(rounds: Round[]): string {
  const cells = (name: ProcessName) => targets.map((target) => formatCpu(pick(rounds, 32, target), name, 1));
  const rows = processNames.map((name) => [name, ...cells(name)]);
  const totals = targets.map((_, column) =>
    rows.reduce((sum, row) => sum + (Number(row[column + 1]) || 0), 0).toFixed(1),
  );
  return table([['process', ...targets], ...rows, ['all', ...totals]]);
}

function countTable(counts: Record<Target, Count>): string {
  const row = (name: string, read: (count: Count) => string) => [
    name,
    ...targets.map((target) => read(counts[target])),
  ];
  const operations = [...new Set(targets.flatMap((target) => Object.keys(counts[target].requests ?? {})))];
  return table([
    ['', ...targets],
    row('workflow tasks', ({ workflowTasks }) => String(workflowTasks)),
    row('history events', ({ historyEvents }) => String(historyEvents)),
    row('Postgres transactions', ({ transactions }) => transactions.toFixed(1)),
    ...operations.map((name) => row(name, ({ requests }) => (requests?.[name] ?? 0).toFixed(1))),
  ]);
}
