import type { ComponentChildren, JSX } from 'preact';
import { Table } from '../parts/table.tsx';

/** What every picture says in words. */
export interface Caption {
  /** Unique on the page: other ids are made from it. */
  id: string;
  title: string;
  /** What the picture shows, in a sentence, for those who do not see it. */
  description: string;
}

/** The figures of a picture, for the table below it. */
export interface FigureTable {
  head: readonly string[];
  /** The first cell of a row is its name. */
  rows: readonly (readonly string[])[];
}

interface FigureProps extends Caption {
  width: number;
  height: number;
  table: FigureTable;
  /** What explains the picture: a legend. */
  legend?: JSX.Element;
  children: ComponentChildren;
}

/** A picture with its title, its description, and the same figures in a table. */
export function Figure(props: FigureProps): JSX.Element {
  const { id, title, description, width, height, legend, table, children } = props;
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      {/* A wide picture scrolls in its own frame, by keyboard too. */}
      <div class="plot-frame" role="group" tabindex={0} aria-label={`${title}: picture`}>
        <svg
          role="img"
          class="plot-picture"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          aria-labelledby={`${id}-title ${id}-description`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {children}
        </svg>
      </div>
      {legend}
      <details>
        <summary>{title}: as a table</summary>
        <Table
          caption={`${title}: table`}
          head={table.head}
          rows={table.rows.map((cells, row) => ({ key: String(row), cells }))}
          empty="There is nothing to show."
        />
      </details>
    </figure>
  );
}
