import type { Role } from '#domain/roles.ts';
import { sharedConsole, type Seen, type Visitor } from './stack/console.ts';

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns what a person reads of a page: without markup and entities, each run of blanks as one. */
export function readText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ');
}

/** Returns where the first link with this text leads. @throws if there is none. */
export function findLink({ html }: { html: string }, text: string): string {
  for (const [, href = '', inner = ''] of html.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs))
    if (readText(inner).includes(text)) return href.replaceAll('&amp;', '&');
  throw new Error(`There is no link "${text}" in ${readText(html)}`);
}

/** A page as its reader sees it. */
export interface ReadPage extends Seen {
  text: string;
  /** Where a 303 leads. */
  location: string | null;
}

/** What a visitor does, with pages that are read. */
export interface PageReader {
  session: Visitor['session'];
  get(path: string): Promise<ReadPage>;
  post(path: string, form: Record<string, string>): Promise<ReadPage>;
  /** Fills the form of an action in, and returns its preview. */
  preview(path: string, values?: Record<string, string>): Promise<ReadPage>;
  /** The same, and sends the preview. */
  act(path: string, values?: Record<string, string>): Promise<ReadPage>;
}

/** Signs a new member of the account in, on the console that the tests of this process share. */
export async function signInReader(who: { accountId: string; role: Role }): Promise<PageReader> {
  const visitor = await (await sharedConsole()).signIn(who);
  return createReader(visitor);
}

export function createReader(visitor: Visitor): PageReader {
  const read = async (seen: Promise<Seen>): Promise<ReadPage> => {
    const page = await seen;
    return { ...page, text: readText(page.html), location: page.headers.get('location') };
  };
  return {
    session: visitor.session,
    get: (path) => read(visitor.get(path)),
    post: (path, form) => read(visitor.post(path, form)),
    preview: (path, values) => read(visitor.preview(path, values)),
    act: (path, values) => read(visitor.act(path, values)),
  };
}
