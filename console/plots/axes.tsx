import type { JSX } from 'preact';
import { roundUnits, toLength } from './scale.ts';

/** The picture of a plot over time, in units of its `viewBox`. */
export const chart = { width: 640, height: 160, left: 56, top: 10, bottom: 20 } as const;

/** The height of the largest figure of a scale. */
export const chartHeight = chart.height - chart.top - chart.bottom;

/** The width of all steps. */
export const chartWidth = chart.width - chart.left;

interface AxesProps {
  /** The figure at the upper end. */
  top: number;
  /** Follows each number: ' ms'. */
  unit?: string;
  /** The names of the steps, in order of time. The first and the last are written. */
  steps: readonly string[];
}

/** The lines of nothing, of the half and of the top, and the ends of the time. */
export function Axes({ top, unit = '', steps }: AxesProps): JSX.Element {
  const below = chart.height - 5;
  return (
    <g class="plot-axes">
      {[0, top / 2, top].map((value) => (
        <Level key={value} value={value} y={toY(value, top)} unit={unit} />
      ))}
      <text x={chart.left} y={below}>
        {steps[0]}
      </text>
      {steps.length > 1 && (
        <text x={chart.width} y={below} text-anchor="end">
          {steps.at(-1)}
        </text>
      )}
    </g>
  );
}

function Level({ value, y, unit }: { value: number; y: number; unit: string }): JSX.Element {
  return (
    <g>
      <line x1={chart.left} x2={chart.width} y1={y} y2={y} />
      {Number.isInteger(value) && (
        <text x={chart.left - 6} y={y + 4} text-anchor="end">
          {`${value}${unit}`}
        </text>
      )}
    </g>
  );
}

/** Returns how high `value` lies in the picture, from its upper edge. */
export function toY(value: number, top: number): number {
  return roundUnits(chart.top + chartHeight - toLength(value, top, chartHeight));
}
