import { z } from 'zod';
import type { Charge } from '#client/src/index.ts';
import { formatAmount, formatMoney } from '#domain/money.ts';
import { defineAction } from '../action.ts';
import { Field } from '../parts/form.tsx';
import { toAmount } from './refund-action.tsx';

/** Takes the money that a payment has reserved. */
export const captureAction = defineAction({
  path: '/payments/{id}/capture',
  section: 'payments',
  scope: 'charges:update',
  title: () => 'Capture a payment',
  load: ({ api, params }) => api.charges.get(params['id'] ?? ''),
  fields: (charge: Charge, values, _visit, faults) => (
    <Field
      label={`Amount in ${charge.currency}`}
      name="amount"
      value={values['amount'] ?? formatAmount(charge)}
      fault={faults['amount']}
      hint={`At most ${formatMoney(charge)} is reserved. What is not taken is released.`}
      inputMode="decimal"
      isRequired
    />
  ),
  values: (charge) => z.object({ amount: toAmount(charge, charge.amount, 'is reserved') }),
  preview({ id, amount: reserved, currency }, { amount }) {
    const money = (minor: number) => formatMoney({ amount: minor, currency });
    return {
      sentences: [
        `${money(amount)} is taken from the card of the buyer.`,
        ...(amount < reserved ? [`The other ${money(reserved - amount)} is released.`] : []),
        'A payment is captured once: this cannot be undone. A refund gives money back.',
        'Your endpoints are told charge.succeeded.',
      ],
      call: { method: 'POST', path: `/v1/charges/${id}:capture`, body: { amount } },
      submit: `Capture ${money(amount)}`,
    };
  },
  done: (answer) => ({ location: `/payments/${(answer as Charge).id}` }),
});
