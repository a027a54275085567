import type { JSX } from 'preact';
import { Figure, type Caption } from './figure.tsx';
import { roundUnits, toLength, topOfScale } from './scale.ts';

export interface SparklineProps extends Caption {
  /** In order of time. */
  points: readonly { name: string; value: number }[];
  /** Follows each number: ' s'. */
  unit?: string;
  /** From where on an alert is raised: a dashed line. */
  limit?: number;
  stepName: string;
}

const size = { width: 160, height: 32, edge: 2 } as const;
const innerHeight = size.height - 2 * size.edge;

/** A line as small as a word. Its last figure, and the limit, stand in its description too. */
export function Sparkline({ points, unit = '', limit, stepName, ...caption }: SparklineProps): JSX.Element {
  const top = topOfScale(Math.max(limit ?? 0, ...points.map(({ value }) => value)));
  const toPlace = (value: number) => roundUnits(size.height - size.edge - toLength(value, top, innerHeight));
  const step = (size.width - 2 * size.edge) / Math.max(1, points.length - 1);
  const places = points.map(({ value }, at) => ({ x: roundUnits(size.edge + at * step), y: toPlace(value) }));
  const last = points.at(-1);
  const words = [
    caption.description,
    last && `Last: ${last.value}${unit}.`,
    limit !== undefined && `Limit: ${limit}${unit}.`,
  ];
  const table = {
    head: [stepName, caption.title],
    rows: points.map(({ name, value }) => [name, `${value}${unit}`]),
  };
  const shown = { ...caption, description: words.filter(Boolean).join(' '), table };
  return (
    <Figure {...shown} width={size.width} height={size.height}>
      {limit !== undefined && (
        <line class="plot-limit" x1={0} x2={size.width} y1={toPlace(limit)} y2={toPlace(limit)} />
      )}
      <g class="line line-1">
        <path d={places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join(' ')} />
        {places.slice(-1).map(({ x, y }) => (
          <circle key="last" cx={x} cy={y} r={2} />
        ))}
      </g>
    </Figure>
  );
}
