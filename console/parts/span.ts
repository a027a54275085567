import { z } from 'zod';

/** A span of time in a form: the two fields `from` and `to`, which hold days in UTC. A link may fill in times too. */

const dayMs = 86_400_000;

/**
 * One end of a span, as text: a day such as 2026-03-01, a time such as 2026-03-01T12:00:00Z, or nothing.
 *
 * @param fault what is said of anything else.
 */
export const spanEnd = (fault: string) =>
  z.union([z.literal(''), z.iso.date(), z.iso.datetime()], fault).default('');

/** The fields of a span, as filters. Its days are those of UTC, whatever the zone of the reader. */
export const spanInputs = {
  from: { label: 'From (UTC)', type: 'date' },
  to: { label: 'To (UTC)', type: 'date' },
} as const;

export interface Span {
  from: string;
  to: string;
}

/** Returns the span as the API takes it. The last day is part of it; a time that is its end is not. */
export function toCreated({ from, to }: Span): { gte?: string; lt?: string } {
  return {
    ...(from !== '' && { gte: isDay(from) ? `${from}T00:00:00.000Z` : from }),
    ...(to !== '' && { lt: isDay(to) ? new Date(Date.parse(to) + dayMs).toISOString() : to }),
  };
}

/** Returns the span as members of a list's query. */
export function toCreatedQuery(span: Span): { 'created[gte]'?: string; 'created[lt]'?: string } {
  return Object.fromEntries(Object.entries(toCreated(span)).map(([end, at]) => [`created[${end}]`, at]));
}

/** Returns the fields of a span: days where its ends are those of days. The reverse of {@link toCreated}. */
export function fromCreated({ gte = '', lt = '' }: { gte?: string; lt?: string }): Span {
  const isMidnight = (time: string) => Date.parse(time) % dayMs === 0;
  return {
    from: isMidnight(gte) ? gte.slice(0, 10) : gte,
    to: isMidnight(lt) ? new Date(Date.parse(lt) - dayMs).toISOString().slice(0, 10) : lt,
  };
}

/** Whether the span does not end before it begins. */
export function isOrdered(span: Span): boolean {
  const { gte, lt } = toCreated(span);
  return gte === undefined || lt === undefined || Date.parse(gte) < Date.parse(lt);
}

/** A browser's field for days shows no time. */
export function spanFieldType(value: string | undefined): 'date' | 'text' {
  return value === undefined || value === '' || isDay(value) ? 'date' : 'text';
}

/** Text that is neither a day nor a time goes on as it is, so that the API says what is wrong with it. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
