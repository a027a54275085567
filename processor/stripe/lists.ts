import type { z } from 'zod';
import type { StripeClient, Within } from './client.ts';
import { unreadable } from './errors.ts';
import type { FormValue } from './form.ts';
import { pageOf, type Page } from './objects.ts';

const pageSize = 100;

interface List<T> {
  path: string;
  query: Record<string, FormValue>;
  item: z.ZodType<T>;
}

/**
 * Reads a list to its end, newest first, and returns the items that fit. The time of the call bounds it: a list that
 * cannot be read in time is a fault, never "not found".
 */
export async function findInPages<T extends { id: string }>(
  stripe: StripeClient,
  { path, query, item }: List<T>,
  fits: (item: T) => boolean,
  within: Within,
): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | null = null; ;) {
    const asked = { ...query, limit: pageSize, starting_after: after };
    const page: Page<T> = await stripe.ask({ path, query: asked, schema: pageOf(item) }, within);
    found.push(...page.data.filter(fits));
    if (!page.has_more) return found;
    const last = page.data.at(-1);
    if (!last || last.id === after) throw unreadable('a list that does not go on');
    after = last.id;
  }
}
