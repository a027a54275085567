import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { JSX } from 'preact';
import { render } from 'preact-render-to-string';
import type { Context } from '#http/context.ts';
import type { Section, Visit } from '../page.ts';
import { pages } from '../pages.ts';
import { type Entry, Layout } from '../parts/layout.tsx';
import { Zone } from '../parts/values.tsx';
import { may } from '../session/session.ts';

/** Marks where parts go that are rendered already. Nobody can guess it, so nothing on a page can hold it. */
const place = randomUUID();

const sections: readonly Entry[] = [
  { section: 'overview', label: 'Overview', path: '/', key: 'o' },
  { section: 'payments', label: 'Payments', path: '/payments', key: 'p' },
  { section: 'requests', label: 'Requests', path: '/requests', key: 'r' },
  { section: 'webhooks', label: 'Webhooks', path: '/webhooks', key: 'w' },
  { section: 'operations', label: 'Operations', path: '/operations', key: 'e' },
  { section: 'service', label: 'Service', path: '/service', key: 's' },
  { section: 'access', label: 'Access', path: '/access', key: 'a' },
];

/** Returns the screens that this person may see. */
export function listEntries({ session }: Pick<Visit, 'session'>): Entry[] {
  return sections.filter(({ path }) =>
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
export function renderDocument(shell: Shell, content: JSX.Element | string): string {
  return renderWhole(
    <Zone.Provider value={shell.visit.timeZone}>
      <Layout {...shell} entries={listEntries(shell.visit)}>
        {content}
      </Layout>
    </Zone.Provider>,
  );
}

/** Returns a page of parts that were rendered before. */
export function renderParts(shell: Shell, parts: readonly string[]): string {
  const [before = '', after = ''] = renderDocument(shell, place).split(place);
  return before + parts.join('') + after;
}

/** Returns a whole document. */
export function renderWhole(document: JSX.Element): string {
  return `<!DOCTYPE html>${render(document)}`;
}

const compress = promisify(gzip);

/** Below this many bytes compression saves no packet. */
const worthCompressing = 1_400;

/**
 * Sends a page, or a part of one, compressed where the browser takes it. Length tells nothing to a page elsewhere: its
 * requests come without the cookie (BREACH).
 */
export async function sendHtml(ctx: Context, status: number, html: string): Promise<void> {
  const bytes = Buffer.from(html);
  ctx.status = status;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.vary('Accept-Encoding');
  if (bytes.length < worthCompressing || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = bytes;
    return;
  }
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = await compress(bytes, { level: constants.Z_BEST_SPEED + 4 });
}
