import { setTimeout as sleep } from 'node:timers/promises';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from '../rig/benchmark.ts';
import { formatCpu, formatSpeed, speedHead, type Sample } from '../rig/samples.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';
import { countPerCall, type Count } from './counts.ts';
import { processNames, targets, withRig, type ProcessName, type Rig, type Target } from './rig.ts';

/** Charges through HTTP, beside the bare durable workflow that they are made of. */
export const benchmarkCharges: Benchmark = {
  summary: 'charges through HTTP, side by side with bare Temporal workflows',
  run: benchmark,
};

const levels = [1, 32, 128] as const;
type Level = (typeof levels)[number];

/** A bare measurement, and the one of charges that followed it. */
type Pair = Record<Target, Sample<ProcessName>>;
type Round = Record<Level, Pair>;

/** The end of a load leaves work behind, such as runs that close. It must not count for the next load. */
const pauseMs = 500;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withRig(context, async (rig) => {
    const counts = await countPerCall(rig, context);
    const rounds = await runRounds(context, () => measureRound(rig, context.seconds), describe);
    const figures = levels.map((level) => ({
      what: `charges over bare workflows, ${level} in flight`,
      measured: medianRatio(rounds, level, 'perSecond'),
      ...(level > 1 && { aim: { atLeast: 0.75 } }),
    }));
    return { text: asText(rounds, counts, context), data: { rounds, counts }, figures };
  });
}

/** Measures both in turns at each level, so that other work of the machine falls on both alike. */
async function measureRound(rig: Rig, seconds: number): Promise<Round> {
  const measureOne = async (target: Target, inFlight: number) => {
    await sleep(pauseMs);
    return rig.measure(target, { inFlight, until: { seconds } });
  };
  const round: Partial<Round> = {};
  for (const level of levels)
    round[level] = { bare: await measureOne('bare', level), charges: await measureOne('charges', level) };
  return round as Round;
}

const ratio = ({ bare, charges }: Pair, figure: 'perSecond' | 'p50Ms') => charges[figure] / bare[figure];

/** Returns the median of the rounds' own ratios: both sides of a round saw the same machine. */
const medianRatio = (rounds: Round[], level: Level, figure: 'perSecond' | 'p50Ms') =>
  median(rounds.map((round) => ratio(round[level], figure)));

const describe = (round: Round) =>
  levels.map((level) => `${level} in flight ${ratio(round[level], 'perSecond').toFixed(2)}`).join(', ');

function asText(rounds: Round[], counts: Record<Target, Count>, { seconds }: BenchmarkContext): string {
  return `
Medians of ${rounds.length} rounds of ${seconds} s; ratios are medians of the rounds' own.

${speedTable(rounds)}${turnedAway(rounds)}
CPU time of a call, in ms:

${cpuTable(rounds)}
Counted, a call:

${countTable(counts)}`.trimStart();
}

const pick = (rounds: Round[], level: Level, target: Target) => rounds.map((round) => round[level][target]);

function speedTable(rounds: Round[]): string {
  const rows = levels.map((level) => [
    String(level),
    ...targets.flatMap((target) => formatSpeed(pick(rounds, level, target), { rate: 1, ms: 1 })),
    medianRatio(rounds, level, 'perSecond').toFixed(2),
    medianRatio(rounds, level, 'p50Ms').toFixed(2),
  ]);
  return table([['in flight', ...targets.flatMap(speedHead), 'ratio', 'p50 ratio'], ...rows]);
}

/** Charges are turned away on a busy machine, where both sides are slower. */
function turnedAway(rounds: Round[]): string {
  const notes = levels.map((level) => {
    const count = pick(rounds, level, 'charges').reduce((sum, sample) => sum + sample.turnedAway, 0);
    return count > 0 ? `${count} charges were turned away at ${level}, and sent again.\n` : '';
  });
  return notes.join('');
}

function cpuTable(rounds: Round[]): string {
  const columns = levels.flatMap((level) => targets.map((target) => ({ level, target })));
  const head = ['process', ...columns.map(({ level, target }) => `${target} at ${level}`)];
  const cells = (name: ProcessName) =>
    columns.map(({ level, target }) => formatCpu(pick(rounds, level, target), name, 1));
  const rows = processNames.map((name) => [name, ...cells(name)]);
  const totals = columns.map((_, column) =>
    rows.reduce((sum, row) => sum + (Number(row[column + 1]) || 0), 0).toFixed(1),
  );
  return table([head, ...rows, ['all', ...totals]]);
}

function countTable({ bare, charges }: Record<Target, Count>): string {
  const operations = Object.keys(charges.requests ?? {}).map((name) => [
    name,
    (bare.requests?.[name] ?? 0).toFixed(1),
    (charges.requests?.[name] ?? 0).toFixed(1),
  ]);
  return table([
    ['', 'bare', 'charge'],
    ['workflow tasks', String(bare.workflowTasks), String(charges.workflowTasks)],
    ['history events', String(bare.historyEvents), String(charges.historyEvents)],
    ['Postgres transactions', bare.transactions.toFixed(1), charges.transactions.toFixed(1)],
    ...(operations.length > 0 ? [['requests to Temporal:', '', ''], ...operations] : []),
  ]);
}
