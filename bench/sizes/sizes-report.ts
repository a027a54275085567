import type { PartName } from '#local/stack.ts';
import type { Figure } from '../rig/benchmark.ts';
import type { CpuTimes } from '../rig/cpu-time.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';

/** The ways of a charge's first steps: by a workflow in the API (the default), or without one. */
export const wayNames = ['workflow', 'inline'] as const;
export type Way = (typeof wayNames)[number];

/** Charges a second, as many as two cores carry beside the load generator. */
export const rates: Record<Way, readonly number[]> = { workflow: [10, 40], inline: [10, 100, 300] };

/** What a deployment runs, and the sandbox processor, which stands for the outside. */
export const stackParts = [
  'api',
  'worker',
  'temporal',
  'postgres',
  'processor',
] as const satisfies PartName[];
export type StackPart = (typeof stackParts)[number];
const deployedParts = stackParts.filter((part) => part !== 'processor');

/** One rate in one way. */
export interface Measured {
  way: Way;
  /** As asked. */
  perSecond: number;
  /** Charges that were made and answered before the load ended, a second. */
  reachedPerSecond: number;
  /** Charges that were made. */
  charges: number;
  /** Answers that were not 201, and charges without an answer. */
  errors: number;
  /** Of the answers 201. */
  p50Ms: number;
  p99Ms: number;
  /** From the first charge to the last answer. */
  tookSeconds: number;
  /** CPU time by wall time. */
  cores: CpuTimes<StackPart | 'load generator'>;
  /** The largest resident memory. A part whose memory cannot be read is missing. */
  mostMib: Partial<Record<StackPart, number>>;
}

/** The measurements of a round, in their order. */
export type Round = Measured[];

/** A rate is reached if so much of it is answered in time. */
const reachedPart = 0.95;
export const isReached = ({ perSecond, reachedPerSecond }: Measured) =>
  reachedPerSecond >= perSecond * reachedPart;

/** The rates that docs/scaling.md gives sizes for, in charges a second. */
const sizes = [10, 100, 1_000];

export function describeMeasured(measured: Measured): string {
  const { way, perSecond, reachedPerSecond, p50Ms, p99Ms, errors } = measured;
  const outcome = isReached(measured) ? 'reached' : 'NOT reached: more arrive than are answered';
  return (
    `${way}, ${perSecond} a second: ${outcome} (${reachedPerSecond.toFixed(1)}), ` +
    `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${errors} errors, ${deployedCores(measured).toFixed(2)} cores`
  );
}

/** Returns the cores of the deployment, without the load generator and the sandbox processor. */
function deployedCores({ cores }: Measured): number {
  return deployedParts.reduce((sum, part) => sum + (cores[part] ?? NaN), 0);
}

/** Returns the CPU time of a charge, in milliseconds, with what runs by the clock in its share. */
function cpuMsOfCharge(measured: Measured): number {
  return (deployedCores(measured) * measured.tookSeconds * 1_000) / measured.charges;
}

/** One rate in one way, in all rounds. */
interface Row {
  way: Way;
  perSecond: number;
  runs: Measured[];
}

function toRows(rounds: readonly Round[]): Row[] {
  return wayNames.flatMap((way) =>
    rates[way].map((perSecond) => ({
      way,
      perSecond,
      runs: rounds.flatMap((round) => round.filter((one) => one.way === way && one.perSecond === perSecond)),
    })),
  );
}

const medianOf = ({ runs }: Row, read: (measured: Measured) => number) => median(runs.map(read));

export function sizesFigures(rounds: readonly Round[]): Figure[] {
  return toRows(rounds).map((row) => ({
    what: `cores at ${row.perSecond} charges a second, ${row.way}`,
    measured: medianOf(row, deployedCores),
  }));
}

export function sizesAsText(rounds: readonly Round[], seconds: number): string {
  const rows = toRows(rounds);
  return [
    `Medians of ${rounds.length} rounds of ${seconds} s for each rate. workflow: CHARGE_EXECUTION=workflow, the default.`,
    'inline: CHARGE_EXECUTION=inline. One process of each part, and nobody receives webhooks.',
    '',
    speedTable(rows),
    ...rows.filter(({ runs }) => !runs.every(isReached)).map(sayNotReached),
    'CPU in cores. all: without the sandbox processor and the load generator. ms: CPU time of a charge, of all.',
    '',
    cpuTable(rows),
    'The largest resident memory in MiB (pages that processes share count once). Rates rise within one stack.',
    '',
    memoryTable(rows),
    'Cores of all at the rates of docs/scaling.md, and over 0.7, so that bursts find room. What runs by the clock is in',
    'the share of each charge, so a computed figure is rather too large.',
    '',
    sizesTable(rows),
  ].join('\n');
}

const name = ({ way, perSecond }: Row) => `${way}, ${perSecond}/s`;

function sayNotReached(row: Row): string {
  const missed = row.runs.filter((one) => !isReached(one)).length;
  return `${name(row)} was not reached in ${missed} of ${row.runs.length} rounds: more charges arrive than are answered.\n`;
}

function speedTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    name(row),
    medianOf(row, (one) => one.reachedPerSecond).toFixed(1),
    medianOf(row, (one) => one.p50Ms).toFixed(0),
    medianOf(row, (one) => one.p99Ms).toFixed(0),
    medianOf(row, (one) => one.errors).toFixed(0),
  ]);
  return table([['asked', 'reached/s', 'p50 ms', 'p99 ms', 'errors'], ...cells]);
}

function cpuTable(rows: readonly Row[]): string {
  const cores = (row: Row, part: StackPart | 'load generator') =>
    formatNumber(
      medianOf(row, (one) => one.cores[part] ?? NaN),
      2,
    );
  const cells = rows.map((row) => [
    name(row),
    ...deployedParts.map((part) => cores(row, part)),
    formatNumber(medianOf(row, deployedCores), 2),
    formatNumber(medianOf(row, cpuMsOfCharge), 1),
    cores(row, 'processor'),
    cores(row, 'load generator'),
  ]);
  return table([['asked', ...deployedParts, 'all', 'ms', 'processor', 'load generator'], ...cells]);
}

function memoryTable(rows: readonly Row[]): string {
  const most = ({ runs }: Row, part: StackPart) => Math.max(...runs.map((one) => one.mostMib[part] ?? NaN));
  const cells = rows.map((row) => [
    name(row),
    ...stackParts.map((part) => formatNumber(most(row, part), 0)),
    formatNumber(
      deployedParts.reduce((sum, part) => sum + most(row, part), 0),
      0,
    ),
  ]);
  return table([['asked', ...stackParts, 'all but processor'], ...cells]);
}

function sizesTable(rows: readonly Row[]): string {
  const cells = wayNames.flatMap((way) =>
    sizes.map((size) => {
      const from = findNearest(
        rows.filter((row) => row.way === way),
        size,
      );
      if (!from) return [`${way}, ${size}/s`, '–', '–', 'no rate was reached'];
      const times = size / from.perSecond;
      const cores = medianOf(from, deployedCores) * times;
      const origin =
        times === 1
          ? 'measured'
          : `computed from ${from.perSecond}/s, ${Number(times.toFixed(1))} times the rate`;
      return [`${way}, ${size}/s`, formatNumber(cores, 1), formatNumber(cores / 0.7, 1), origin];
    }),
  );
  return table([['size', 'cores', 'over 0.7', 'from'], ...cells]);
}

/** Returns the rate itself, or else the largest one that every round reached. */
function findNearest(rows: readonly Row[], size: number): Row | null {
  const reached = rows.filter(({ runs }) => runs.every(isReached));
  return reached.find(({ perSecond }) => perSecond === size) ?? reached.at(-1) ?? null;
}

/** A dash means that it could not be read. */
const formatNumber = (value: number, digits: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));
