import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import type { IdRange } from '#db/pages.ts';
import { firstIdAt, type IdKind } from '#domain/ids.ts';
import { pageParameters } from './pagination.ts';
import { instant } from './schemas.ts';

/** The filter by time and the page that all lists share. */

const time = instant.optional();

/** The same filter as members of an object in a body. */
export const createdMembers = {
  gt: time.describe('Only items created after this time.'),
  gte: time.describe('Only items created at this time or after.'),
  lt: time.describe('Only items created before this time.'),
  lte: time.describe('Only items created at this time or before.'),
};

/** A route spreads them into its query schema. */
export const createdParameters = {
  'created[gt]': createdMembers.gt,
  'created[gte]': createdMembers.gte,
  'created[lt]': createdMembers.lt,
  'created[lte]': createdMembers.lte,
};

/** Milliseconds since the epoch, with a fraction where the caller named one. */
type TimeRange = { [Bound in keyof typeof createdMembers]?: number | undefined };

/** A query that was parsed with {@link createdParameters}. */
export type CreatedQuery = { [Parameter in keyof typeof createdParameters]?: number | undefined };

/** Returns the filter by time as a range of ids, [from, before): an id carries the time when it was created. */
export function createdRange(kind: IdKind, query: CreatedQuery): { from?: string; before?: string } {
  const { 'created[gt]': gt, 'created[gte]': gte, 'created[lt]': lt, 'created[lte]': lte } = query;
  return toIdRange(kind, { gt, gte, lt, lte });
}

/** Returns a range of time as a range of ids, [from, before). */
export function toIdRange(kind: IdKind, { gt, gte, lt, lte }: TimeRange): { from?: string; before?: string } {
  const lower = [gte, after(gt)].filter((ms) => ms !== undefined);
  const upper = [lt, after(lte)].filter((ms) => ms !== undefined);
  return {
    ...(lower.length > 0 && { from: firstIdAt(kind, Math.max(...lower)) }),
    ...(upper.length > 0 && { before: firstIdAt(kind, Math.min(...upper)) }),
  };
}

/** Returns the lowest id that is shown of a kind that is kept for a time: older ones may be deleted at any time. */
export function findOldestShown(kind: IdKind, retentionMs: number): string {
  return firstIdAt(kind, currentTimeMs() - retentionMs);
}

/** Returns the part of a range that is shown. */
export function toShown(
  kind: IdKind,
  { from = '', before }: IdRange,
  retentionMs: number,
): { from: string; before: string | undefined } {
  const oldest = findOldestShown(kind, retentionMs);
  return { from: from > oldest ? from : oldest, before };
}

function after(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.floor(ms) + 1;
}

/** The parameters of most lists; a route spreads them into its query schema. */
export const listParameters = { ...pageParameters, ...createdParameters };

/** The filter by metadata, as `metadata[key]=value`. A route spreads it into its query schema. */
export const metadataParameter = {
  metadata: z
    .record(z.string().min(1).max(40), z.string().max(500))
    .refine((entries) => Object.keys(entries).length >= 1, 'names a key, as in `metadata[order]=6735`')
    .refine((entries) => Object.keys(entries).length <= 5, 'names at most 5 keys')
    .meta({
      id: 'MetadataFilter',
      description:
        'Only items with all of these names and values, at most 5, such as `metadata[order]=6735`.',
      maxProperties: 5,
      minProperties: 1,
      example: { order: '6735' },
    })
    .optional(),
};

/**
 * Returns the schema of a page, which the documents call after its items: `ChargeList`.
 *
 * @param item a schema with an id.
 */
export function createPageSchema(item: z.ZodType): z.ZodType {
  const id = z.globalRegistry.get(item)?.id;
  if (id === undefined) throw new Error('The items of a list need an id in the documents');
  return z
    .strictObject({
      data: z.array(item).max(100).describe('The items of this page, at most `limit`.'),
      has_more: z.boolean().describe('Whether another page follows.'),
      next_cursor: z
        .string()
        .nullable()
        .describe(
          '`starting_after` of the next page; `null` on the last one. Valid for this list and filter only.',
        ),
    })
    .meta({ id: `${id}List`, description: 'A page of a list' });
}

/** What the description of a list says whose filters may be searched for. */
export const searchedPages = `Filters that no index holds together are looked for in a bounded number of rows. So a page may hold fewer
than \`limit\`, or none, while \`has_more\` is true: go on with \`next_cursor\`.`;
