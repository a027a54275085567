import type { CallOptions, CallPromise } from './calls.ts';

/** One page of a list, as the service answers it. */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  /** `starting_after` of the next page; `null` on the last. */
  next_cursor: string | null;
}

/** Reads the page after this cursor; `undefined`: the first that the caller asked for. */
type ReadPage<Item> = (cursor: string | undefined) => CallPromise<Page<Item>>;

/**
 * A list, which is read page by page as it is walked:
 *
 * ```ts
 * for await (const charge of client.charges.list({ status: 'failed' })) …
 * ```
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;

  constructor(read: ReadPage<Item>) {
    this.#read = read;
  }

  /** Reads the first page alone. `query.starting_after` of the next call is its `next_cursor`. */
  page(): CallPromise<Page<Item>> {
    return this.#read(undefined);
  }

  /** Reads page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<Item> = await this.#read(cursor);
      yield page;
      cursor = page.has_more ? page.next_cursor : null;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Reads the first `limit` items, over as many pages as it takes. */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}

/** Returns a list whose pages these calls read. */
export function toList<Query extends object, Item>(
  query: Query | undefined,
  options: CallOptions | undefined,
  read: (query: Query, options: CallOptions | undefined) => CallPromise<Page<Item>>,
): List<Item> {
  return new List((cursor) =>
    read({ ...query, ...(cursor !== undefined && { starting_after: cursor }) } as Query, options),
  );
}
