import { z } from 'zod';
import type { ChargeQuery } from '#client/src/index.ts';
import { chargeStatuses } from '#domain/charges.ts';
import { isCurrency } from '#domain/currencies.ts';
import { parseMoney } from '#domain/money.ts';
import { isOrdered, spanEnd, toCreated } from '../parts/span.ts';

/** The filters of the list of payments, which are those of an export too. */

const dayMs = 86_400_000;

/** Within how many days an amount or a currency is looked for, as the API wants it. */
export const scannedDays = 31;

const end = spanEnd('Write a day such as 2026-11-01.');

const fields = {
  status: z.union([z.literal(''), z.enum(chargeStatuses)], 'Choose one of the list.').default(''),
  from: end,
  to: end,
  reference: z.string().trim().max(64, 'A reference has at most 64 characters.').default(''),
  amount: z.string().trim().default(''),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => code === '' || isCurrency(code), 'Write a currency such as EUR.')
    .default(''),
  customer: z
    .string()
    .trim()
    .refine((id) => id === '' || /^cus_[0-9A-Z]{26}$/.test(id), 'Write the id of a customer, cus_…')
    .default(''),
};

/** What is typed into the form, as texts; an empty one does not filter. */
export const chargeFilters = z
  .object(fields)
  .refine(isOrdered, { path: ['to'], error: 'The last day is before the first.' })
  .superRefine(({ amount, currency }, issues) => {
    if (amount === '') return;
    if (currency === '')
      issues.addIssue({ code: 'custom', path: ['currency'], message: 'An amount needs its currency.' });
    else if (parseMoney(amount, currency) === null)
      issues.addIssue({
        code: 'custom',
        path: ['amount'],
        message: `Write an amount of ${currency}, such as ${parseMoney('1.00', currency) === null ? '1' : '1.00'}.`,
      });
  });

export type ChargeFilters = z.output<typeof chargeFilters>;

export const filterNames = Object.keys(fields) as (keyof ChargeFilters)[];

/** Returns the filters of an address; what cannot be read is named by its field. */
export function readFilters(
  query: URLSearchParams,
): { filters: ChargeFilters } | { faults: Record<string, string> } {
  const given = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']));
  const parsed = chargeFilters.safeParse(given);
  if (parsed.success) return { filters: parsed.data };
  return {
    faults: Object.fromEntries(
      parsed.error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]),
    ),
  };
}

/** The filters as the API takes them, but for the time. `amount` in minor units. */
interface Chosen {
  status?: NonNullable<ChargeQuery['status']>;
  reference?: string;
  amount?: number;
  currency?: NonNullable<ChargeQuery['currency']>;
  customer?: string;
}

/** Returns the members of a query, or of an export's filter, that both have. */
export function toChosen({ status, reference, amount, currency, customer }: ChargeFilters): Chosen {
  const minor = amount === '' ? null : parseMoney(amount, currency);
  return {
    ...(status !== '' && { status }),
    ...(reference !== '' && { reference }),
    ...(minor !== null && { amount: minor }),
    ...(currency !== '' && { currency: currency as NonNullable<ChargeQuery['currency']> }),
    ...(customer !== '' && { customer }),
  };
}

/**
 * Returns the filters with a first day, where they need one: the API looks for an amount or a currency within
 * {@link scannedDays} only. These are the last ones of the filters, or the last ones there are.
 */
export function withFirstDay(filters: ChargeFilters, now: Date): ChargeFilters {
  const { amount, currency, from, to } = filters;
  if (from !== '' || (amount === '' && currency === '')) return filters;
  const last = to === '' ? now.getTime() : Date.parse(to);
  return { ...filters, from: new Date(last - (scannedDays - 1) * dayMs).toISOString().slice(0, 10) };
}

export function toQuery(filters: ChargeFilters): ChargeQuery {
  const { gte, lt } = toCreated(filters);
  return {
    ...toChosen(filters),
    ...(gte !== undefined && { 'created[gte]': gte }),
    ...(lt !== undefined && { 'created[lt]': lt }),
  };
}
