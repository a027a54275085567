/** The texts that commands print. */

const units: readonly [ms: number, unit: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
];

/** Returns milliseconds as options spell them: `7d`, `90s`. */
export function spellDuration(ms: number): string {
  if (ms === 0) return '0s';
  const [size, unit] = units.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms'];
  return `${ms / size}${unit}`;
}

/** Returns a line for each entry, with the values aligned. */
export function formatFacts(entries: Record<string, string | null | undefined>): string {
  const shown = Object.entries(entries).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** Returns the rows as aligned columns, or `nothing` if there are no rows. */
export function formatTable(columns: readonly string[], rows: readonly string[][], nothing: string): string {
  if (rows.length === 0) return nothing;
  const lines = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
