import { z } from 'zod';
import type { Outcome } from './confirm.ts';
import { missingResource } from './errors.ts';
import { expand, id, integer } from './form.ts';
import { present } from './present.ts';
import type { RecordKind, StripeRecord } from './records.ts';
import { ok, type StripeRequest } from './request.ts';

const created = z.union([
  integer.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
]);

const paging = {
  limit: integer.refine((value) => value >= 1 && value <= 100, 'parameter_invalid_integer').default(10),
  starting_after: id.optional(),
  ending_before: id.optional(),
  created: created.optional(),
  expand,
};

export const intentsParams = z.strictObject(paging);
export const refundsParams = z.strictObject({
  ...paging,
  payment_intent: id.optional(),
  charge: id.optional(),
});
export const transactionsParams = z.strictObject({
  ...paging,
  type: id.optional(),
  source: id.optional(),
  currency: id.optional(),
});
export const eventsParams = z.strictObject({ ...paging, type: id.optional() });

interface Paging {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?:
    | { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined }
    | undefined;
}

function isWithin(at: number, range: Paging['created'] = {}): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return at > gt && at >= gte && at < lt && at <= lte;
}

/** Which members of a record a filter of the same name compares. */
function fits(record: StripeRecord, filters: Record<string, unknown>): boolean {
  const own: Record<string, unknown> = { ...record };
  return Object.entries(filters).every(([name, wanted]) => {
    return wanted === undefined || own[name] === wanted;
  });
}

/** Parameters and the record's members that they compare. */
function filtersIn(params: object): Record<string, unknown> {
  const { payment_intent, charge, type, source } = params as Record<string, unknown>;
  return { intent: payment_intent, charge, type, source };
}

function* walk(ids: readonly string[], from: number, step: 1 | -1): Generator<string> {
  for (let index = from; index >= 0 && index < ids.length; index += step) yield ids[index]!;
}

/** Collects up to `limit + 1` records in one direction. The kinds are ordered by time, so the range ends the search. */
function collect(
  request: StripeRequest<Paging>,
  walked: Iterable<string>,
  isOver: (at: number) => boolean,
): StripeRecord[] {
  const { draft, params } = request;
  const found: StripeRecord[] = [];
  const filters = filtersIn(params);
  for (const one of walked) {
    const record = draft.get(one)!;
    if (isOver(record.created)) break;
    if (record.account !== draft.account || !isWithin(record.created, params.created)) continue;
    if (!fits(record, filters)) continue;
    found.push(record);
    if (found.length > params.limit) break;
  }
  return found;
}

function findPage(request: StripeRequest<Paging>, kind: RecordKind, ids: readonly string[]): StripeRecord[] {
  const { draft, params } = request;
  const { starting_after: after, ending_before: before, created: range = {} } = params;
  const position = (of: string, param: string) => {
    const index = ids.indexOf(of);
    if (index === -1) throw missingResource(kind, of, param);
    return index;
  };
  const quick = (of: string, param: string) =>
    ids === draft.state.ids(kind) && draft.get(of)?.kind === kind
      ? draft.state.position(of)!
      : position(of, param);
  if (before !== undefined) {
    const { lt = Infinity, lte = Infinity } = range;
    const newer = walk(ids, quick(before, 'ending_before') + 1, 1);
    return collect(request, newer, (at) => at >= lt || at > lte);
  }
  const { gt = -Infinity, gte = -Infinity } = range;
  const first = after === undefined ? ids.length - 1 : quick(after, 'starting_after') - 1;
  return collect(request, walk(ids, first, -1), (at) => at <= gt || at < gte);
}

/** Answers with a page of a kind, the newest first. `ending_before` pages towards the newest. */
export function listOf(kind: RecordKind, url: string) {
  return (request: StripeRequest<Paging>): Outcome => {
    const { draft, params } = request;
    const { payment_intent: intent } = params as { payment_intent?: string };
    const isNarrow = kind === 'refund' && intent !== undefined;
    const found = findPage(request, kind, isNarrow ? draft.state.refundsOf(intent) : draft.state.ids(kind));
    const page = found.slice(0, params.limit);
    if (params.ending_before !== undefined) page.reverse();
    const data = page.map((record) => present(draft, record));
    return ok({ object: 'list', data, has_more: found.length > params.limit, url });
  };
}
