import { createHash } from 'node:crypto';
import type { Refusal, RefundFailure } from './events.ts';
import type { Capture, Charge, Refund } from './ledger.ts';
import { describeCard, findToken, type Delivery } from './tokens.ts';

/** The answer of a route, and how it is sent. (Default: at once) */
export interface Reply {
  status: number;
  body: object;
  delivery?: Delivery;
  headers?: Record<string, string>;
  /** A page, in place of the body. */
  html?: string;
}

export const notFound: Reply = { status: 404, body: { error: 'not_found' } };
export const unavailable: Reply = { status: 503, body: { error: 'unavailable' } };

function presentRefusal(outcome: string | Refusal | RefundFailure): object {
  return typeof outcome === 'object' ? outcome : {};
}

/** Presents the charge with its present status, or with that of its first answer. */
export function presentCharge(charge: Charge, status: Charge['status'] = charge.status): object {
  const { key, id, amount, currency } = charge;
  const common = { key, id, status, amount, currency, ...presentBank(charge) };
  if (status === 'declined') return { ...common, ...presentRefusal(charge.outcome) };
  return status === 'captured' ? { ...common, amount_captured: charge.amountCaptured } : common;
}

/** Presents what the bank of the card told. A token that is none has no card. */
function presentBank({ token, outcome, id }: Charge): object {
  const known = findToken(token);
  if (!known) return {};
  const cvc = typeof outcome === 'object' && outcome.decline_code === 'incorrect_cvc' ? 'fail' : 'pass';
  const bank = { card: describeCard(known), checks: { cvc, postal_code: 'unchecked' } };
  return typeof outcome === 'object' ? bank : { ...bank, authorization_code: toBankCode(id) };
}

/** The number under which banks know a refund: 23 digits, the same for the same refund. */
export function toBankReference(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 18);
  return `74${BigInt(`0x${digest}`).toString().padStart(22, '0').slice(-21)}`;
}

/** Six digits, as a bank gives them; the same for the same payment. */
const toBankCode = (id: string) => id.replaceAll(/\D/g, '').padStart(6, '0').slice(-6);

export function presentCapture(capture: Capture): object {
  const { key, id, amount, outcome } = capture;
  return outcome === 'captured'
    ? { key, id, status: 'captured', amount_captured: amount }
    : { key, id, status: 'declined', ...outcome };
}

export function presentRefund(refund: Refund, status: Refund['status'] = refund.status): object {
  const { key, id, amount, bankReferenceAt } = refund;
  const isTold = status !== 'pending' && bankReferenceAt !== null && bankReferenceAt <= Date.now();
  const common = { key, id, status, amount, ...(isTold && { bank_reference: toBankReference(id) }) };
  return status === 'failed' ? { ...common, ...presentRefusal(refund.outcome) } : common;
}

/** Returns 422 for an invalid request, and 200 for every other outcome. */
export function statusFor(outcome: string | Refusal | RefundFailure): number {
  return typeof outcome === 'object' && outcome.error ? 422 : 200;
}
