import { z } from 'zod';
import type { Charge, Refund } from './ledger.ts';
import type { Reply } from './replies.ts';
import type { Sandbox } from './sandbox.ts';

const query = z.strictObject({
  since: z.iso.datetime(),
  /** Items of the answer before. */
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

/** Handles GET /sent: each charge and refund that was sent since a time, oldest first, with the text that the
 * caller gave. */
export function listSent({ ledger, outcomes }: Sandbox, search: URLSearchParams): Reply {
  const { since, after, limit } = query.parse(Object.fromEntries(search));
  const from = Date.parse(since);
  outcomes.settleAllDue();
  const sent = [...ledger.charges.values(), ...ledger.refunds.values()].filter((one) => isSent(one, from));
  // What is sent later comes last, so a page keeps its place.
  const all = sent.toSorted((one, other) => one.sentAt! - other.sentAt!);
  const data = all.slice(after, after + limit);
  const next = after + data.length < all.length ? after + data.length : null;
  return { status: 200, body: { data: data.map(present), next_after: next } };
}

/** What came by Stripe's dialect has a listing of its own. */
function isSent(one: Charge | Refund, from: number): boolean {
  const charge = one.of === 'charge' ? one : one.charge;
  return one.sentAt !== null && one.sentAt >= from && charge !== null && charge.dialect === null;
}

function present(one: Charge | Refund) {
  return one.of === 'charge' ? presentCharge(one) : presentRefund(one);
}

function presentCharge(charge: Charge) {
  const { key, token, amount, currency, capture, statementDescriptor, origin, status } = charge;
  const is_over = status === 'declined' || status === 'voided' || status === 'capture_failed';
  const statement_descriptor = statementDescriptor;
  return { object: 'charge', key, token, amount, currency, capture, statement_descriptor, is_over, origin };
}

function presentRefund({ key, charge, amount, origin, status }: Refund) {
  const is_over = status === 'failed' || status === 'reversed';
  return { object: 'refund', key, charge_key: charge?.key ?? '', amount, is_over, origin };
}
