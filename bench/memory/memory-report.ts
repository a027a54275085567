import type { PartName } from '#local/stack.ts';
import { median } from '../rig/statistics.ts';
import type { CallCounts } from './memory-load.ts';
import { table } from '../rig/table.ts';

export const parts = ['api', 'worker', 'processor', 'temporal', 'postgres'] as const satisfies PartName[];
export type MemoryPart = (typeof parts)[number];

export interface Sample {
  /** Since the load began. */
  atMinutes: number;
  mib: Record<MemoryPart, number>;
}

export interface MemoryResults {
  minutes: number;
  parts: readonly MemoryPart[];
  samples: Sample[];
  /** Answered calls. */
  calls: CallCounts;
}

/** The load is looked at in so many spans of time. The first is start-up: caches fill, code is compiled. */
const spans = 6;

/** Returns a process' memory in the last span over that in the second: 1 if it does not grow. */
export function measureGrowth(samples: readonly Sample[], part: MemoryPart): number {
  return inSpan(samples, part, spans - 1) / inSpan(samples, part, 1);
}

/** The median of a span's samples, in MiB. */
function inSpan(samples: readonly Sample[], part: MemoryPart, span: number): number {
  const end = samples.at(-1)?.atMinutes ?? 0;
  const [from, to] = [(end / spans) * span, (end / spans) * (span + 1)];
  return median(
    samples.filter(({ atMinutes }) => atMinutes >= from && atMinutes <= to).map(({ mib }) => mib[part]),
  );
}

export function memoryAsText({ minutes, parts, samples, calls }: MemoryResults): string {
  const upTo = (span: number) => `to ${Number(((minutes / spans) * (span + 1)).toFixed(1))} min`;
  const numbers = Array.from({ length: spans }, (_, span) => span);
  const rows = parts.map((part) => [
    part,
    (samples[0]?.mib[part] ?? NaN).toFixed(0),
    ...numbers.map((span) => inSpan(samples, part, span).toFixed(0)),
    Math.max(...samples.map(({ mib }) => mib[part])).toFixed(0),
    measureGrowth(samples, part).toFixed(2),
  ]);
  const counted = Object.entries(calls).map(([what, count]) => `${count} ${what}`);
  return [
    `Resident MiB (pages that processes share count once) during ${minutes} minutes of load; medians of each sixth.`,
    `Answered: ${counted.join(', ')}.`,
    '',
    table([['process', 'at first', ...numbers.map(upTo), 'most', 'last over second'], ...rows]),
  ].join('\n');
}
