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
