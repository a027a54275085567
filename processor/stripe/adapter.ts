import type { Capabilities, PaymentProcessor, ProcessorSettings } from '../port.ts';
import { createTransport, type Transport } from '../transport.ts';
import { captureCharge, findCapture } from './captures.ts';
import { acceptsToken, authorizeCharge, findCharge, prepareCharge, refuseTerms } from './charges.ts';
import { createStripeClient, stripeVersion } from './client.ts';
import { chooseUrl, readKey } from './keys.ts';
import { listMovements, listMovementsOf } from './movements.ts';
import { findRefund, refundCharge } from './refunds.ts';
import { listTaken } from './taken.ts';
import { countDescriptorRoom, findFaults } from './terms.ts';
import { voidCharge } from './voids.ts';

export const stripeCapabilities: Capabilities = {
  partialCaptures: true,
  voidsCaptures: true,
  // A balance transaction is a movement of the balance, and an authorization is none.
  recordsAuthorizations: false,
};

/**
 * Stripe's longest answer that we ask for is a page of 100 objects, each with another in it. Those of other systems in the
 * same account may have 50 metadata of 500 characters each.
 */
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Opens the way to Stripe's API, or to what speaks like it.
 *
 * @throws {ProcessorKeyError} for a key that cannot be used, or not there.
 */
export function openStripeTransport(settings: Pick<ProcessorSettings, 'key' | 'url'>): Transport {
  const headers = {
    authorization: `Bearer ${settings.key}`,
    'stripe-version': stripeVersion,
    'user-agent': 'payments-api',
  };
  return createTransport({ url: chooseUrl(settings), headers, maxAnswerBytes });
}

/**
 * The port over Stripe's API: a PaymentIntent for each charge, in two calls. It never sends a request twice by itself:
 * sending again is the workflow's decision. It keeps no cards: a PaymentMethod that was used once without a customer at
 * Stripe cannot be used again. A refund of a card payment cannot be taken back.
 *
 * @param transport (Default: the one of {@link openStripeTransport})
 * @throws {ProcessorKeyError} for a key that cannot be used, or not there.
 */
export function createStripeProcessor(
  settings: Pick<ProcessorSettings, 'key' | 'url'>,
  transport: Transport = openStripeTransport(settings),
): PaymentProcessor {
  const stripe = createStripeClient(transport, readKey(settings.key).mode === 'live');
  let descriptorRoom = countDescriptorRoom(null);
  return {
    capabilities: stripeCapabilities,
    acceptsToken,
    findFaults: (terms) => findFaults(terms, descriptorRoom),
    noteAccount({ statementPrefix = null }) {
      descriptorRoom = countDescriptorRoom(statementPrefix);
    },
    async prepare(charge, options) {
      const [fault] = findFaults(charge, descriptorRoom);
      return fault ? refuseTerms(fault) : prepareCharge(stripe, charge, options);
    },
    authorize: (charge, options) => authorizeCharge(stripe, charge, options),
    capture: (capture, options) => captureCharge(stripe, capture, options),
    void: (sent, options) => voidCharge(stripe, sent, options),
    refund: (refund, options) => refundCharge(stripe, refund, options),
    findCharge: (charge, options) => findCharge(stripe, charge, options),
    findCapture: (capture, options) => findCapture(stripe, capture, options),
    findRefund: (refund, options) => findRefund(stripe, refund, options),
    listMovements: (after, options) => listMovements(stripe, after, options),
    listMovementsOf: (charge, options) => listMovementsOf(stripe, charge, options),
    listTaken: (page, options) => listTaken(stripe, page, options),
    close: () => transport.close(),
  };
}
