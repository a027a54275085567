import { z } from 'zod';
import type { TakenCharge, TakenRefund } from '../port.ts';

/** What the sandbox says was sent to it: `GET /sent`. */

const minorUnits = z.int().nonnegative();

/** A page of it. */
export const sentAnswer = z.object({
  data: z.array(
    z.discriminatedUnion('object', [
      z.object({
        object: z.literal('charge'),
        key: z.string(),
        token: z.string(),
        amount: minorUnits,
        currency: z.string(),
        capture: z.boolean(),
        statement_descriptor: z.string().nullable(),
        is_over: z.boolean(),
        origin: z.string().nullable(),
      }),
      z.object({
        object: z.literal('refund'),
        key: z.string(),
        charge_key: z.string(),
        amount: minorUnits,
        is_over: z.boolean(),
        origin: z.string().nullable(),
      }),
    ]),
  ),
  next_after: z.int().nullable(),
});
export function toTaken(one: z.output<typeof sentAnswer>['data'][number]): TakenCharge | TakenRefund {
  const { key, amount, is_over: isOver, origin } = one;
  if (one.object === 'refund')
    return { kind: 'refund', key, chargeKey: one.charge_key, amount, isOver, origin };
  const { token, currency, capture, statement_descriptor: statementDescriptor } = one;
  return {
    kind: 'charge',
    key,
    ref: null,
    token,
    amount,
    currency,
    capture,
    statementDescriptor,
    isOver,
    origin,
  };
}
