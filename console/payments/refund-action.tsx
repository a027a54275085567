import { z } from 'zod';
import type { Charge, Refund } from '#client/src/index.ts';
import { formatAmount, formatMoney, parseMoney } from '#domain/money.ts';
import { defineAction } from '../action.ts';
import { Field, Select } from '../parts/form.tsx';
import { findRefundable } from './next-steps.ts';

const reasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;

const options = [
  { value: '', label: 'not said' },
  ...reasons.map((reason) => ({ value: reason, label: reason.replaceAll('_', ' ') })),
];

/** Gives money of a payment back. */
export const refundAction = defineAction({
  path: '/payments/{id}/refund',
  section: 'payments',
  scope: 'refunds:write',
  title: () => 'Refund a payment',
  load: ({ api, params }) => api.charges.get(params['id'] ?? ''),
  fields: (charge: Charge, values, _visit, faults) => {
    const left = { amount: findRefundable(charge), currency: charge.currency };
    return (
      <>
        <Field
          label={`Amount in ${charge.currency}`}
          name="amount"
          value={values['amount'] ?? formatAmount(left)}
          fault={faults['amount']}
          hint={left.amount === 0 ? 'Nothing is left to refund.' : `At most ${formatMoney(left)} is left.`}
          inputMode="decimal"
          isRequired
        />
        <Select
          label="Reason, for your records"
          name="reason"
          value={values['reason']}
          fault={faults['reason']}
          options={options}
        />
      </>
    );
  },
  values: (charge) =>
    z.object({
      amount: toAmount(charge, findRefundable(charge), 'is left to refund'),
      reason: z.union([z.literal(''), z.enum(reasons)], 'Choose one of the list.').default(''),
    }),
  preview({ id, currency, ...charge }, { amount, reason }) {
    const money = (minor: number) => formatMoney({ amount: minor, currency });
    const left = charge.amount_captured - charge.amount_refunded - amount;
    return {
      sentences: [
        `${money(amount)} of ${money(charge.amount_captured)} goes back to the card of the buyer, ${charge.payment_method}.`,
        left === 0 ? 'Nothing is left to refund after this.' : `${money(left)} can be refunded after this.`,
        'It can be undone for some time: the page of the refund says until when.',
        'Your endpoints are told refund.processed, and refund.settled later; or refund.failed, if the processor refuses.',
      ],
      call: {
        method: 'POST',
        path: '/v1/refunds',
        body: { charge: id, amount, ...(reason !== '' && { reason }) },
      },
      submit: `Refund ${money(amount)}`,
    };
  },
  done: (answer) => ({ location: `/refunds/${(answer as Refund).id}` }),
});

/**
 * Returns the schema of an amount as it is typed, which becomes minor units.
 *
 * @param most in minor units.
 * @param ends how the sentence goes on that refuses more: 'is left to refund'.
 */
export function toAmount({ currency }: Charge, most: number, ends: string): z.ZodType<number> {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const amount = parseMoney(text, currency);
      const fault =
        amount === null
          ? `Write an amount of ${currency}, such as ${formatAmount({ amount: 500, currency })}.`
          : amount > most
            ? `At most ${formatMoney({ amount: most, currency })} ${ends}.`
            : null;
      if (fault === null) return amount as number;
      context.addIssue({ code: 'custom', message: fault });
      return z.NEVER;
    });
}
