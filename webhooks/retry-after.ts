/**
 * How long a receiver asks to be left alone (RFC 9110 §10.2.3): seconds, or a date.
 *
 * @returns `null` where it says nothing that can be read; a date that is past is no wait.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` takes nearly anything; the three forms of an HTTP date begin with a weekday.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
