import type { ComponentChildren, JSX } from 'preact';
import type { Charge, ChargeQuery } from '#client/src/index.ts';
import { isTerminal } from '#domain/charges.ts';
import { formatMoney } from '#domain/money.ts';
import type { Visit } from '../page.ts';
import { asTheApiSays } from '../parts/json.tsx';
import { Money, Text } from '../parts/values.tsx';
import {
  code,
  facts,
  id,
  money,
  ownId,
  plain,
  status,
  text,
  time,
  type Field,
  type Fields,
} from '../screens/fields.tsx';
import { itemScreen, StartLink, verbs } from '../screens/items.tsx';
import { listScreen, readGiven, type Found, type RecordTable } from '../screens/lists.tsx';
import { chargeForm, readFilters, scannedDays, toQuery, withFirstDay } from './charge-filters.ts';
import { describeFailure, describeNext, findRefundable, paymentHistory } from './charge-parts.tsx';
import { chargeTotals } from './charge-totals.tsx';
import { cancelPayment, capturePayment, exportPayments, refundPayment } from './charge-verbs.ts';
import { paymentOrigin } from './payment-origin.tsx';
import { processorFields } from './processor-fields.tsx';
import { paymentRefunds } from './refunds.tsx';
import { paymentTabs } from '../parts/tabs.tsx';
import { toldEvents } from './told-events.tsx';

/** The payments of the account, and one of them. */

const sum =
  (find: (charge: Charge) => number | null) =>
  (charge: Charge): JSX.Element | null => {
    const amount = find(charge);
    return amount === null ? null : <Money amount={amount} currency={charge.currency} />;
  };

/** The card that the processor told, or the token while it has told none. */
function showCard(charge: Charge): ComponentChildren {
  const { card } = charge;
  return card ? `${card.brand} ${card.last4}` : code('payment_method')(charge);
}

function describeCard({ card }: Charge): string | null {
  if (!card) return null;
  const { brand, last4, exp_month: month, exp_year: year, funding, country, wallet } = card;
  const further = [funding, wallet, country && `of a bank in ${country}`].filter(Boolean);
  return [`${brand} ${last4}, until ${String(month).padStart(2, '0')}/${year}`, ...further].join(', ');
}

function describeChecks({ checks, three_d_secure: authentication }: Charge): string | null {
  const said = [
    checks && `security code ${checks.cvc}`,
    checks && `postal code ${checks.postal_code}`,
    authentication && `3-D Secure ${authentication.result.replaceAll('_', ' ')}`,
  ];
  return said.filter(Boolean).join(', ') || null;
}

const charge = {
  status: ['Status', status('status')],
  id: ownId,
  reference: ['Reference', text('reference')],
  created: ['Created', time('created')],
  captured: ['Captured', sum((given) => given.amount_captured)],
  refunded: ['Refunded', sum((given) => given.amount_refunded)],
  returned: ['Taken back by the bank', sum((given) => given.amount_returned || null)],
  refundable: ['Refundable', sum(findRefundable)],
  card: ['Card', describeCard],
  source: ['Payment method', code('payment_method')],
  checks: ['Checks', describeChecks],
  authorization: ['Authorization code', text('authorization_code')],
  ...processorFields,
  customer: ['Customer', id('customer')],
  capture: ['Capture', plain('capture_method')],
  batch: ['Batch', showBatch],
  description: ['Description', text('description')],
  descriptor: ['On the statement', text('statement_descriptor')],
  cancelAsked: ['Cancel asked for', time('cancel_requested_at')],
  cancelled: ['Cancelled', time('cancelled_at')],
} satisfies Fields<Charge>;

function showBatch({ charge_batch: batch, charge_batch_row: row }: Charge): JSX.Element | null {
  return batch ? (
    <a href={`/operations/${batch}`}>
      {batch}, row {row}
    </a>
  ) : null;
}

/** Payments as rows, wherever they stand. */
export const chargeRows = {
  columns: (_visit: Visit, { data }: Found<Charge>): Field<Charge>[] => [
    ['Amount', money],
    ['Refunded', sum((given) => given.amount_refunded || null)],
    // Banks seldom take money back.
    ...(data.some((given) => given.amount_returned > 0) ? [charge.returned] : []),
    charge.status,
    charge.reference,
    ['Paid with', showCard],
    charge.customer,
    charge.created,
  ],
  href: ({ id: own }) => `/payments/${own}`,
} satisfies Partial<RecordTable<Charge>>;

interface FoundCharges extends Found<Charge> {
  /** The first day that was added to the filters. */
  addedFrom?: string;
}

export const chargeList = listScreen<Charge, ChargeQuery, FoundCharges>({
  path: '/payments',
  tab: 'Payments',
  scope: 'charges:read',
  title: 'Payments',
  live: 'events',
  top: paymentTabs,
  filters: chargeForm,
  faults({ query }) {
    const read = readFilters(query);
    return 'faults' in read ? read.faults : {};
  },
  tools: (visit) => <StartLink to={exportPayments} visit={visit} query={readGiven(visit, chargeForm)} />,
  before: [chargeTotals],
  async read(visit, { limit, starting_after: after }) {
    const { api, query, now } = visit;
    const read = readFilters(query);
    if ('faults' in read) return { data: [] };
    const filters = withFirstDay(read.filters, now);
    const place = { limit, ...(after !== undefined && { starting_after: after }) };
    const found = await api.charges.list({ ...toQuery(filters), ...place }).page();
    return { ...found, ...(filters.from !== read.filters.from && { addedFrom: filters.from }) };
  },
  above: (_visit, { addedFrom }) =>
    addedFrom === undefined ? null : (
      <p class="hint">
        An amount or a currency is looked for within {scannedDays} days, here since {addedFrom}. Choose days
        to look elsewhere.
      </p>
    ),
  ...chargeRows,
  empty: (visit) => <NothingFound visit={visit} />,
  grows: 'payments',
  // The next page names the day, since its cursor belongs to that time.
  carry: ({ addedFrom }) => (addedFrom === undefined ? {} : { from: addedFrom }),
});

/** What was looked for, and the way to everything. */
function NothingFound({ visit }: { visit: Visit }): JSX.Element {
  if ('faults' in readFilters(visit.query)) return <p>Mend the filters above.</p>;
  const given = Object.entries(readGiven(visit, chargeForm));
  if (given.length === 0) {
    return (
      <p>
        There is no payment yet. <a href={`${visit.links.docs}/quickstart`}>The quickstart</a> makes the first
        one.
      </p>
    );
  }
  return (
    <p>
      No payment has all of this:{' '}
      {given.map(([name, value], index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          {name} <Text value={value} />
        </span>
      ))}
      . <a href={visit.path}>All payments</a>
    </p>
  );
}

/** What it is, what happened to it, and what can be done with it. */
export const payment = itemScreen<Charge>({
  path: '/payments/{id}',
  shows: 'charge',
  scope: 'charges:read',
  title: 'Payment',
  live: 'always',
  isSettled: (given) => isTerminal(given) && findRefundable(given) === 0,
  load: ({ api, id: own }) => api.charges.get(own),
  heading: (given) => `${formatMoney(given)}, ${given.status.replaceAll('_', ' ')}`,
  parts: [
    describeNext,
    verbs([refundPayment, capturePayment, cancelPayment]),
    describeFailure,
    facts(charge),
    asTheApiSays('charges'),
  ],
  regions: [paymentHistory, paymentRefunds, toldEvents, paymentOrigin],
});
