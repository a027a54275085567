import type { ComponentChildren, JSX } from 'preact';
import { Figure, type Caption } from './figure.tsx';

/** Plots over time: bars, lines, and lines as small as a word. */

interface PlotProps extends Caption {
  /** What the first column of the table is called: 'Minute'. */
  stepName: string;
  /** Follows each number: ' ms'. */
  unit?: string;
}

/** A step in order of time, such as '12:04', and one figure a series, 0 or more. `null`: there was nothing to measure. */
interface Step<Value extends number | null> {
  name: string;
  values: readonly Value[];
}

/** The picture of a plot, in units of its `viewBox`. */
const chart = { width: 640, height: 160, left: 56, top: 10, bottom: 20 } as const;

const chartHeight = chart.height - chart.top - chart.bottom;
const chartWidth = chart.width - chart.left;

interface ChartProps extends PlotProps {
  series: readonly string[];
  steps: readonly Step<number | null>[];
  /** The figure at the upper end. */
  top: number;
  /** How a series is told from the others, in the legend. */
  sign: (at: number) => JSX.Element;
  children: ComponentChildren;
}

/** The lines of nothing, of the half and of the top, the ends of the time, and what they are drawn for. */
function Chart({ series, steps, stepName, unit = '', top, sign, children, ...caption }: ChartProps) {
  const table = {
    head: [stepName, ...series],
    rows: steps.map(({ name, values }) => [
      name,
      ...values.map((value) => (value === null ? 'none' : `${value}${unit}`)),
    ]),
  };
  // The names stand in the table too, so readers of the page skip the legend.
  const legend = (
    <ul class="plot-legend" aria-hidden="true">
      {series.map((name, at) => (
        <li key={name}>
          {sign(at)}
          {name}
        </li>
      ))}
    </ul>
  );
  const below = chart.height - 5;
  return (
    <Figure {...caption} width={chart.width} height={chart.height} table={table} legend={legend}>
      <g class="plot-axes">
        {[0, top / 2, top].map((value) => (
          <Level key={value} value={value} y={toY(value, top)} unit={unit} />
        ))}
        <text x={chart.left} y={below}>
          {steps[0]?.name}
        </text>
        {steps.length > 1 && (
          <text x={chart.width} y={below} text-anchor="end">
            {steps.at(-1)?.name}
          </text>
        )}
      </g>
      {children}
    </Figure>
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

export interface BarsProps extends PlotProps {
  /** What each bar is made of, from the bottom to the top. No two have one tone. */
  series: readonly { name: string; tone: Tone }[];
  bars: readonly Step<number>[];
}

/** Stacked bars: how many there were in each step. A series of which there was nothing has no part of its bar. */
export function Bars({ series, bars, ...plot }: BarsProps): JSX.Element {
  const top = topOfScale(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const width = chartWidth / Math.max(1, bars.length);
  const toBox = (at: number) => {
    const tone = series[at]?.tone ?? 'quiet';
    // A full one is filled by its class.
    return { class: `tone tone-${tone}`, ...(tone !== 'good' && { fill: `url(#${plot.id}-${tone})` }) };
  };
  const sign = (at: number) => (
    <svg class="plot-key" viewBox="0 0 12 12" width={12} height={12}>
      <rect {...toBox(at)} width={12} height={12} />
    </svg>
  );
  return (
    <Chart {...plot} {...{ top, sign }} series={series.map(({ name }) => name)} steps={bars}>
      <TonePatterns id={plot.id} tones={series.map(({ tone }) => tone)} />
      {bars.map(({ values }, n) => (
        <g key={n} class="bar">
          {values.map((value, at) =>
            value === 0 ? null : (
              <rect
                key={at}
                {...toBox(at)}
                x={roundUnits(chart.left + n * width + width * 0.1)}
                y={toY(sum(values.slice(0, at + 1)), top)}
                width={roundUnits(width * 0.8)}
                height={toLength(value, top, chartHeight)}
              />
            ),
          )}
        </g>
      ))}
    </Chart>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What a figure means. Each tone has a colour (`console.css`) and a pattern, so that nobody needs the colour. */
type Tone = 'good' | 'declined' | 'fault' | 'quiet';

/** The paths of each pattern's tile of 6 by 6 units; `good` is full. */
const tiles: Readonly<Partial<Record<Tone, string>>> = {
  declined: 'M0 6 L6 0',
  fault: 'M0 0 L6 6 M0 6 L6 0',
  quiet: 'M0 3 H6',
};

function TonePatterns({ id, tones }: { id: string; tones: readonly Tone[] }): JSX.Element {
  const tile = { width: 6, height: 6 };
  return (
    <defs>
      {tones
        .filter((tone) => tiles[tone])
        .map((tone) => (
          <pattern
            key={tone}
            id={`${id}-${tone}`}
            class={`tone tone-${tone}`}
            {...tile}
            patternUnits="userSpaceOnUse"
          >
            <rect class="tone-ground" {...tile} />
            <path class="tone-lines" d={tiles[tone]} />
          </pattern>
        ))}
    </defs>
  );
}

export interface LinesProps extends PlotProps {
  /** At most two: the first is drawn full, the other dashed. */
  series: readonly string[];
  points: readonly Step<number | null>[];
}

/** Lines: how a figure changed over time. A step without a figure is a gap of its line. */
export function Lines({ series, points, ...plot }: LinesProps): JSX.Element {
  const top = topOfScale(Math.max(0, ...points.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const step = chartWidth / Math.max(1, points.length);
  const sign = (at: number) => (
    <svg class="plot-key" viewBox="0 0 24 12" width={24} height={12}>
      <g class={`line line-${at + 1}`}>
        <path d="M0 6 L24 6" />
      </g>
    </svg>
  );
  return (
    <Chart {...plot} {...{ series, top, sign }} steps={points}>
      {series.map((name, at) => {
        const places = points.map(({ values }, n) => {
          const value = values[at] ?? null;
          return value === null ? null : { x: roundUnits(chart.left + (n + 0.5) * step), y: toY(value, top) };
        });
        return <Line key={name} at={at} places={places} marked={places} />;
      })}
    </Chart>
  );
}

type Place = { x: number; y: number } | null;

/** One line with marks, so that a figure between two gaps is seen too. */
function Line({ at, places, marked }: { at: number; places: readonly Place[]; marked: readonly Place[] }) {
  const path = places.map((place, n) => place && `${places[n - 1] ? 'L' : 'M'}${place.x} ${place.y}`);
  return (
    <g class={`line line-${at + 1}`}>
      <path d={path.filter(Boolean).join(' ')} />
      {marked.map((place, n) => place && <circle key={n} cx={place.x} cy={place.y} r={2} />)}
    </g>
  );
}

export interface SparklineProps extends PlotProps {
  /** In order of time. */
  points: readonly { name: string; value: number }[];
  /** From where on an alert is raised: a dashed line. */
  limit?: number;
}

const spark = { width: 160, height: 32, edge: 2 } as const;

/** A line as small as a word. Its last figure, and the limit, stand in its description too. */
export function Sparkline({ points, unit = '', limit, stepName, ...caption }: SparklineProps): JSX.Element {
  const { width, height, edge } = spark;
  const top = topOfScale(Math.max(limit ?? 0, ...points.map(({ value }) => value)));
  const toPlace = (value: number) => roundUnits(height - edge - toLength(value, top, height - 2 * edge));
  const step = (width - 2 * edge) / Math.max(1, points.length - 1);
  const places = points.map(({ value }, at) => ({ x: roundUnits(edge + at * step), y: toPlace(value) }));
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
  return (
    <Figure {...caption} {...{ width, height, table }} description={words.filter(Boolean).join(' ')}>
      {limit !== undefined && (
        <line class="plot-limit" x1={0} x2={width} y1={toPlace(limit)} y2={toPlace(limit)} />
      )}
      <Line at={0} places={places} marked={places.slice(-1)} />
    </Figure>
  );
}

/** Returns the smallest of 1, 2, 5, 10, 20, 50 … that is not below `largest`: the top of a scale that people can read. */
export function topOfScale(largest: number): number {
  if (!(largest > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= largest) ?? 10 * power;
}

/** Returns where `value` lies on a line of `length` units, from 0 to `top`. */
const toLength = (value: number, top: number, length: number) => roundUnits((value / top) * length);

/** Returns how high `value` lies in a chart, from its upper edge. */
const toY = (value: number, top: number) =>
  roundUnits(chart.top + chartHeight - toLength(value, top, chartHeight));

/** Rounds a place to hundredths of a unit: a page says no more digits than a screen can show. */
const roundUnits = (units: number) => Math.round(units * 100) / 100;
