import { z } from 'zod';
import type { ChargeQuery } from '#client/src/index.ts';
import { chargeStatuses } from '#domain/charges.ts';
import { isCurrency } from '#domain/currencies.ts';
import { parseMoney } from '#domain/money.ts';
import { isOrdered, spanEnd, spanInputs, toCreatedQuery } from '../parts/span.ts';
import { toWordOptions } from '../parts/form.tsx';
import { toFaults, toSchema, type FormInput, type FormValues } from '../screens/verbs.tsx';
import type { Faults } from '../page.ts';

/** The filters of the list of payments, which are those of an export too. */

const dayMs = 86_400_000;

/** Within how many days an amount or a currency is looked for, as the API wants it. */
export const scannedDays = 31;

const end = spanEnd('Write a day such as 2026-11-01.');

/** The fields that choose payments: of the list, and of an export. An empty one does not filter. */
export const chargeForm = {
  status: {
    label: 'Status',
    options: toWordOptions(chargeStatuses, 'any'),
    is: z.union([z.literal(''), z.enum(chargeStatuses)], 'Choose one of the list.').default(''),
  },
  reference: {
    label: 'Reference',
    maxLength: 64,
    is: z.string().trim().max(64, 'A reference has at most 64 characters.').default(''),
  },
  from: { ...spanInputs.from, is: end },
  to: { ...spanInputs.to, is: end },
  amount: { label: 'Amount', inputMode: 'decimal', maxLength: 16, is: z.string().trim().default('') },
  currency: {
    label: 'Currency',
    maxLength: 3,
    is: z
      .string()
      .trim()
      .toUpperCase()
      .refine((code) => code === '' || isCurrency(code), 'Write a currency such as EUR.')
      .default(''),
  },
  customer: {
    label: 'Customer',
    maxLength: 30,
    is: z
      .string()
      .trim()
      .refine((id) => id === '' || /^cus_[0-9A-Z]{26}$/.test(id), 'Write the id of a customer, cus_…')
      .default(''),
  },
} as const satisfies Record<string, FormInput>;

export type ChargeFilters = FormValues<typeof chargeForm>;

/** By which an export and its words name them. */
export const filterNames = ['status', 'from', 'to', 'reference', 'amount', 'currency', 'customer'] as const;

/** Says what is wrong with filters that are good one by one. */
export function checkFilters(filters: ChargeFilters, issues: z.core.$RefinementCtx<ChargeFilters>): void {
  const { amount, currency } = filters;
  const refuse = (field: string, message: string) =>
    issues.addIssue({ code: 'custom', path: [field], message });
  if (!isOrdered(filters)) refuse('to', 'The last day is before the first.');
  if (amount === '') return;
  const example = parseMoney('1.00', currency) === null ? '1' : '1.00';
  if (currency === '') refuse('currency', 'An amount needs its currency.');
  else if (parseMoney(amount, currency) === null)
    refuse('amount', `Write an amount of ${currency}, such as ${example}.`);
}

const chargeFilters = toSchema(chargeForm, checkFilters);

/** Returns the filters of an address; what cannot be read is named by its field. */
export function readFilters(query: URLSearchParams): { filters: ChargeFilters } | { faults: Faults } {
  const given = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']));
  const parsed = chargeFilters.safeParse(given);
  return parsed.success ? { filters: parsed.data } : { faults: toFaults(parsed.error) };
}

/** Returns the members of a query, or of an export's filter, that both have; the amount in minor units. */
export function toChosen({ status, reference, amount, currency, customer }: ChargeFilters) {
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
  return { ...filters, from: firstScannedDay(to === '' ? now : new Date(to)) };
}

/** Returns the first of the {@link scannedDays} that end with this one. */
export function firstScannedDay(last: Date): string {
  return new Date(last.getTime() - (scannedDays - 1) * dayMs).toISOString().slice(0, 10);
}

export function toQuery(filters: ChargeFilters): ChargeQuery {
  return { ...toChosen(filters), ...toCreatedQuery(filters) };
}
