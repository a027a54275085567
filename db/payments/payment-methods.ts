import type { Customer } from '#domain/customers.ts';
import type { PaymentMethod } from '#domain/cards/payment-methods.ts';
import type { Move } from '../writes/effects.ts';

/** Builds the move that attaches a card to the customer, if nobody changed the customer since it was read. */
export function buildAttachment(
  read: Customer,
  { id, card }: PaymentMethod,
  { processorToken, processorId }: { processorToken: string; processorId: string | null },
  at: Date,
): Move {
  return {
    name: 'attach-payment-method',
    sql: `
      update customers set updated_at = $3, version = version + 1
      where id = $1 and version = $2 and deleted_at is null
      returning id, account_id`,
    values: [
      read.id,
      read.version,
      at,
      id,
      processorToken,
      card.brand,
      card.last4,
      card.expMonth,
      card.expYear,
      processorId,
    ],
    along: {
      attached: `
        insert into payment_methods (id, customer_id, processor_token, brand, last4, exp_month, exp_year, processor_id)
        select $4, moved.id, $5, $6, $7, $8::smallint, $9::smallint, $10 from moved
        returning 1`,
    },
  };
}

/** Builds the move that detaches a card, also as the default, if nobody changed the customer since it was read. */
export function buildDetachment(read: Customer, paymentMethodId: string, at: Date): Move {
  return {
    name: 'detach-payment-method',
    sql: `
      update customers set
        default_payment_method = nullif(default_payment_method, $4), updated_at = $3, version = version + 1
      where id = $1 and version = $2 and deleted_at is null
      returning id, account_id`,
    values: [read.id, read.version, at, paymentMethodId],
    along: {
      detached:
        'delete from payment_methods p using moved where p.customer_id = moved.id and p.id = $4 returning 1',
    },
  };
}
