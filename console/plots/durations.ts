/** The units of durations in words, the longest first, in milliseconds. */
const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/**
 * Returns a duration in its one or two longest units: `12 ms`, `4 s`, `2 min 10 s`, `2 d 3 h`. What is shorter is cut off.
 *
 * @param ms milliseconds; below 0 it is 0, since clocks of two processes may differ by a little.
 */
export function toDurationWords(ms: number): string {
  const rest = Math.max(0, Math.round(ms));
  const at = units.findIndex((unit) => rest >= unit.ms);
  const first = units[at];
  if (!first) return `${rest} ms`;
  const next = units[at + 1];
  const many = Math.floor(rest / first.ms);
  const few = next ? Math.floor((rest % first.ms) / next.ms) : 0;
  return few > 0 && next ? `${many} ${first.name} ${few} ${next.name}` : `${many} ${first.name}`;
}
