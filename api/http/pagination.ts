import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKeys, type SecretsKeys } from '#db/encryption.ts';
import type { Database } from '#db/knex.ts';
import type { Found } from '#db/pages.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ListReads } from '../limits/list-reads.ts';
import type { Answer, ApiRequest } from './route.ts';

/** Pages of a list, newest first. A signed cursor names the last item, so new items shift nothing. */

export const defaultPageLimit = 20;
export const maxPageLimit = 100;

/** The parameters of every list; a route spreads them into its query schema. */
export const pageParameters = {
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${maxPageLimit}`)
    .default(String(defaultPageLimit))
    // The value in a query is text. The documents describe it as a number.
    .meta({
      description: `How many items a page holds, 1 to ${maxPageLimit}. (Default: ${defaultPageLimit})`,
      type: 'integer',
      pattern: undefined,
      minimum: 1,
      maximum: maxPageLimit,
      default: defaultPageLimit,
    }),
  starting_after: z.string().optional().describe('`next_cursor` of the page before.'),
};

/** Returns whether a query asks for a page of a list. */
export function isPaged(query: z.ZodType): boolean {
  return query instanceof z.ZodObject && 'starting_after' in query.shape;
}

type ListRequest = Pick<ApiRequest<unknown, PageQuery>, 'path' | 'url' | 'query'> & {
  /** Whose list it is. */
  account: { id: string };
};

/** A query that was parsed with {@link pageParameters}, and the list's own filters. */
export interface PageQuery {
  limit: string;
  starting_after?: string | undefined;
}

export interface Page {
  limit: number;
  /**
   * The position of the last item of the page before, as given to {@link Pages.present}; `null` for the first page.
   */
  after: string | null;
}

export interface Pages {
  /** @throws {ProblemError} `invalid_cursor` when it was made for another account, list or filter, or not by us. */
  read(request: ListRequest): Page;
  /**
   * Returns the answer for a page.
   *
   * @param rows one more than the page's limit if there is a next page.
   * @param shape how to present a row, and the position after which the next page begins, such as its id.
   * @param shape.endedAt where the search for rows ended early: the next page goes on there, although this one is not
   *   full.
   */
  present<Row>(
    request: ListRequest,
    rows: readonly Row[],
    shape: { item: (row: Row) => object; position: (row: Row) => string; endedAt?: string | null },
  ): Answer<200>;
  /**
   * Reads a page and answers with it, within the caller's share of the database.
   *
   * @param find returns at most `limit` rows after the position `after`, from the database that it is given. What it found
   *   by a search may be fewer rows although there is a next page.
   * @param position of a row, which the next page begins behind. (Default: its id)
   * @throws {ProblemError} `invalid_cursor`, `list_too_slow`
   */
  list<Row extends { id: string }>(
    request: ListRequest,
    find: FindRows<Row>,
    item: (row: Row) => object,
  ): Promise<Answer<200>>;
  list<Row>(
    request: ListRequest,
    find: FindRows<Row>,
    item: (row: Row) => object,
    position: (row: Row) => string,
  ): Promise<Answer<200>>;
}

type FindRows<Row> = (page: Page, db: Database) => Promise<readonly Row[] | Found<Row>>;

/**
 * Creates the reader and writer of pages.
 *
 * @param secretsKey the key from which the key of cursors is derived.
 * @param reads reads within the share of a caller.
 */
export function createPages(secretsKey: SecretsKeys, reads: ListReads): Pages {
  const keys = deriveKeys(secretsKey, 'cursors');
  const pages: Pages = {
    read(request) {
      const { limit, starting_after: cursor } = request.query;
      return { limit: Number(limit), after: cursor === undefined ? null : openCursor(keys, request, cursor) };
    },
    present(request, rows, { item, position, endedAt = null }) {
      const limit = Number(request.query.limit);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const end = last === undefined ? endedAt : position(last);
      const next = end === null ? null : sealCursor(keys[0], request, end);
      return {
        status: 200,
        headers: next === null ? {} : { Link: `<${nextUrl(request, next)}>; rel="next"` },
        body: { data: shown.map(item), has_more: next !== null, next_cursor: next },
      };
    },
    async list<Row extends { id: string }>(
      request: ListRequest,
      find: FindRows<Row>,
      item: (row: Row) => object,
      position: (row: Row) => string = ({ id }) => id,
    ) {
      const { limit, after } = pages.read(request);
      const found = await reads.run(request.account.id, (db) => find({ limit: limit + 1, after }, db));
      const { rows, scannedTo } = 'rows' in found ? found : { rows: found, scannedTo: null };
      return pages.present(request, rows, { item, position, endedAt: scannedTo });
    },
  };
  return pages;
}

const tagBytes = 16;

/** Returns the tag and the position in base64url. It tells callers no more than the id that they have seen. */
function sealCursor(key: Buffer, request: ListRequest, position: string): string {
  return Buffer.concat([sign(key, request, position), Buffer.from(position)]).toString('base64url');
}

function openCursor(keys: readonly Buffer[], request: ListRequest, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(tagBytes).toString();
  const isOurs =
    bytes.length > tagBytes &&
    keys.some((key) => timingSafeEqual(bytes.subarray(0, tagBytes), sign(key, request, position)));
  // The decoder skips other characters, so only our own spelling is accepted.
  if (!isOurs || bytes.toString('base64url') !== cursor) throw new ProblemError('invalid_cursor');
  return position;
}

function sign(key: Buffer, { account, path, query }: ListRequest, position: string): Buffer {
  const { limit: _limit, starting_after: _cursor, ...filters } = query as PageQuery & Record<string, unknown>;
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    // One value of a parameter that may be repeated reads as it did when it could not be.
    .map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value] as const);
  const scope = JSON.stringify([account.id, path, given.toSorted(([a], [b]) => (a < b ? -1 : 1)), position]);
  return createHmac('sha256', key).update(scope).digest().subarray(0, tagBytes);
}

/** Returns the URL of the next page, relative to the request (RFC 8288 §3.1). */
function nextUrl({ path, url }: ListRequest, cursor: string): string {
  const parameters = new URLSearchParams(url.slice(path.length));
  parameters.set('starting_after', cursor);
  return `${path}?${parameters.toString()}`;
}
