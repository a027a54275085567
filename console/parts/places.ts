import type { Page } from '../page.ts';

/** Where the pages are, for links to them. `pages.ts` says it, since the pages themselves have such links. */
export const places: { pages: readonly Page[] } = { pages: [] };
