import { z } from 'zod';
import { declineAdvices, declineCodes } from '#domain/cards/decline-advice.ts';
import { cardFundings, checkResults, receiptBrands, type ToldReceipt } from '#domain/cards/receipt.ts';
import { movementKinds, type Movement } from '#domain/reconciliation.ts';
import type { CaptureOutcome, CardDescription, ChargeOutcome, RefundOutcome } from '../port.ts';

/** The answers of the sandbox, and what they say in the words of the port. */

const named = { key: z.string(), id: z.string().min(1) };
/** What cannot be read of it is not told: the outcome counts without it. */
const bank = {
  card: z
    .object({
      brand: z.enum(receiptBrands),
      last4: z.string().regex(/^\d{4}$/),
      exp_month: z.int().min(1).max(12),
      exp_year: z.int().min(2000),
      funding: z.enum(cardFundings).nullable(),
      country: z.string().max(2).nullable(),
      wallet: z.string().max(50).nullable(),
      fingerprint: z.string().max(255).nullable(),
    })
    .optional()
    .catch(undefined),
  checks: z
    .object({ cvc: z.enum(checkResults), postal_code: z.enum(checkResults) })
    .optional()
    .catch(undefined),
  authorization_code: z.string().max(50).optional().catch(undefined),
};
/** In its own dialect the sandbox asks no buyer, so no authentication fails there. */
const declineCode = z.enum(declineCodes).exclude(['authentication_required', 'authentication_failed']);
/** Advice that is not known here counts as none. */
const advice = z.enum(declineAdvices).optional().catch(undefined);
const minorUnits = z.int().nonnegative();
/** Nothing taken is no capture. */
const taken = z.int().positive();
const declined = z.object({
  ...named,
  status: z.literal('declined'),
  decline_code: declineCode,
  advice,
  message: z.string(),
});

export const chargeAnswer = z.discriminatedUnion('status', [
  z.object({ ...named, ...bank, status: z.literal('authorized') }),
  z.object({
    ...named,
    ...bank,
    status: z.literal('captured'),
    amount_captured: taken,
    currency: z.string().optional(),
  }),
  declined.extend(bank),
  z.object({ ...named, ...bank, status: z.literal('pending') }),
  z.object({ ...named, status: z.literal('voided') }),
  z.object({ ...named, status: z.literal('capture_failed') }),
]);
export const captureAnswer = z.discriminatedUnion('status', [
  z.object({ ...named, status: z.literal('captured'), amount_captured: taken }),
  declined,
]);
const refunded = { ...named, bank_reference: z.string().max(255).optional().catch(undefined) };
export const refundAnswer = z.discriminatedUnion('status', [
  z.object({ ...refunded, status: z.literal('processed') }),
  z.object({ ...refunded, status: z.literal('pending') }),
  z.object({ ...refunded, status: z.literal('failed'), code: z.string(), message: z.string() }),
  z.object({ ...refunded, status: z.literal('reversed') }),
]);
export const voidAnswer = z.object({ key: z.string(), status: z.literal('voided') });
export const cardAnswer = z.object({
  key: z.string(),
  brand: z.enum(['visa', 'mastercard', 'amex', 'discover']),
  last4: z.string().regex(/^\d{4}$/),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2000),
});
const bookEntry = z.object({
  seq: z.int().positive(),
  kind: z.enum(movementKinds),
  key: z.string(),
  charge_key: z.string(),
  amount: minorUnits,
});
export const entriesAnswer = z.object({ data: z.array(bookEntry), next_after: z.int().nullable() });
export const notFound = z.object({ error: z.literal('not_found') });

export function toChargeOutcome(answer: z.output<typeof chargeAnswer>): ChargeOutcome {
  const processorId = answer.id;
  const told = toTold(answer);
  if (answer.status === 'captured') {
    return {
      kind: 'captured',
      processorId,
      amountCaptured: answer.amount_captured,
      currency: answer.currency,
      told,
    };
  }
  if (answer.status === 'declined') {
    return { kind: 'declined', processorId, ...toDecline(answer), told };
  }
  return { kind: answer.status, processorId, told };
}

function toTold(answer: z.output<typeof chargeAnswer>): ToldReceipt | undefined {
  if (!('card' in answer)) return undefined;
  const { card, checks, authorization_code } = answer;
  return {
    ...(card && { card }),
    ...(checks && { checks }),
    ...(authorization_code !== undefined && { authorization_code }),
  };
}

export function toCaptureOutcome(answer: z.output<typeof captureAnswer>): CaptureOutcome {
  return answer.status === 'captured'
    ? { kind: 'captured', amountCaptured: answer.amount_captured }
    : { kind: 'declined', ...toDecline(answer) };
}

function toDecline({ decline_code: declineCode, advice: told, message }: z.output<typeof declined>) {
  return { declineCode, ...(told && { advice: told }), message };
}

export function toRefundOutcome(answer: z.output<typeof refundAnswer>): RefundOutcome {
  const { id: processorId, bank_reference: bankReference } = answer;
  const told = { processorId, ...(bankReference !== undefined && { bankReference }) };
  return answer.status === 'failed'
    ? { kind: 'failed', ...told, code: answer.code, message: answer.message }
    : { kind: answer.status, ...told };
}

export function toCard(answer: z.output<typeof cardAnswer>): CardDescription {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = answer;
  return { brand, last4, expMonth, expYear };
}

export function toMovement({ kind, key, charge_key, amount }: z.output<typeof bookEntry>): Movement {
  return { kind, key, chargeKey: charge_key, amount };
}
