import type { JSX } from 'preact';
import type { Section, Visit } from '../page.ts';
import { places } from './places.ts';
import { may } from '../session/session.ts';

/** Returns the links to the lists of a section, as far as this person may read them. */
function tabs(section: Section): (visit: Visit) => JSX.Element {
  return (visit) => (
    <nav class="tabs" aria-label="Lists">
      <ul>
        {places.pages
          .filter((page) => page.tab !== undefined && page.section === section)
          .filter(({ scope }) => scope === null || may(visit.session, scope))
          .map(({ tab, path }) => (
            <li key={path}>
              <a href={path} aria-current={path === visit.path ? 'page' : undefined}>
                {tab}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

export const overviewTabs = tabs('overview');
export const paymentTabs = tabs('payments');
export const accessTabs = tabs('access');

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
