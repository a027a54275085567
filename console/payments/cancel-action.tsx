import { z } from 'zod';
import type { Charge } from '#client/src/index.ts';
import { isTerminal } from '#domain/charges.ts';
import { formatMoney } from '#domain/money.ts';
import { defineAction } from '../action.ts';

/** Lets go of the money that a payment reserved, or of a payment that is not decided yet. */
export const cancelAction = defineAction({
  path: '/payments/{id}/cancel',
  section: 'payments',
  scope: 'charges:update',
  title: () => 'Cancel a payment',
  load: ({ api, params }) => api.charges.get(params['id'] ?? ''),
  fields: () => null,
  values: z.object({}),
  preview: (charge: Charge) => ({
    sentences: describeCancel(charge),
    call: { method: 'POST', path: `/v1/charges/${charge.id}:cancel`, body: {} },
    submit: `Cancel the payment of ${formatMoney(charge)}`,
  }),
  done: (answer) => ({ location: `/payments/${(answer as Charge).id}` }),
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
