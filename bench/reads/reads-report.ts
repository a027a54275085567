import type { Figure as BenchmarkFigure } from '../rig/benchmark.ts';
import { median } from '../rig/comparison.ts';
import { kindNames, kinds, sides, type Kind, type Side } from './reads-requests.ts';
import type { Level, ProcessName, Sample } from './reads-samples.ts';
import { table } from '../rig/table.ts';

export interface ReadsResults {
  processors: string;
  /** What the machine did before, as the one minute load average. */
  load: number;
  rounds: number;
  seconds: number;
  levels: Level[];
}

type Figure = Exclude<keyof Sample, 'processorMs'>;

const of = ({ rounds }: Level, kind: Kind, side: Side, figure: Figure) =>
  median(rounds.map((round) => round[kind][side][figure]));

/** Throughput over that of another measurement of the same round, which saw the same machine. */
const ratio = ({ rounds }: Level, [kind, side]: [Kind, Side], [other, otherSide]: [Kind, Side]) =>
  median(rounds.map((round) => round[kind][side].perSecond / round[other][otherSide].perSecond));

/** `undefined` where it could not be read. */
function processorMsOf({ rounds }: Level, kind: Kind, side: Side, name: ProcessName): number | undefined {
  const values = rounds.flatMap((round) => round[kind][side].processorMs.get(name) ?? []);
  return values.length > 0 ? median(values) : undefined;
}

const processNames: ProcessName[] = ['load generator', 'server', 'postgres'];

/** What is held against what, and what it should be at least. */
const aims: [name: string, [Kind, Side], [Kind, Side], aim: number][] = [
  ['GET of a charge, over bare', ['item', 'ours'], ['item', 'bare'], 0.7],
  ['GET of 20 charges, over bare', ['list', 'ours'], ['list', 'bare'], 0.7],
  ['POST replayed, over GET of a charge', ['replay', 'ours'], ['item', 'ours'], 0.9],
  ['304, over GET of a charge', ['unchanged', 'ours'], ['item', 'ours'], 1],
];

export function readsAsText({ processors, load, rounds, seconds, levels }: ReadsResults): string {
  return `
Node ${process.versions.node}, ${processors}; load before: ${load.toFixed(2)}
Medians of ${rounds} rounds of ${seconds} s; ratios are medians of the rounds' own.

${levels.map((level) => `${level.inFlight} in flight:\n\n${speedTable(level)}`).join('\n')}
Ratios of throughput:

${aimTable(levels)}
Processor time a read, in ms:

${processorTable(levels)}`.trimStart();
}

function speedTable(level: Level): string {
  const head = ['', 'bare/s', 'p50 ms', 'p99 ms', 'ours/s', 'p50 ms', 'p99 ms', 'ratio'];
  const rows = kinds.map((kind) => {
    const figures = sides.flatMap((side) => [
      of(level, kind, side, 'perSecond').toFixed(0),
      of(level, kind, side, 'p50Ms').toFixed(2),
      of(level, kind, side, 'p99Ms').toFixed(2),
    ]);
    return [kindNames[kind], ...figures, ratio(level, [kind, 'ours'], [kind, 'bare']).toFixed(2)];
  });
  return table([head, ...rows]);
}

function aimTable(levels: Level[]): string {
  const head = ['', ...levels.map(({ inFlight }) => `at ${inFlight}`), 'aim'];
  const rows = aims.map(([name, one, other, aim]) => [
    name,
    ...levels.map((level) => ratio(level, one, other).toFixed(2)),
    String(aim),
  ]);
  return table([head, ...rows]);
}

export function readsFigures({ levels }: ReadsResults): BenchmarkFigure[] {
  return levels.flatMap((level) =>
    aims.map(([name, one, other, aim]) => ({
      what: `${name}, ${level.inFlight} in flight`,
      measured: ratio(level, one, other),
      aim: { atLeast: aim },
    })),
  );
}

function processorTable(levels: Level[]): string {
  const columns = levels.flatMap((level) => sides.map((side) => ({ level, side })));
  const head = ['', ...columns.map(({ level, side }) => `${side} at ${level.inFlight}`)];
  const rows = kinds.flatMap((kind) =>
    processNames.map((name) => [
      `${kindNames[kind]}: ${name}`,
      ...columns.map(({ level, side }) => processorMsOf(level, kind, side, name)?.toFixed(3) ?? '–'),
    ]),
  );
  return table([head, ...rows]);
}

export function readsAsJson({ levels, ...surroundings }: ReadsResults): object {
  return {
    benchmark: 'reads',
    ...surroundings,
    levels: levels.map((level) => ({
      in_flight: level.inFlight,
      kinds: Object.fromEntries(
        kinds.map((kind) => [
          kind,
          {
            bare: sideAsJson(level, kind, 'bare'),
            ours: sideAsJson(level, kind, 'ours'),
            ratio: round(ratio(level, [kind, 'ours'], [kind, 'bare'])),
          },
        ]),
      ),
      aims: aims.map(([name, one, other, aim]) => ({ name, ratio: round(ratio(level, one, other)), aim })),
    })),
  };
}

function sideAsJson(level: Level, kind: Kind, side: Side): object {
  const times = processNames.flatMap((name) => {
    const ms = processorMsOf(level, kind, side, name);
    return ms === undefined ? [] : [[name.replace(' ', '_'), round(ms)]];
  });
  return {
    per_second: round(of(level, kind, side, 'perSecond')),
    p50_ms: round(of(level, kind, side, 'p50Ms')),
    p99_ms: round(of(level, kind, side, 'p99Ms')),
    processor_ms_per_read: Object.fromEntries(times) as object,
  };
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
