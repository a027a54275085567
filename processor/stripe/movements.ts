import type { z } from 'zod';
import type { Movement } from '#domain/reconciliation.ts';
import type { CallOptions, SentCharge } from '../port.ts';
import { within, type StripeClient } from './client.ts';
import { unreadable } from './errors.ts';
import { locateIntent } from './intents.ts';
import { findInPages } from './lists.ts';
import { fromStripeAmount } from './money.ts';
import * as objects from './objects.ts';
import { givesBack } from './refund-lists.ts';

/*
 * Stripe's books are its balance transactions, in the currency of settlement. So amounts come from their sources: the
 * charge or the refund. An authorization moves no balance, and is not in them.
 *
 * Stripe lists the newest first, and there is no beginning that one could ask for. So the first reading goes from the
 * newest one back to the oldest, a page at a time, and later readings go on from the newest one that is known. A page is
 * one request, so that reading goes on where it was, whatever the size of the account.
 */

const listMs = 8_000;
const pageSize = 100;

type Transaction = z.output<typeof objects.transaction>;
const path = '/v1/balance_transactions';
const expand = ['data.source'];
const schema = objects.pageOf(objects.transaction);

/** Between the two ids of a position of the first reading: the newest transaction, and the oldest that was read. */
const separator = '<';

/**
 * Reads one page of movements. A position is the newest transaction that was read; during the first reading, the oldest
 * one too.
 */
export async function listMovements(
  stripe: StripeClient,
  position: string | null,
  options: CallOptions | undefined,
): Promise<{ movements: Movement[]; next: string | null }> {
  const time = within(listMs, options);
  const [newest, oldest] = position === null ? [] : position.split(separator);
  const isFirst = newest === undefined || oldest !== undefined;
  const cursor = isFirst ? { starting_after: oldest ?? null } : { ending_before: newest };
  const page = await stripe.ask({ path, query: { limit: pageSize, ...cursor, expand }, schema }, time);
  const movements = page.data.toReversed().flatMap(readMovement);
  return { movements, next: isFirst ? goBack(page, newest, oldest) : (page.data[0]?.id ?? null) };
}

/** Returns the position after a page of the first reading. */
function goBack(page: objects.Page<Transaction>, newest = page.data[0]?.id, oldest?: string): string | null {
  if (newest === undefined || !page.has_more) return newest ?? null;
  const last = page.data.at(-1)?.id;
  if (last === undefined || last === oldest) throw unreadable('a list that does not go on');
  return `${newest}${separator}${last}`;
}

/** Returns the movement, or nothing if it is none of ours: a payout, a fee, a payment of another system. */
function readMovement({ type, source, reporting_category: category }: Transaction): Movement[] {
  if (type === 'charge' || type === 'payment') {
    const charge = readSource(objects.charge, 'charge', source);
    return charge ? toCapture(charge) : [];
  }
  const isRefund = type === 'refund' || type === 'payment_refund';
  if (!isRefund && type !== 'refund_failure') return [];
  // What a partial capture leaves is booked as a refund that nobody asked for.
  if (category === 'partial_capture_reversal') return [];
  const refund = readSource(objects.refund, 'refund', source);
  if (!refund) return [];
  const kind = isRefund ? 'refund' : 'refund_reversal';
  return refund.metadata?.['refund'] === undefined ? toForeignReturn(refund, kind) : toReturn(refund, kind);
}

/** Returns what a movement is about; `null` if it is another kind of object, which none of ours is. */
function readSource<T>(schema: z.ZodType<T>, kind: string, source: Transaction['source']): T | null {
  if (typeof source === 'object' && source && source.object !== kind) return null;
  const parsed = schema.safeParse(source);
  if (!parsed.success) throw unreadable('a movement without its source');
  return parsed.data;
}

function toCapture(charge: z.output<typeof objects.charge>): Movement[] {
  const key = charge.metadata['charge'];
  if (key === undefined) return [];
  return [{ kind: 'capture', key, chargeKey: key, amount: readAmount(charge.amount_captured, charge) }];
}

/** Returns the movement of a refund of ours. A void is a refund at Stripe, and its movement a void. */
function toReturn(refund: objects.Refund, kind: 'refund' | 'refund_reversal'): Movement[] {
  const { refund: key, charge: chargeKey } = refund.metadata ?? {};
  if (key === undefined || chargeKey === undefined) return [];
  const amount = readAmount(refund.amount, refund);
  if (!key.endsWith(':void')) return [{ kind, key, chargeKey, amount }];
  return [{ kind: kind === 'refund' ? 'void' : 'void_reversal', key: chargeKey, chargeKey, amount }];
}

/** Returns the movements of a refund in a list: none if it failed at once, and both ways if it failed later. */
function readRefund(refund: objects.Refund): Movement[] {
  if (givesBack(refund)) return toReturn(refund, 'refund');
  if (!refund.failure_balance_transaction) return [];
  return [...toReturn(refund, 'refund'), ...toReturn(refund, 'refund_reversal')];
}

/**
 * Returns the movement of a refund that was made elsewhere, such as in the Dashboard. It keeps Stripe's id as its key and
 * names its payment. The row of our charge with that payment tells which charge it is, so Stripe is not asked about each.
 * A refund of another system may be in a currency that none of our charges has.
 */
function toForeignReturn(refund: objects.Refund, kind: 'refund' | 'refund_reversal'): Movement[] {
  const { payment_intent: paid, id: key, currency } = refund;
  const paymentRef = typeof paid === 'string' ? paid : paid?.id;
  const amount = fromStripeAmount(refund.amount, currency);
  if (paymentRef === undefined || amount === null) return [];
  return [{ kind, key, chargeKey: null, paymentRef, amount }];
}

function readAmount(amount: number, { currency }: { currency: string }): number {
  const read = fromStripeAmount(amount, currency);
  if (read === null) throw unreadable(`an amount of ${amount} in ${currency}`);
  return read;
}

/** Reads what moved for one charge, its authorization included. */
export async function listMovementsOf(
  stripe: StripeClient,
  charge: SentCharge,
  options: CallOptions | undefined,
): Promise<Movement[]> {
  const time = within(listMs, options);
  const intent = await locateIntent(stripe, charge, time);
  if (intent === null || intent === 'voided') return [];
  const query = { payment_intent: intent.id };
  const list = { path: '/v1/refunds', query, item: objects.refund };
  const refunds = await findInPages(stripe, list, () => true, time);
  return [...readPayment(intent, charge), ...refunds.toReversed().flatMap(readRefund)];
}

function readPayment(intent: objects.Intent, { key }: SentCharge): Movement[] {
  const movement = { key, chargeKey: key };
  const amount = readAmount(intent.amount, intent);
  const { capture_method, latest_charge: charge } = intent;
  const wasReserved = capture_method === 'manual' && typeof charge === 'object' && charge?.paid === true;
  const reserved: Movement[] = wasReserved ? [{ ...movement, kind: 'authorization', amount }] : [];
  switch (intent.status) {
    case 'requires_capture':
      return reserved;
    case 'succeeded':
      return [
        ...reserved,
        { ...movement, kind: 'capture', amount: readAmount(intent.amount_received, intent) },
      ];
    case 'canceled':
      return wasReserved ? [...reserved, { ...movement, kind: 'void', amount }] : [];
    default:
      return [];
  }
}
