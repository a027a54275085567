import type { JSX } from 'preact';
import { Axes, chart, chartHeight, chartWidth, toY } from './axes.tsx';
import { Figure, type Caption } from './figure.tsx';
import { roundUnits, toLength, topOfScale } from './scale.ts';
import { Legend, toFill, TonePatterns, type Tone } from './tones.tsx';

export interface BarsProps extends Caption {
  /** What each bar is made of, from the bottom to the top. No two have one tone. */
  series: readonly Series[];
  /** In order of time. */
  bars: readonly Bar[];
  /** What the first column of the table is called: 'Minute'. */
  stepName: string;
}

interface Series {
  name: string;
  tone: Tone;
}

export interface Bar {
  /** The step in words: '12:04'. */
  name: string;
  /** One whole number a series, 0 or more. */
  values: readonly number[];
}

/** Stacked bars: how many there were in each step. */
export function Bars({ series, bars, stepName, ...caption }: BarsProps): JSX.Element {
  const top = topOfScale(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const width = chartWidth / Math.max(1, bars.length);
  const table = {
    head: [stepName, ...series.map(({ name }) => name)],
    rows: bars.map(({ name, values }) => [name, ...values.map(String)]),
  };
  const legend = <Legend id={caption.id} items={series} />;
  return (
    <Figure {...caption} width={chart.width} height={chart.height} table={table} legend={legend}>
      <TonePatterns id={caption.id} tones={series.map(({ tone }) => tone)} />
      <Axes top={top} steps={bars.map(({ name }) => name)} />
      {bars.map(({ values }, at) => (
        <Stack key={at} {...{ id: caption.id, series, values, top, width }} x={chart.left + at * width} />
      ))}
    </Figure>
  );
}

interface StackProps {
  id: string;
  series: readonly Series[];
  values: readonly number[];
  top: number;
  x: number;
  width: number;
}

/** One bar. A series of which there was nothing has no part of it. */
function Stack({ id, series, values, top, x, width }: StackProps): JSX.Element {
  return (
    <g class="bar">
      {series.map(({ tone }, at) => {
        const value = values[at] ?? 0;
        if (value === 0) return null;
        return (
          <rect
            key={tone}
            class={`tone tone-${tone}`}
            {...toFill(id, tone)}
            x={roundUnits(x + width * 0.1)}
            y={toY(sum(values.slice(0, at + 1)), top)}
            width={roundUnits(width * 0.8)}
            height={toLength(value, top, chartHeight)}
          />
        );
      })}
    </g>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
