import type { Figure as BenchmarkFigure } from '../rig/benchmark.ts';
import { median, type Level, type Sample } from '../rig/comparison.ts';
import type { Count } from './counts.ts';
import type { Target } from '../rig/load-generator.ts';
import type { ProcessName } from '../rig/rig.ts';
import { table } from '../rig/table.ts';

export interface Surroundings {
  processors: string;
  versions: Record<'node' | 'postgres' | 'temporal', string>;
  /** What the machine did before, as the one minute load average. */
  load: number;
  rounds: number;
  seconds: number;
}

export interface ChargesResults {
  surroundings: Surroundings;
  levels: Level[];
  counts: Record<Target, Count>;
}

type Figure = Exclude<keyof Sample, 'processorMs'>;

const of = ({ pairs }: Level, target: Target, figure: Figure) =>
  median(pairs.map((pair) => pair[target][figure]));

/** The median of the ratios of each pair, which saw the same machine, and not the ratio of the medians. */
const ratioOf = ({ pairs }: Level, figure: Figure) =>
  median(pairs.map(({ bare, charges }) => charges[figure] / bare[figure]));

/** `undefined` where it could not be read. */
function processorMsOf({ pairs }: Level, target: Target, name: ProcessName): number | undefined {
  const values = pairs.flatMap((pair) => pair[target].processorMs.get(name) ?? []);
  return values.length > 0 ? median(values) : undefined;
}

const processNames: ProcessName[] = ['load generator', 'api', 'worker', 'processor', 'temporal', 'postgres'];

export function chargesAsText(results: ChargesResults): string {
  const { surroundings, levels, counts } = results;
  const { versions } = surroundings;
  return `
Node ${versions.node}, Temporal ${versions.temporal}, Postgres ${versions.postgres}, ${surroundings.processors}; load before: ${surroundings.load.toFixed(2)}
Medians of ${surroundings.rounds} rounds of ${surroundings.seconds} s; ratios are medians of the rounds' own.

${speedTable(levels)}${turnedAway(levels)}
Processor time a call, in ms:

${processorTable(levels)}
Counted, a call:

${countTable(counts)}`.trimStart();
}

function speedTable(levels: Level[]): string {
  const head = [
    'in flight',
    'bare/s',
    'p50 ms',
    'p99 ms',
    'charges/s',
    'p50 ms',
    'p99 ms',
    'ratio',
    'p50 ratio',
  ];
  const rows = levels.map((level) => {
    const figures = (target: Target) => [
      of(level, target, 'perSecond').toFixed(1),
      of(level, target, 'p50Ms').toFixed(1),
      of(level, target, 'p99Ms').toFixed(1),
    ];
    const ratios = [ratioOf(level, 'perSecond').toFixed(2), ratioOf(level, 'p50Ms').toFixed(2)];
    return [String(level.inFlight), ...figures('bare'), ...figures('charges'), ...ratios];
  });
  return table([head, ...rows]);
}

/** It happens where the machine has other work as well: both sides are slower then, and the numbers say less. */
function turnedAway(levels: Level[]): string {
  const notes = levels
    .map((level) => ({ level, count: turnedAwayOf(level) }))
    .filter(({ count }) => count > 0);
  return notes
    .map(({ level, count }) => `${count} charges were turned away at ${level.inFlight}, and sent again.\n`)
    .join('');
}

const turnedAwayOf = ({ pairs }: Level) => pairs.reduce((sum, { charges }) => sum + charges.turnedAway, 0);

function processorTable(levels: Level[]): string {
  const targets: Target[] = ['bare', 'charges'];
  const columns = levels.flatMap((level) => targets.map((target) => ({ level, target })));
  const head = ['process', ...columns.map(({ level, target }) => `${target} at ${level.inFlight}`)];
  const rows = processNames.map((name) => [
    name,
    ...columns.map(({ level, target }) => processorMsOf(level, target, name)?.toFixed(1) ?? '–'),
  ]);
  const total = columns.map(({ level, target }) =>
    processNames.reduce((sum, name) => sum + (processorMsOf(level, target, name) ?? 0), 0).toFixed(1),
  );
  return table([head, ...rows, ['all', ...total]]);
}

function countTable({ bare, charges }: Record<Target, Count>): string {
  const operations = [...(charges.requests?.keys() ?? [])];
  const requests = operations.map((name) => [
    name,
    (bare.requests?.get(name) ?? 0).toFixed(1),
    (charges.requests?.get(name) ?? 0).toFixed(1),
  ]);
  return table([
    ['', 'bare', 'charge'],
    ['workflow tasks', String(bare.workflowTasks), String(charges.workflowTasks)],
    ['history events', String(bare.historyEvents), String(charges.historyEvents)],
    ['Postgres transactions', bare.transactions.toFixed(1), charges.transactions.toFixed(1)],
    ...(requests.length > 0 ? [['requests to Temporal:', '', ''], ...requests] : []),
  ]);
}

export function chargesFigures({ levels }: ChargesResults): BenchmarkFigure[] {
  return levels.map((level) => ({
    what: `charges over bare workflows, ${level.inFlight} in flight`,
    measured: ratioOf(level, 'perSecond'),
    ...(level.inFlight > 1 && { aim: { atLeast: 0.75 } }),
  }));
}

export function chargesAsJson({ surroundings, levels, counts }: ChargesResults): object {
  return {
    benchmark: 'charges',
    ...surroundings,
    levels: levels.map((level) => ({
      in_flight: level.inFlight,
      bare: sideAsJson(level, 'bare'),
      charges: sideAsJson(level, 'charges'),
      ratio: { throughput: round(ratioOf(level, 'perSecond')), p50: round(ratioOf(level, 'p50Ms')) },
      turned_away: turnedAwayOf(level),
      ratios_by_round: level.pairs.map(({ bare, charges }) => round(charges.perSecond / bare.perSecond)),
    })),
    per_call: { bare: countAsJson(counts.bare), charges: countAsJson(counts.charges) },
  };
}

function sideAsJson(level: Level, target: Target): object {
  const times = processNames.flatMap((name) => {
    const ms = processorMsOf(level, target, name);
    return ms === undefined ? [] : [[name.replace(' ', '_'), round(ms)]];
  });
  return {
    per_second: round(of(level, target, 'perSecond')),
    p50_ms: round(of(level, target, 'p50Ms')),
    p99_ms: round(of(level, target, 'p99Ms')),
    processor_ms_per_call: Object.fromEntries(times) as object,
  };
}

function countAsJson({ workflowTasks, historyEvents, requests, transactions }: Count): object {
  const byOperation = requests && Object.fromEntries([...requests].map(([name, n]) => [name, round(n)]));
  return {
    workflow_tasks: workflowTasks,
    history_events: historyEvents,
    postgres_transactions: round(transactions),
    temporal_requests: byOperation,
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
