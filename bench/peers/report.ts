import type { BenchmarkContext, Figure } from '../rig/benchmark.ts';
import { formatCpu, formatSpeed, type Sample } from '../rig/samples.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';
import { processNames, type Missing, type ProcessName, type Side } from './sides.ts';

/** So many charges are in flight at once. */
export const levels = [1, 8, 32, 128] as const;
type Level = (typeof levels)[number];

/** The samples of each row by its name. */
export type Round = Record<string, Partial<Record<Level, Sample<ProcessName>>>>;

type Named = Pick<Side, 'name' | 'settings'>;

const pick = (rounds: Round[], name: string, level: Level) => rounds.map((round) => round[name]![level]!);

/** Returns the median of the rounds' own ratios of throughput: both sides of a round saw the same machine. */
function ratio(rounds: Round[], level: Level, one: string, other: string): number {
  const ofRound = (round: Round) => round[one]![level]!.perSecond / round[other]![level]!.perSecond;
  return median(rounds.map(ofRound));
}

/** Says what a round found of each row over the first one. */
export function describeRound(round: Round, [ours, ...others]: Named[]): string {
  const at32 = others.map(({ name }) => `${name} ${ratio([round], 32, name, ours!.name).toFixed(1)}`);
  return `times ours, 32 in flight: ${at32.join('; ')}`;
}

/** Our default mode over each other row. */
export function buildFigures(rounds: Round[], [ours, ...others]: Named[]): Figure[] {
  return others.flatMap(({ name }) =>
    levels.map((level) => ({
      what: `charges a second, ours over ${name}, ${level} in flight`,
      measured: ratio(rounds, level, ours!.name, name),
    })),
  );
}

/** The whole result for people. */
export function asText(
  rounds: Round[],
  sides: Named[],
  missing: Missing[],
  { seconds }: BenchmarkContext,
): string {
  return [
    `Medians of ${rounds.length} rounds of ${seconds} s; ratios are medians of the rounds' own.`,
    'Every Postgres commit waits for the disk (fsync, synchronous_commit, full_page_writes).',
    '',
    ...sides.map(({ name, settings }) => `${name}: ${settings}`),
    ...missing.map(({ name, reason }) => `${name} is left out: ${reason}`),
    '',
    ...levels.flatMap((level) => [`${level} in flight:`, '', speedTable(rounds, sides, level)]),
    'CPU time of a charge, in ms:',
    '',
    ...([1, 32] as const).flatMap((level) => [`${level} in flight:`, '', cpuTable(rounds, sides, level)]),
  ].join('\n');
}

function speedTable(rounds: Round[], sides: Named[], level: Level): string {
  const ours = sides[0]!.name;
  const rows = sides.map(({ name }) => [
    name,
    ...formatSpeed(pick(rounds, name, level), { rate: 0, ms: 1 }),
    ratio(rounds, level, name, ours).toFixed(2),
    formatTotal(pick(rounds, name, level)),
  ]);
  return table([['', 'charges/s', 'p50 ms', 'p99 ms', 'times ours', 'CPU ms'], ...rows]);
}

/** The load generator is no part of what is compared. */
function formatTotal(samples: Sample<ProcessName>[]): string {
  const totals = samples.map(({ cpuMs }) =>
    processNames
      .filter((name) => name !== 'load generator')
      .reduce((sum, name) => sum + (cpuMs[name] ?? 0), 0),
  );
  return median(totals).toFixed(1);
}

function cpuTable(rounds: Round[], sides: Named[], level: Level): string {
  const rows = sides.map(({ name }) => [
    name,
    ...processNames.map((part) => formatCpu(pick(rounds, name, level), part, 2)),
  ]);
  return table([['', ...processNames], ...rows]);
}
