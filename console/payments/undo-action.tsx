import { z } from 'zod';
import type { Refund } from '#client/src/index.ts';
import { formatMoney } from '#domain/money.ts';
import { defineAction } from '../action.ts';

/** Takes a refund back, while it is not settled. */
export const undoAction = defineAction({
  path: '/refunds/{id}/undo',
  section: 'payments',
  scope: 'refunds:write',
  title: () => 'Undo a refund',
  load: ({ api, params }) => api.refunds.get(params['id'] ?? ''),
  fields: () => null,
  values: z.object({}),
  preview: (refund: Refund) => ({
    sentences: [
      `The refund of ${formatMoney(refund)} is taken back: the buyer does not get it.`,
      'The amount can be refunded again, as another refund.',
      refund.reversible_until === null
        ? `The refund reads ${refund.status}, so it cannot be undone now.`
        : `It can be undone until ${refund.reversible_until}.`,
      'Your endpoints are told refund.reversed.',
    ],
    call: { method: 'POST', path: `/v1/refunds/${refund.id}:cancel`, body: {} },
    submit: `Undo the refund of ${formatMoney(refund)}`,
  }),
  done: (answer) => ({ location: `/payments/${(answer as Refund).charge}` }),
});
