import { randomUUID } from 'node:crypto';
import type { JSX } from 'preact';
import { render } from 'preact-render-to-string';
import { Layout, type Entry } from '../parts/layout.tsx';
import type { Section, Visit } from '../page.ts';
import { pages } from '../pages.ts';
import { may } from '../session/scopes.ts';

/** Marks where parts go that are rendered already. Nobody can guess it, so nothing on a page can hold it. */
const place = randomUUID();

const labels: readonly [Section, string, path: string][] = [
  ['overview', 'Overview', '/'],
  ['payments', 'Payments', '/payments'],
  ['requests', 'Requests', '/requests'],
  ['webhooks', 'Webhooks', '/webhooks'],
  ['operations', 'Operations', '/operations'],
  ['service', 'Service', '/service'],
  ['access', 'Access', '/access'],
];

/** The screens that this person may see. */
export function listEntries({ session }: Pick<Visit, 'session'>): Entry[] {
  return labels
    .map(([section, label, path]) => ({ section, label, path }))
    .filter(({ path }) =>
      pages.some((page) => page.path === path && (page.scope === null || may(session, page.scope))),
    );
}

export interface Shell {
  title: string;
  visit: Visit;
  section: Section | null;
  isLive?: boolean;
}

/** Returns a page of a signed-in person. */
export function renderDocument(shell: Shell, content: JSX.Element): string {
  return renderWhole(
    <Layout {...shell} entries={listEntries(shell.visit)}>
      {content}
    </Layout>,
  );
}

/** Returns a page of parts that were rendered before. */
export function renderParts(shell: Shell, parts: readonly string[]): string {
  const [before = '', after = ''] = renderWhole(
    <Layout {...shell} entries={listEntries(shell.visit)}>
      {place}
    </Layout>,
  ).split(place);
  return before + parts.join('') + after;
}

/** Returns a whole document. */
export function renderWhole(document: JSX.Element): string {
  return `<!DOCTYPE html>${render(document)}`;
}
