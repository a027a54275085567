import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { may } from '../session/scopes.ts';

const tabs = [
  { label: 'Payments', path: '/payments', scope: 'charges:read' },
  { label: 'Refunds', path: '/refunds', scope: 'refunds:read' },
  { label: 'Customers', path: '/customers', scope: 'customers:read' },
] as const;

/** The rows of a page of a list. */
export const rowsPerPage = 25;

/** The lists of this section, as far as this person may read them. */
export function Tabs({ visit }: { visit: Visit }): JSX.Element {
  return (
    <nav class="tabs" aria-label="Lists">
      <ul>
        {tabs
          .filter(({ scope }) => may(visit.session, scope))
          .map(({ label, path }) => (
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
