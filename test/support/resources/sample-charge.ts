import type { Charge } from '#domain/charges.ts';

/**
 * One charge with a value in every member. Tests of the domain change copies of it, the golden files of API versions are
 * made from it, and `POST /v1/charges` is sent its body: a new field begins here.
 */

/** The members of a body of `POST /v1/charges` that the charge shows as they were sent. */
export const sampleChargeBody = {
  reference: '6735',
  description: 'Order 6735',
  statement_descriptor: 'SHOP 6735',
  metadata: { order: '6735', status: 'succeeded' },
};

const created = new Date('2026-11-01T12:00:00.000Z');

/** A pending charge. Amounts are minor units. */
export const sampleCharge: Charge = {
  id: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  accountId: 'acct_1',
  claimId: 'clm_1',
  workflowId: 'charge/acct_1/key',
  amount: 1999,
  currency: 'EUR',
  status: 'pending',
  captureMethod: 'automatic',
  amountCaptured: 0,
  amountRefunded: 0,
  amountReturned: 0,
  customerId: 'cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3E',
  paymentMethod: 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3F',
  processorToken: 'tok_visa',
  processorId: null,
  processorKind: 'sandbox',
  reference: sampleChargeBody.reference,
  description: sampleChargeBody.description,
  statementDescriptor: sampleChargeBody.statement_descriptor,
  returnUrl: null,
  metadata: sampleChargeBody.metadata,
  failure: null,
  receipt: {
    reference: 'pay_6735',
    card: {
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2034,
      funding: 'credit',
      country: 'DE',
      wallet: null,
      fingerprint: 'card_4242',
    },
    checks: { cvc: 'pass', postal_code: 'unchecked' },
    three_d_secure: { result: 'authenticated', liability_shifted: true },
    authorization_code: '673512',
  },
  processorRef: null,
  processorDescription: sampleChargeBody.description,
  processorReference: sampleChargeBody.reference,
  processorAttempt: 1,
  captureAttempt: 1,
  processorPending: false,
  processorFault: null,
  captureClaimId: null,
  captureAmount: null,
  voidReason: null,
  createdAt: created,
  updatedAt: created,
  capturedAt: null,
  cancelRequestedAt: null,
  cancelledAt: null,
  expiresAt: null,
  actionUrl: null,
  actionExpiresAt: null,
  fromBatchId: null,
  fromBatchRow: null,
  version: 1,
};
