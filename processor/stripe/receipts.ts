import {
  authenticationResults,
  cardFundings,
  receiptBrands,
  type CardChecks,
  type ReceiptCard,
  type ThreeDSecure,
  type ToldOfRefund,
  type ToldReceipt,
} from '#domain/cards/receipt.ts';
import type { ChargedCard, Intent, Refund } from './objects.ts';

/*
 * What Stripe tells of the card that pays (docs.stripe.com/api/charges/object, `payment_method_details.card`), and of a
 * refund (docs.stripe.com/api/refunds/object, `destination_details.card`).
 */

/** Returns what an intent tells: of its last attempt, or of the card that was declined. */
export function readIntentReceipt({ latest_charge: charge, last_payment_error: error }: Intent): ToldReceipt {
  const charged = typeof charge === 'object' ? charge?.payment_method_details?.card : null;
  return readReceipt(charged ?? error?.payment_method?.card);
}

/** Returns what is told of a card. What Stripe does not say is left out. */
export function readReceipt(card: ChargedCard): ToldReceipt {
  if (!card) return {};
  const receiptCard = readCard(card);
  const checks = readChecks(card);
  const authentication = readAuthentication(card);
  return {
    ...(receiptCard && { card: receiptCard }),
    ...(checks && { checks }),
    ...(authentication && { three_d_secure: authentication }),
    ...(card.authorization_code && { authorization_code: card.authorization_code }),
  };
}

type Told = NonNullable<ChargedCard>;

function readCard(card: Told): ReceiptCard | null {
  const { last4, exp_month, exp_year, country, fingerprint, wallet } = card;
  if (!last4 || !exp_month || !exp_year) return null;
  return {
    brand: receiptBrands.find((brand) => brand === card.brand) ?? 'other',
    last4,
    exp_month,
    exp_year,
    funding: cardFundings.find((funding) => funding === card.funding) ?? null,
    country: country ?? null,
    wallet: wallet?.type ?? null,
    fingerprint: fingerprint ?? null,
  };
}

function readChecks({ checks }: Told): CardChecks | null {
  const read = (said: string | null | undefined) => (said === 'pass' || said === 'fail' ? said : 'unchecked');
  return checks ? { cvc: read(checks.cvc_check), postal_code: read(checks.address_postal_code_check) } : null;
}

/** Stripe's words that differ from ours. */
const results: Readonly<Record<string, ThreeDSecure['result']>> = {
  attempt_acknowledged: 'attempted',
  processing_error: 'failed',
};

/** Stripe does not say who bears a fraud. */
function readAuthentication({ three_d_secure: told }: Told): ThreeDSecure | null {
  const said = told?.result;
  if (!said) return null;
  const result = results[said] ?? authenticationResults.find((one) => one === said);
  return result ? { result, liability_shifted: null } : null;
}

/**
 * Returns what Stripe tells of a refund. The number that the bank of the buyer knows it by comes days after it succeeded, or
 * never.
 */
export function readRefundReceipt({ id, destination_details: destination }: Refund): ToldOfRefund {
  const { reference, reference_status: status } = destination?.card ?? {};
  return { processorId: id, ...(status === 'available' && reference && { bankReference: reference }) };
}
