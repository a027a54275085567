import type { ExportOperation, ExportRequest } from '#client/src/index.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { formatAmount } from '#domain/money.ts';
import { fromCreated } from '../parts/span.ts';

/** What an export was asked for: in words, and as the form that asks for the same again. */

/** Returns what was asked for, by the names of the form's fields; those that are empty are left out. */
function toFields({ resource, format, filter }: ExportRequest, now: Date): [name: string, value: string][] {
  const { created, amount, ...rest } = filter;
  const { from, to } = fromCreated(created ?? {});
  const isOldest = resource === 'events' && Date.parse(from) <= now.getTime() - eventRetentionMs;
  const fields = {
    resource,
    format,
    ...rest,
    // The API begins an export of events with the oldest that are kept, which nobody has to ask for.
    from: isOldest ? '' : from,
    to,
    amount: amount === undefined ? '' : formatAmount({ amount, currency: filter.currency ?? '' }),
  };
  return Object.entries(fields).filter(([, value]) => value !== '');
}

/**
 * Returns the address of the form with all that was asked for. Payments have a form of their own.
 *
 * @returns `null` if no form asks for the same: it wants the currency of an amount, and has no actor.
 */
export function exportAgain({ request }: ExportOperation, now: Date): string | null {
  if (!request) return '/operations/new-export';
  const { amount, currency, actor } = request.filter;
  if (actor !== undefined || (amount !== undefined && currency === undefined)) return null;
  const fields = toFields(request, now);
  if (request.resource !== 'charges') return `/operations/new-export?${new URLSearchParams(fields)}`;
  const filters = fields.filter(([name]) => name !== 'resource');
  return `/payments/export?${new URLSearchParams(filters)}`;
}

/** Returns the filters in words, such as `status succeeded, from 2026-03-01`. */
export function describeFilters(request: ExportRequest, now: Date): string {
  const fields = toFields(request, now).filter(([name]) => name !== 'resource' && name !== 'format');
  return fields.map(([name, value]) => `${name} ${value}`).join(', ');
}
