import type { JSX } from 'preact';
import type { Visit } from '../page.ts';

interface PagerProps {
  visit: Visit;
  /** `next_cursor` of the answer; `null` at the end. */
  cursor: string | null;
  /** What the addresses say beside the filters. */
  also?: Readonly<Record<string, string>>;
}

/** Leads to the next page of a list, with the same filters. */
export function Pager({ visit, cursor, also = {} }: PagerProps): JSX.Element | null {
  const isFirst = !visit.query.has('cursor');
  if (isFirst && cursor === null) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      {isFirst ? null : <a href={withQuery(visit, { ...also, cursor: null })}>Newest</a>}
      {cursor === null ? null : (
        <a href={withQuery(visit, { ...also, cursor })} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}

/** Returns the address of the visit with other parameters; `null` takes one away. */
export function withQuery(visit: Visit, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(visit.query);
  query.delete('region');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? visit.path : `${visit.path}?${text}`;
}
