import type { JSX } from 'preact';
import type { Scope } from '#domain/scopes.ts';
import type { Visit } from '../page.ts';
import { may } from '../session/session.ts';

type Tab = readonly [label: string, path: string, scope: Scope];

/** Returns the links to the lists of a section, as far as this person may read them. */
function tabs(...all: Tab[]): (visit: Visit) => JSX.Element {
  return (visit) => (
    <nav class="tabs" aria-label="Lists">
      <ul>
        {all
          .filter(([, , scope]) => may(visit.session, scope))
          .map(([label, path]) => (
            <li key={path}>
              <a href={path} aria-current={path === visit.path ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

export const overviewTabs = tabs(['Overview', '/', 'charges:read'], ['Today', '/today', 'charges:read']);

export const paymentTabs = tabs(
  ['Payments', '/payments', 'charges:read'],
  ['Refunds', '/refunds', 'refunds:read'],
  ['Customers', '/customers', 'customers:read'],
);

export const accessTabs = tabs(
  ['Clients', '/access', 'access:read'],
  ['Members', '/access/members', 'access:read'],
  ['Sessions', '/access/sessions', 'access:read'],
  ['Audit', '/access/audit', 'access:read'],
);

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
