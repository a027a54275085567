import { z } from 'zod';
import { firstIdAt, type IdKind } from '#domain/ids.ts';

/**
 * What lists share: the filter by time, and the page around their items (decisions, Lists).
 */

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-01T12:00:00Z' })
  .transform((text) => Date.parse(text))
  .optional();

/** The same filter as members of an object in a body. */
export const createdMembers = { gt: time, gte: time, lt: time, lte: time };

/** A route spreads them into its query schema. */
export const createdParameters = {
  'created[gt]': time.describe('Only what was created after this time.'),
  'created[gte]': time.describe('Only what was created at this time or after.'),
  'created[lt]': time.describe('Only what was created before this time.'),
  'created[lte]': time.describe('Only what was created at this time or before.'),
};

type CreatedQuery = { [Parameter in keyof typeof createdParameters]?: number | undefined };

/** The filter as a range of ids, [from, before): an id carries the time it was created at. */
export function createdRange(kind: IdKind, query: CreatedQuery): { from?: string; before?: string } {
  const lower = [query['created[gte]'], after(query['created[gt]'])].filter((ms) => ms !== undefined);
  const upper = [query['created[lt]'], after(query['created[lte]'])].filter((ms) => ms !== undefined);
  return {
    ...(lower.length > 0 && { from: firstIdAt(kind, Math.max(...lower)) }),
    ...(upper.length > 0 && { before: firstIdAt(kind, Math.min(...upper)) }),
  };
}

function after(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms + 1;
}

export function createPageSchema(item: z.ZodType): z.ZodType {
  return z.strictObject({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });
}
