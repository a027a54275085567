import { randomUUID } from 'node:crypto';
import type { SentCapture, SentCharge, SentRefund } from '#processor/port.ts';

/** Returns a charge as the port is given it: 10.00 EUR by `tok_visa`, taken at once, under a key of its own. */
export function sentCharge(given: Partial<SentCharge> = {}): SentCharge {
  return {
    key: `ch_${randomUUID()}`,
    ref: null,
    attempt: 1,
    accountId: 'acct_test',
    createdAt: new Date(),
    token: 'tok_visa',
    amount: 1000,
    currency: 'EUR',
    capture: true,
    statementDescriptor: null,
    description: null,
    returnUrl: null,
    ...given,
  };
}

/** Returns a capture of all of the charge, under a key of its own. */
export function sentCapture(charge: SentCharge, given: Partial<SentCapture> = {}): SentCapture {
  return { key: `cap_${randomUUID()}`, charge, amount: charge.amount, attempt: 1, ...given };
}

/** Returns a refund of all of the charge, under a key of its own. */
export function sentRefund(charge: SentCharge, given: Partial<SentRefund> = {}): SentRefund {
  const key = `re_${randomUUID()}`;
  return { key, charge, amount: charge.amount, attempt: 1, createdAt: new Date(), ...given };
}
