import assert from 'node:assert/strict';
import type { ProblemResource } from '#domain/problems.ts';
import type { RefundResource } from '#domain/refunds.ts';
import { callProcessor, type Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';
import type { HttpAnswer, Merchant, SendOptions } from './merchant.ts';

/** What requests about refunds answer: the refund, or a problem. */
export type RefundBody = RefundResource & Partial<Omit<ProblemResource, 'status' | 'charge'>>;

export type RefundAnswer = HttpAnswer<RefundBody>;

/** The two ways to ask for one. */
export const refundForms = {
  'POST /v1/refunds': (chargeId: string, body: object = {}) => ['/v1/refunds', { charge: chargeId, ...body }],
  'POST /v1/charges/{id}/refunds': (chargeId: string, body: object = {}) => [
    `/v1/charges/${chargeId}/refunds`,
    body,
  ],
} satisfies Record<string, (chargeId: string, body?: object) => [string, object]>;

/** `POST /v1/refunds` of all that is left, unless `body` says otherwise. */
export function refundCharge(
  merchant: Merchant,
  chargeId: string,
  body: object = {},
  options?: SendOptions,
): Promise<RefundAnswer> {
  return merchant.send('POST', '/v1/refunds', { charge: chargeId, ...body }, options);
}

/** `POST /v1/refunds/{id}:cancel`, without a key unless `options` names one. */
export function cancelRefund(
  merchant: Merchant,
  refundId: string,
  options: SendOptions = {},
): Promise<RefundAnswer> {
  return merchant.send('POST', `/v1/refunds/${refundId}:cancel`, {}, { key: null, ...options });
}

/** Refunds as somebody does it in the processor's dashboard. `amount` in minor units. */
export async function refundInDashboard(
  { stack, db }: Environment,
  chargeId: string,
  amount: number,
): Promise<void> {
  if (!stack.usesStripe) {
    await callProcessor(stack, 'POST', '/dashboard/refunds', { charge_key: chargeId, amount });
    return;
  }
  const { processor_ref: ref } = await db('charges').where({ id: chargeId }).first('processor_ref');
  const answer = await fetch(`${stack.processorUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.secrets.stripe.key}` },
    body: new URLSearchParams({ payment_intent: ref, amount: String(amount) }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

export async function readRefund(merchant: Merchant, refundId: string): Promise<RefundBody> {
  return (await merchant.get<RefundBody>(`/v1/refunds/${refundId}`)).body;
}

/** Waits until the refund reads `status`. */
export function refundReads(
  merchant: Merchant,
  refundId: string,
  status: RefundBody['status'],
): Promise<RefundBody> {
  const probe = async () => {
    const body = await readRefund(merchant, refundId);
    return body.status === status && body;
  };
  return eventually(`${refundId} reads ${status}`, probe);
}

/** Of the charge, in minor units. */
export async function amountRefunded(merchant: Merchant, chargeId: string): Promise<number> {
  return (await merchant.get(`/v1/charges/${chargeId}`)).body.amount_refunded;
}

/** The types of the refund's events, in the account's order. */
export async function findRefundEvents(env: Environment, refundId: string): Promise<string[]> {
  const rows: { type: string }[] = await env.db('events').where('resource_id', refundId).orderBy('sequence');
  return rows.map(({ type }) => type);
}

/** The refund's movements in the processor's books. */
export async function findMovements(
  env: Environment,
  refundId: string,
): Promise<[kind: string, amount: number][]> {
  const entries = await env.books(refundId);
  return entries.filter(({ key }) => key === refundId).map(({ kind, amount }) => [kind, amount]);
}

/**
 * The charge's row, its refunds and the processor's books say the same (`docs/reliability.md`, "The invariants", 2). At
 * rest only: what is pending holds its amount while the books know nothing of it yet.
 */
export async function assertRefundsAgree(env: Environment, chargeId: string): Promise<void> {
  const [charge]: { amount_captured: number; amount_refunded: number }[] = await env
    .db('charges')
    .where('id', chargeId);
  assert.ok(charge);
  const refunds: { status: string; amount: number }[] = await env.db('refunds').where('charge_id', chargeId);
  const held = refunds.filter(({ status }) => status !== 'failed' && status !== 'reversed');
  const books = await env.books(chargeId);
  const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
  const moved = (kind: string) => sum(books.filter((entry) => entry.kind === kind));
  assert.equal(charge.amount_refunded, sum(held), 'the charge and its refunds');
  assert.equal(
    charge.amount_refunded,
    moved('refund') - moved('refund_reversal'),
    'the charge and the books',
  );
  assert.ok(charge.amount_refunded <= charge.amount_captured);
}

/** Gives the charge's money back behind our back: to the processor its refunds are final then. */
export async function voidAtProcessor(env: Environment, chargeId: string): Promise<void> {
  const answer = await fetch(`${env.stack.processorUrl}/voids`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${env.stack.secrets.processorSecret}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ charge_key: chargeId }),
  });
  assert.equal(answer.status, 200);
}
