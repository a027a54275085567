import type { JSX } from 'preact';
import type { Visit } from '../page.ts';

const tabs = [
  { label: 'Clients', path: '/access' },
  { label: 'Members', path: '/access/members' },
  { label: 'Sessions', path: '/access/sessions' },
  { label: 'Audit', path: '/access/audit' },
];

/** The rows of a page of a list. */
export const rowsPerPage = 25;

/** The lists of this section; one scope reads all of them. */
export function Tabs({ visit }: { visit: Visit }): JSX.Element {
  return (
    <nav class="tabs" aria-label="Lists">
      <ul>
        {tabs.map(({ label, path }) => (
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

/** Returns the query of a page of a list. */
export function toPage({ query }: Visit): { limit: number; starting_after?: string } {
  const cursor = query.get('cursor');
  return { limit: rowsPerPage, ...(cursor !== null && { starting_after: cursor }) };
}
