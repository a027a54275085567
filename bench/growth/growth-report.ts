import { formatSpeed, speedHead, type Sample } from '../rig/samples.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';

export const sizes = ['small', 'large'] as const;
export type Size = (typeof sizes)[number];

export const growthKinds = {
  item: 'GET of a charge, any of 1,000',
  list: 'GET of the newest 20',
  page: 'GET of 20 failed ones, from anywhere',
  replay: 'POST, replayed, any of 1,000 keys',
  charge: 'POST of a charge',
} as const;

export type GrowthKind = keyof typeof growthKinds;

export type Round = Record<Size, Record<GrowthKind, Sample>>;

interface GrowthResults {
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

export function growthAsText({ charges, keys, inFlight, rounds }: GrowthResults): string {
  const ratios = medianRatios(rounds);
  const rows = kinds.map((kind) => [
    growthKinds[kind],
    ...sizes.flatMap((size) =>
      formatSpeed(
        rounds.map((round) => round[size][kind]),
        { rate: 0, ms: 2 },
      ),
    ),
    ratios[kind].toFixed(2),
  ]);
  return [
    `Small: ${charges.small} charges, ${keys.small} keys. Large: ${charges.large} charges, ${keys.large} keys.`,
    `${inFlight} in flight, ${rounds.length} rounds. Aim: a factor of 1.2 at most.`,
    '',
    table([['', ...sizes.flatMap(speedHead), 'factor'], ...rows]),
  ].join('\n');
}
