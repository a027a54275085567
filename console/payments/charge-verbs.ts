import { z } from 'zod';
import type { Charge } from '#client/src/index.ts';
import { isTerminal } from '#domain/charges.ts';
import { formatAmount, formatMoney, parseMoney } from '#domain/money.ts';
import type { Visit } from '../page.ts';
import { toCreated } from '../parts/span.ts';
import { toWordOptions } from '../parts/form.tsx';
import { toMade, verb } from '../screens/verbs.tsx';
import { chargeForm, checkFilters, filterNames, toChosen } from './charge-filters.ts';
import { findRefundable } from './charge-parts.tsx';

/** What people do with payments. */

const load = ({ api, id }: Visit) => api.charges.get(id);

const isWaiting = ({ status, cancel_requested_at: cancelling }: Charge) =>
  status === 'requires_capture' && cancelling === null;

/**
 * Returns the field of an amount as it is typed, which becomes minor units.
 *
 * @param most in minor units: what it holds at first.
 * @param ends how the sentence goes on that refuses more: 'is left to refund'.
 */
function amountField({ currency }: Charge, most: number, ends: string, hint: string) {
  const money = (amount: number) => formatMoney({ amount, currency });
  const is = z
    .string()
    .default('')
    .transform((text, context) => {
      const amount = parseMoney(text, currency);
      if (amount !== null && amount <= most) return amount;
      const example = formatAmount({ amount: 500, currency });
      const message =
        amount === null
          ? `Write an amount of ${currency}, such as ${example}.`
          : `At most ${money(most)} ${ends}.`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
  const value = formatAmount({ amount: most, currency });
  return { label: `Amount in ${currency}`, value, hint, inputMode: 'decimal', isRequired: true, is } as const;
}

/** Takes the money that a payment has reserved. */
export const capturePayment = verb({
  path: '/payments/{id}/capture',
  scope: 'charges:update',
  title: 'Capture a payment',
  label: 'Capture…',
  load,
  when: isWaiting,
  form: (charge) => {
    const hint = `At most ${formatMoney(charge)} is reserved. What is not taken is released.`;
    return { amount: amountField(charge, charge.amount, 'is reserved', hint) };
  },
  says: ({ amount: reserved, currency }, { amount }) => [
    `${formatMoney({ amount, currency })} is taken from the card of the buyer.`,
    ...(amount < reserved
      ? [`The other ${formatMoney({ amount: reserved - amount, currency })} is released.`]
      : []),
    'A payment is captured once: this cannot be undone. A refund gives money back.',
    'Your endpoints are told charge.succeeded.',
  ],
  call: 'POST /v1/charges/{id}:capture',
  body: (_charge, { amount }) => ({ amount }),
  submit: ({ currency }, { amount }) => `Capture ${formatMoney({ amount, currency })}`,
});

/** Lets go of the money that a payment reserved, or of a payment that is not decided yet. */
export const cancelPayment = verb({
  path: '/payments/{id}/cancel',
  scope: 'charges:update',
  title: 'Cancel a payment',
  label: 'Cancel…',
  load,
  when: (charge) => !isTerminal(charge) && charge.cancel_requested_at === null,
  says: describeCancel,
  call: 'POST /v1/charges/{id}:cancel',
  submit: (charge) => `Cancel the payment of ${formatMoney(charge)}`,
});

function describeCancel(charge: Charge): string[] {
  if (isTerminal(charge))
    return [`The payment has ended: it reads ${charge.status}. A cancel changes nothing any more.`];
  const told = 'This cannot be undone. Your endpoints are told charge.cancelled.';
  if (charge.status === 'requires_capture')
    return [`${formatMoney(charge)} was reserved and is released. The buyer pays nothing.`, told];
  if (charge.status === 'requires_action')
    return ['The buyer cannot confirm the payment any more, and pays nothing.', told];
  return [
    'The outcome is not known yet, so the cancel is only asked for. What the processor has taken is given back.',
    'The payment reads cancelled once nothing can be taken any more.',
    told,
  ];
}

const reasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;

/** Gives money of a payment back. */
export const refundPayment = verb({
  path: '/payments/{id}/refund',
  scope: 'refunds:write',
  title: 'Refund a payment',
  label: 'Refund…',
  load,
  when: (charge) => findRefundable(charge) > 0,
  form: (charge) => {
    const left = findRefundable(charge);
    const hint =
      left === 0
        ? 'Nothing is left to refund.'
        : `At most ${formatMoney({ amount: left, currency: charge.currency })} is left.`;
    return {
      amount: amountField(charge, left, 'is left to refund', hint),
      reason: {
        label: 'Reason, for your records',
        options: toWordOptions(reasons, 'not said'),
        is: z.union([z.literal(''), z.enum(reasons)], 'Choose one of the list.').default(''),
      },
    };
  },
  says({ currency, ...charge }, { amount }) {
    const money = (minor: number) => formatMoney({ amount: minor, currency });
    const left = charge.amount_captured - charge.amount_refunded - amount;
    return [
      `${money(amount)} of ${money(charge.amount_captured)} goes back to the card of the buyer, ${charge.payment_method}.`,
      left === 0 ? 'Nothing is left to refund after this.' : `${money(left)} can be refunded after this.`,
      'It can be undone for some time: the page of the refund says until when.',
      'Your endpoints are told refund.processed, and refund.settled later; or refund.failed, if the processor refuses.',
    ];
  },
  call: 'POST /v1/refunds',
  body: ({ id }, { amount, reason }) => ({ charge: id, amount, ...(reason !== '' && { reason }) }),
  submit: ({ currency }, { amount }) => `Refund ${formatMoney({ amount, currency })}`,
  done: toMade('/refunds/'),
});

/** Makes a file of the payments that a list shows: its filters become those of the export. */
export const exportPayments = verb({
  path: '/payments/export',
  scope: 'exports:write',
  title: 'Export payments',
  label: 'Export these…',
  form: {
    format: {
      label: 'Format',
      options: [
        { value: 'csv', label: 'CSV, for a spreadsheet' },
        { value: 'ndjson', label: 'NDJSON, a payment a line' },
      ],
      is: z.enum(['csv', 'ndjson'], 'Choose one of the list.').default('csv'),
    },
    ...chargeForm,
  },
  check: checkFilters,
  says(_none, filters) {
    const given = filterNames.filter((name) => filters[name] !== '');
    return [
      given.length === 0
        ? 'A file is made of all payments of the account.'
        : `A file is made of the payments with ${given.map((name) => `${name} ${filters[name]}`).join(', ')}.`,
      'It holds every payment that exists when the export is accepted, and no later one.',
      'The next page shows its progress, and its SHA-256 and the link to it at the end.',
    ];
  },
  call: 'POST /v1/exports',
  body(_none, { format, ...filters }) {
    const created = toCreated(filters);
    const filter = { ...toChosen(filters), ...(Object.keys(created).length > 0 && { created }) };
    return { resource: 'charges', format, filter };
  },
  submit: 'Export',
  done: toMade('/operations/'),
});
