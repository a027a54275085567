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
