import type { JSX } from 'preact';
import { Axes, chart, chartHeight, chartWidth, toY } from './axes.tsx';
import { Figure, type Caption } from './figure.tsx';
import { roundUnits, toLength, topOfScale } from './scale.ts';

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

/** What a figure means. Each tone has a colour (`console.css`) and a pattern, so that nobody needs the colour. */
type Tone = 'good' | 'declined' | 'fault' | 'quiet';

/** The paths of each pattern's tile of 6 by 6 units; `good` is full. */
const tiles: Readonly<Record<Exclude<Tone, 'good'>, string>> = {
  declined: 'M0 6 L6 0',
  fault: 'M0 0 L6 6 M0 6 L6 0',
  quiet: 'M0 3 H6',
};

/** The patterns of the tones. Fills name them by {@link toFill}. */
function TonePatterns({ id, tones }: { id: string; tones: readonly Tone[] }): JSX.Element {
  const patterned = tones.filter((tone) => tone !== 'good');
  return (
    <defs>
      {patterned.map((tone) => (
        <pattern
          key={tone}
          id={`${id}-${tone}`}
          class={`tone tone-${tone}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
        >
          <rect class="tone-ground" width={6} height={6} />
          <path class="tone-lines" d={tiles[tone]} />
        </pattern>
      ))}
    </defs>
  );
}

/** Returns the attribute `fill` of a shape in that tone. A full one is filled by its class. */
function toFill(id: string, tone: Tone): { fill?: string } {
  return tone === 'good' ? {} : { fill: `url(#${id}-${tone})` };
}

interface LegendProps {
  id: string;
  items: readonly { name: string; tone: Tone }[];
}

/** Names the tones beside a picture. The names stand in the table too, so readers of the page skip it. */
function Legend({ id, items }: LegendProps): JSX.Element {
  return (
    <ul class="plot-legend" aria-hidden="true">
      {items.map(({ name, tone }) => (
        <li key={name}>
          <svg class="plot-key" viewBox="0 0 12 12" width={12} height={12}>
            <rect class={`tone tone-${tone}`} width={12} height={12} {...toFill(id, tone)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
