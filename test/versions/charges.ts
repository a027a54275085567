import { presentCharge, type Charge, type ChargeResource } from '#domain/charges.ts';
import { sampleCharge } from '../support/resources/sample-charge.ts';

const updatedAt = new Date('2026-11-01T12:00:02.500Z');

const states: Record<string, Partial<Charge>> = {
  authorized: {
    status: 'requires_capture',
    captureMethod: 'manual',
    expiresAt: new Date('2026-11-08T12:00:00.000Z'),
  },
  cancelled: {
    status: 'cancelled',
    captureMethod: 'manual',
    cancelRequestedAt: updatedAt,
    cancelledAt: updatedAt,
  },
  declined: {
    status: 'failed',
    failure: {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'The card has insufficient funds.',
    },
  },
  'requires-action': {
    status: 'requires_action',
    actionUrl: 'https://bank.example/3ds/6735',
    actionExpiresAt: new Date('2026-11-01T13:00:00.000Z'),
  },
  pending: { cancelRequestedAt: updatedAt },
  succeeded: { status: 'succeeded', amountCaptured: 1999, amountRefunded: 500, capturedAt: updatedAt },
  'timed-out': {
    status: 'failed',
    failure: {
      code: 'processor_timeout',
      decline_code: null,
      message: 'The processor did not tell the outcome in time; the payment was voided.',
    },
  },
};

/** The sample charge in each of its states, in the current API version, by the name of its golden file. */
export const chargeResources = new Map<string, ChargeResource>(
  Object.entries(states).map(([state, changes]) => [
    `charge.${state}.json`,
    presentCharge({ ...sampleCharge, updatedAt, ...changes }),
  ]),
);
