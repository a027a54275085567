import type { Context } from './context.ts';

/** Text for people and for programs. Colours are for terminals only (https://no-color.org). */

type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

const codes: Record<Colour, [open: number, close: number]> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export interface Output {
  /** Prints a line of the answer. */
  line(text?: string): void;
  /** Prints a value as JSON: indented for a terminal, one line for a program. */
  json(value: unknown): void;
  /** Prints a line beside the answer: to stderr, so that a pipe gets the answer alone. */
  note(text: string): void;
  paint(colour: Colour, text: string): string;
}

export function createOutput({ stdout, stderr, env }: Pick<Context, 'stdout' | 'stderr' | 'env'>): Output {
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || !stdout.isTTY;
  return {
    line: (text = '') => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    paint(colour, text) {
      const [open, close] = codes[colour];
      return isPlain ? text : `\u001B[${open}m${text}\u001B[${close}m`;
    },
  };
}

/**
 * Returns the rows under their headings, in columns. Control characters become spaces: what the service sends must not
 * move the cursor of a terminal.
 */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [headings, ...rows].map((row) => row.map(toPrintable));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns the text without control characters. */
export function toPrintable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
