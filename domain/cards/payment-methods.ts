/**
 * A payment method: a card that a customer keeps on file. We never see its number, only the processor's description of
 * its token.
 */

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover';

export interface Card {
  brand: CardBrand;
  last4: string;
  /** 1 to 12. */
  expMonth: number;
  /** Four digits. */
  expYear: number;
}

export interface PaymentMethod {
  id: string;
  card: Card;
}

/**
 * Returns whether a payment method is one that a customer keeps here. A processor may call its own ones `pm_…` too: they have
 * small letters.
 */
export function isStoredMethod(paymentMethod: string): boolean {
  return (
    paymentMethod.startsWith('pm_') && !(paymentMethod.length > 26 && /[a-z]/.test(paymentMethod.slice(3)))
  );
}

/** A customer is shown with all of its cards, so their number is bounded. */
export const maxPaymentMethods = 100;

/** A payment method over the wire. */
export interface PaymentMethodResource {
  id: string;
  object: 'payment_method';
  type: 'card';
  card: { brand: CardBrand; last4: string; exp_month: number; exp_year: number };
}

export function presentPaymentMethod({ id, card }: PaymentMethod): PaymentMethodResource {
  const { brand, last4, expMonth, expYear } = card;
  return {
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand, last4, exp_month: expMonth, exp_year: expYear },
  };
}
