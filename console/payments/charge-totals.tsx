import type { Charge } from '#client/src/index.ts';
import { formatMoney } from '#domain/money.ts';
import { listPart, readGiven, type Found } from '../screens/lists.tsx';
import { chargeForm, readFilters, toQuery, withFirstDay } from './charge-filters.ts';

/** What the payments of one currency come to, in minor units. */
interface Total {
  currency: string;
  count: number;
  amount: number;
  captured: number;
  refunded: number;
}

/** As many as one call of the API answers: it has no sums of a filter. */
const mostCounted = 100;

const sum = (name: 'amount' | 'captured' | 'refunded') => (total: Total) =>
  formatMoney({ amount: total[name], currency: total.currency });

/** Totals of the payments that the filters choose. Without a filter there are none: the overview has figures of all. */
export const chargeTotals = listPart<Total, Found<Total>>({
  name: 'totals',
  live: 'events',
  isShown: (visit) =>
    Object.keys(readGiven(visit, chargeForm)).length > 0 && 'filters' in readFilters(visit.query),
  async read({ api, query, now }) {
    const read = readFilters(query);
    if ('faults' in read) return { data: [] };
    const chosen = toQuery(withFirstDay(read.filters, now));
    const { data, has_more: hasMore } = await api.charges.list({ ...chosen, limit: mostCounted }).page();
    return { data: addUp(data), has_more: hasMore };
  },
  caption: 'Totals of the payments that match, by currency',
  columns: [
    ['Currency', ({ currency }) => currency],
    ['Payments', ({ count }) => count],
    ['Amount', sum('amount')],
    ['Captured', sum('captured')],
    ['Refunded', sum('refunded')],
  ],
  rowKey: ({ currency }) => currency,
  isOptional: true,
  below: (_visit, { data, has_more: hasMore }) => {
    const count = data.reduce((all, total) => all + total.count, 0);
    return (
      <p class="hint">
        Totals of {hasMore ? `the newest ${count}; older ones may match too` : 'all that match'}.
      </p>
    );
  },
});

/** Adds payments up, by currency in the order of their codes. */
function addUp(charges: readonly Charge[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { currency, amount, amount_captured: captured, amount_refunded: refunded } of charges) {
    const before = totals.get(currency) ?? { currency, count: 0, amount: 0, captured: 0, refunded: 0 };
    totals.set(currency, {
      currency,
      count: before.count + 1,
      amount: before.amount + amount,
      captured: before.captured + captured,
      refunded: before.refunded + refunded,
    });
  }
  return [...totals.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
