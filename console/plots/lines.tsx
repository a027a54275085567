import type { JSX } from 'preact';
import { Axes, chart, chartWidth, toY } from './axes.tsx';
import { Figure, type Caption } from './figure.tsx';
import { roundUnits, topOfScale } from './scale.ts';

export interface LinesProps extends Caption {
  /** At most three: the first is drawn full, the others dashed and dotted. */
  series: readonly string[];
  /** In order of time. */
  points: readonly LinePoint[];
  /** What the first column of the table is called: 'Hour'. */
  stepName: string;
  /** Follows each number: ' ms'. */
  unit?: string;
  /** The upper end of the scale; by default the largest figure sets it. */
  top?: number;
}

export interface LinePoint {
  /** The step in words. */
  name: string;
  /** One figure a series, 0 or more; `null`: there was nothing to measure, and the line has a gap. */
  values: readonly (number | null)[];
}

/** Lines: how a figure changed over time. */
export function Lines(props: LinesProps): JSX.Element {
  const { series, points, stepName, unit = '', top: given, ...caption } = props;
  const top =
    given ?? topOfScale(Math.max(0, ...points.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const table = {
    head: [stepName, ...series],
    rows: points.map(({ name, values }) => [
      name,
      ...values.map((value) => (value === null ? 'none' : `${value}${unit}`)),
    ]),
  };
  const legend = <LineLegend series={series} />;
  return (
    <Figure {...caption} width={chart.width} height={chart.height} table={table} legend={legend}>
      <Axes top={top} unit={unit} steps={points.map(({ name }) => name)} />
      {series.map((name, at) => (
        <Line key={name} at={at} values={points.map(({ values }) => values[at] ?? null)} top={top} />
      ))}
    </Figure>
  );
}

/** One line with a mark at each figure, so that a figure between two gaps is seen too. */
function Line({ at, values, top }: { at: number; values: LinePoint['values']; top: number }): JSX.Element {
  const step = chartWidth / Math.max(1, values.length);
  const places = values.map((value, n) =>
    value === null ? null : { x: roundUnits(chart.left + (n + 0.5) * step), y: toY(value, top) },
  );
  return (
    <g class={`line line-${at + 1}`}>
      <path
        d={places
          .map((place, n) => (place ? `${places[n - 1] ? 'L' : 'M'}${place.x} ${place.y}` : ''))
          .filter(Boolean)
          .join(' ')}
      />
      {places.map((place, n) => place && <circle key={n} cx={place.x} cy={place.y} r={2} />)}
    </g>
  );
}

function LineLegend({ series }: { series: readonly string[] }): JSX.Element {
  return (
    <ul class="plot-legend" aria-hidden="true">
      {series.map((name, at) => (
        <li key={name}>
          <svg class="plot-key" viewBox="0 0 24 12" width={24} height={12}>
            <g class={`line line-${at + 1}`}>
              <path d="M0 6 L24 6" />
            </g>
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
