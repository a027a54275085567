import type { JSX } from 'preact';
import { Table, type Row } from '../parts/table.tsx';

interface ShortListProps {
  /** What the rows are, for those who cannot see the table. */
  caption: string;
  head: readonly string[];
  rows: readonly Row[];
  /** Said in one line instead of no rows: most lists of a healthy account are empty. */
  none: string;
}

/** A table of few rows, or one line. */
export function ShortList({ caption, head, rows, none }: ShortListProps): JSX.Element {
  return rows.length === 0 ? <p class="hint">{none}</p> : <Table {...{ caption, head, rows }} empty={null} />;
}
