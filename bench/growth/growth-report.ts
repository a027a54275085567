import { median } from '../rig/comparison.ts';
import { table } from '../rig/table.ts';

export type Size = 'small' | 'large';

export const growthKinds = {
  item: 'GET of a charge, any of 1,000',
  list: 'GET of the newest 20',
  page: 'GET of 20 failed ones, from anywhere',
  replay: 'POST, replayed, any of 1,000 keys',
  charge: 'POST of a charge',
} as const;

export type GrowthKind = keyof typeof growthKinds;

export interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export type Round = Record<Size, Record<GrowthKind, Sample>>;

interface GrowthResults {
  load: number;
  charges: Record<Size, number>;
  keys: Record<Size, number>;
  inFlight: number;
  rounds: Round[];
}

const kinds = Object.keys(growthKinds) as GrowthKind[];

/** How many times as long each takes with many rows: the median of the rounds' own ratios of throughput. */
export function medianRatios(rounds: readonly Round[]): Record<GrowthKind, number> {
  const ratio = (kind: GrowthKind) =>
    median(rounds.map(({ small, large }) => small[kind].perSecond / large[kind].perSecond));
  return Object.fromEntries(kinds.map((kind) => [kind, Number(ratio(kind).toFixed(2))])) as Record<
    GrowthKind,
    number
  >;
}

export function growthAsText({ load, charges, keys, inFlight, rounds }: GrowthResults): string {
  const ratios = medianRatios(rounds);
  const of = (size: Size, kind: GrowthKind, member: keyof Sample) =>
    median(rounds.map((round) => round[size][kind][member])).toFixed(member === 'perSecond' ? 0 : 2);
  const rows = kinds.map((kind) => [
    growthKinds[kind],
    ...(['small', 'large'] as const).flatMap((size) => [
      of(size, kind, 'perSecond'),
      of(size, kind, 'p50Ms'),
      of(size, kind, 'p99Ms'),
    ]),
    ratios[kind].toFixed(2),
  ]);
  return [
    `Small: ${charges.small} charges, ${keys.small} keys. Large: ${charges.large} charges, ${keys.large} keys.`,
    `${inFlight} in flight, ${rounds.length} rounds; load before: ${load.toFixed(2)}. Aim: a factor of 1.2 at most.`,
    '',
    table([['', 'small/s', 'p50 ms', 'p99 ms', 'large/s', 'p50 ms', 'p99 ms', 'factor'], ...rows]),
  ].join('\n');
}
