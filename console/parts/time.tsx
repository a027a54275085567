import type { JSX } from 'preact';

/** A time in UTC; `times.js` shows it in the reader's own zone. `null` is a dash. */
export function Time({ at }: { at: Date | string | null }): JSX.Element {
  if (at === null) return <span class="none">–</span>;
  const date = typeof at === 'string' ? new Date(at) : at;
  return <time dateTime={date.toISOString()}>{formatTime(date)}</time>;
}

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Returns `1 Nov 2026, 12:00:00 UTC`. */
export function formatTime(at: Date): string {
  return `${format.format(at)} UTC`;
}
