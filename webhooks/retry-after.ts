/**
 * Returns how long a receiver asks to be left alone (RFC 9110 §10.2.3): seconds, or a date. (ms)
 *
 * @returns `null` if the value cannot be read; 0 if the date is past.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` takes nearly anything; the three forms of an HTTP date begin with a weekday.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
